import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryImport
import GranaryInspection
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryExport
@testable import GranarySubset
@testable import SeedingTestSupport

/// Subsets of stores for tests.
struct SubsetSample {
    let folder: TemporaryFolder
    /// The subset.
    let store: SQLiteStore
    let report: SubsetReport

    init(
        of source: any StoreBackend, _ selections: [SubsetOptions.Selection],
        _ change: (inout SubsetOptions) -> Void = { _ in }
    ) throws {
        var options = SubsetOptions()
        options.selections = selections
        change(&options)
        folder = try TemporaryFolder()
        store = try SQLiteStore.create(
            path: folder.url.appending(path: "Subset.sqlite").path, schema: source.schema)
        report = try Subset(options: options).run(from: source, into: store)
    }

    /// The keys of the objects by the names of their entities.
    var keys: [String: [Int64]] {
        get throws { try Self.keys(of: store) }
    }

    static func keys(of store: any StoreBackend) throws -> [String: [Int64]] {
        var keys: [String: [Int64]] = [:]
        for entity in store.schema.entities where entity.root == entity.index {
            try store.read(entities: entity.family, batchSize: 100) { batch in
                for row in batch.rows { keys[store.schema.entities[Int(row.entity)].name, default: []].append(row.key) }
                return true
            }
        }
        return keys
    }

    var findings: [String] {
        get throws {
            var collector = DiagnosticCollector()
            try StoreCheck(store).run(&collector)
            return collector.diagnostics.filter { $0.severity != .note }.map(\.description)
        }
    }

    var document: String {
        get throws {
            var options = ExportOptions()
            options.reference = .id
            return try ExportSamples.json(store, options, shape: .document)
        }
    }

    /// The texts of an attribute, in the order of keys; nil for NULL.
    func texts(_ entity: String, _ name: String) throws -> [String?] {
        try Self.values(store, entity, name).map { value in
            switch value {
            case .string(let text)?: text
            case .uri(let url)?: url.absoluteString
            default: nil
            }
        }
    }

    func values(_ entity: String, _ name: String) throws -> [AttributeValue?] {
        try Self.values(store, entity, name)
    }

    static func values(_ store: any StoreBackend, _ entity: String, _ name: String) throws -> [AttributeValue?] {
        let entity = try #require(store.schema.entity(named: entity))
        let attribute = try #require(entity.attribute(named: name))
        var values: [AttributeValue?] = []
        try store.read(entities: entity.family, batchSize: 100) { batch in
            for row in batch.rows.indices { values.append(try batch.value(row: row, of: attribute)) }
            return true
        }
        return values
    }

    /// The members of a to-many relationship by owner, in order.
    func members(_ entity: String, _ name: String) throws -> [Int64: [Int64]] {
        let owner = try #require(store.schema.entity(named: entity))
        let relationship = try #require(owner.relationship(named: name))
        var members: [Int64: [Int64]] = [:]
        try store.readLinks(of: relationship, owners: nil) { members[$0.owner, default: []].append($0.destination) }
        return members
    }
}
