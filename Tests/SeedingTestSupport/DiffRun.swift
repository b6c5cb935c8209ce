import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryComparison

/// One comparison, and what it reported.
struct DiffRun {
    let differences: [ObjectDifference]
    let summary: StoreDiffSummary

    /// The differences as `changed Employee/p1: name salary`, `onlyInA Tag/p2`.
    var lines: [String] {
        differences.map { difference in
            let names = difference.properties.map(\.name).joined(separator: " ")
            return "\(difference.kind.rawValue) \(difference.object.id)" + (names.isEmpty ? "" : ": " + names)
        }
    }

    /// The counts as `Tag 1 0 2 0`: same, changed, only in A, only in B.
    var counts: [String] {
        summary.entities.map { "\($0.name) \($0.same) \($0.changed) \($0.onlyInA) \($0.onlyInB)" }
    }

    static func of(
        _ a: any StoreBackend, _ b: any StoreBackend, keys: [String: [String]] = [:]
    ) throws -> DiffRun {
        var options = StoreDiffOptions()
        options.keys = keys
        return try of(a, b, options)
    }

    static func of(_ a: any StoreBackend, _ b: any StoreBackend, _ options: StoreDiffOptions) throws -> DiffRun {
        var differences: [ObjectDifference] = []
        let summary = try StoreDiff(options: options).run(stores: a, b) { differences.append($0) }
        return DiffRun(differences: differences, summary: summary)
    }

    static func of(
        paths a: String, _ b: String, model: ManagedObjectModel? = nil, entities: [String] = []
    ) throws -> DiffRun {
        var options = StoreDiffOptions()
        options.model = model
        options.entities = entities
        var differences: [ObjectDifference] = []
        let summary = try StoreDiff(options: options).run(paths: a, b) { differences.append($0) }
        return DiffRun(differences: differences, summary: summary)
    }

    /// The objects of the company in a published SQLite file.
    static func companyFile(in folder: TemporaryFolder, _ name: String = "Company.sqlite") throws -> String {
        let path = folder.url.appending(path: name).path
        let store = try SQLiteStore.create(path: path, schema: try ExportSamples.company.resolved())
        try addCompany(to: store)
        try store.publish()
        return path
    }

    /// The objects of ``ExportSamples/companyStore()``.
    static func addCompany(to store: any StoreBackend) throws {
        try ExportSamples.insert("Department", 1, ["name": "Sales"], into: store)
        try ExportSamples.insert("Department", 2, ["name": "R&D"], to: ["head": ("Employee", 3)], into: store)
        try ExportSamples.insert(
            "Employee", 1, ["name": "Ann", "salary": .decimal(12.5)], to: ["department": ("Department", 2)], into: store
        )
        try ExportSamples.insert("Customer", 2, ["name": "Bob", "vip": true], into: store)
        try ExportSamples.insert("Employee", 3, ["name": "Cy"], to: ["department": ("Department", 1)], into: store)
        try ExportSamples.insert("Tag", 1, ["word": "new"], into: store)
        try ExportSamples.insert("Tag", 2, ["word": "old"], into: store)
        try ExportSamples.link("Employee", 1, "tags", to: [("Tag", 1), ("Tag", 2)], in: store)
        try ExportSamples.link("Employee", 1, "friends", to: [("Employee", 3), ("Customer", 2)], in: store)
    }
}
