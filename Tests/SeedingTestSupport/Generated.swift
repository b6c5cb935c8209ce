import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryExport
@testable import GranaryGeneration
@testable import GranarySeedPlans

/// A store of a test's own, with generated objects.
struct Generated {
    let store: SQLiteStore
    let folder: TemporaryFolder
    let path: String

    init(_ model: ManagedObjectModel) throws {
        folder = try TemporaryFolder()
        path = folder.url.appending(path: "S.sqlite").path
        store = try SQLiteStore.create(path: path, schema: try model.resolved())
    }

    /// Generates into a new store.
    static func of(
        _ model: ManagedObjectModel, _ counts: [String: Int], _ change: (inout GenerationOptions) -> Void = { _ in }
    ) throws -> Generated {
        let generated = try Generated(model)
        try generated.add(counts, change)
        return generated
    }

    @discardableResult
    func add(
        _ counts: [String: Int], _ change: (inout GenerationOptions) -> Void = { _ in }
    ) throws -> GenerationReport {
        var options = GenerationOptions()
        change(&options)
        return try Generator(counts: counts, options: options).run(into: store)
    }

    /// The problems that a refused generation reports, as `Entity.property code`.
    static func problems(
        _ model: ManagedObjectModel, _ counts: [String: Int], _ change: (inout GenerationOptions) -> Void = { _ in }
    ) throws -> [Diagnostic] {
        let generated = try Generated(model)
        do {
            try generated.add(counts, change)
            return []
        } catch let error as GranaryError {
            guard error.code == .refused else { throw error }
            for entity in generated.store.schema.entities where !entity.isAbstract {
                #expect(try generated.store.count(entity: entity.index) == 0)
            }
            return error.diagnostics
        }
    }

    /// The findings of a check of the store's content.
    var findings: [String] {
        get throws {
            var collector = DiagnosticCollector()
            try StoreCheck(store).run(&collector)
            return collector.diagnostics.filter { $0.severity != .note }.map(\.description)
        }
    }

    /// The objects of all entities as one text.
    var document: String {
        get throws {
            var options = ExportOptions()
            options.reference = .id
            return try ExportSamples.json(store, options, shape: .document)
        }
    }

    /// The values of an attribute, in the order of keys.
    func values(_ entity: String, _ name: String) throws -> [AttributeValue?] {
        let entity = try #require(store.schema.entity(named: entity))
        let attribute = try #require(entity.attribute(named: name))
        var values: [AttributeValue?] = []
        try store.read(entities: entity.index..<entity.index + 1, batchSize: 100) { batch in
            for row in batch.rows.indices { values.append(try batch.value(row: row, of: attribute)) }
            return true
        }
        return values
    }

    func texts(_ entity: String, _ name: String) throws -> [String] {
        try values(entity, name).compactMap { value -> String? in
            guard case .string(let text)? = value else { return nil }
            return text
        }
    }

    /// The numbers of links of the objects of an entity, in ascending order.
    func degrees(_ entity: String, _ name: String) throws -> [Int] {
        let entity = try #require(store.schema.entity(named: entity))
        let relationship = try #require(entity.relationship(named: name))
        var counts: [Int64: Int] = [:]
        try store.read(entities: entity.index..<entity.index + 1, batchSize: 100) { batch in
            for row in batch.rows { counts[row.key] = 0 }
            for row in batch.rows.indices where !relationship.isToMany && batch[row, relationship.slot] != .null {
                counts[batch.rows[row].key] = 1
            }
            return true
        }
        if relationship.isToMany {
            try store.readLinks(of: relationship, owners: nil) { counts[$0.owner, default: 0] += 1 }
        }
        return counts.values.sorted()
    }
}
