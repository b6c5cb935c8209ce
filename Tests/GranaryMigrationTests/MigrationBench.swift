import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryModelFiles
import GranaryPredicates
import TestSupport
@testable import GranaryMigration

/// A store of an older model with objects, and its migration.
struct MigrationBench {
    let folder: TemporaryFolder
    let old: ManagedObjectModel
    let url: URL

    init(
        _ entities: [EntityDescription], name: String = "S.sqlite", location: (URL) -> StoreLocation = { .sqlite($0) },
        tracksHistory: Bool = false, identifiers: [String] = [], _ fill: (ManagedObjectContext) throws -> Void
    ) throws {
        folder = try TemporaryFolder()
        var model = ManagedObjectModel(entities: entities)
        model.versionIdentifiers = identifiers
        old = model
        url = folder.url.appending(path: name)
        var description = PersistentStoreDescription(location(url))
        description.tracksHistory = tracksHistory
        let container = try PersistentContainer(name: "Old", model: old, descriptions: [description])
        try container.loadPersistentStores()
        let context = container.makeContext()
        try fill(context)
        try context.save()
        for store in container.persistentStoreCoordinator.persistentStores {
            try container.persistentStoreCoordinator.remove(store)
        }
    }

    /// The names of all files beside the store.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    /// Writes versions of a model. The last one is the current one.
    func write(_ versions: KeyValuePairs<String, [EntityDescription]>) throws -> URL {
        let url = folder.url.appending(path: "App.xcdatamodeld")
        let named = versions.map { NamedModel(name: $0.key, model: ManagedObjectModel(entities: $0.value)) }
        try ManagedObjectModel.write(named, current: versions.last?.key ?? "", to: url, as: .xcdatamodeld)
        return url
    }

    /// The findings of a check of the store.
    func findings(_ entities: [EntityDescription]) throws -> [Diagnostic] {
        var findings = DiagnosticCollector()
        let schema = try ManagedObjectModel(entities: entities).resolved()
        try StoreCheck(SQLiteStore.open(path: url.path, schema: schema, readOnly: true)).run(&findings)
        return findings.diagnostics.filter { $0.severity == .error }
    }

    /// Replaces the store.
    @discardableResult
    func migrate(
        to entities: [EntityDescription], output: URL? = nil, _ change: (inout StoreMigrationOptions) -> Void = { _ in }
    ) throws -> StoreMigrationReport {
        var options = StoreMigrationOptions()
        change(&options)
        let report = try StoreMigration(to: ManagedObjectModel(entities: entities), options: options)
            .run(path: url.path, model: nil, output: output?.path)
        if let refusal = report.refusal { throw refusal }
        return report
    }

    /// The objects, one a line, sorted: `Book/p1 title=A pages=Page/p1,Page/p2`.
    func lines(_ entities: [EntityDescription], at other: URL? = nil) throws -> [String] {
        let store = try SQLiteStore.open(
            path: (other ?? url).path, schema: try ManagedObjectModel(entities: entities).resolved(), readOnly: true)
        return try Self.lines(MigrationContent(store))
    }

    static func lines(_ content: MigrationContent) throws -> [String] {
        content.objects.map { name, object in
            let values =
                object.values.map { "\($0.key)=\($0.value)" }
                + object.links.filter { !$0.value.isEmpty }.map { "\($0.key)=\($0.value.joined(separator: ","))" }
            return ([name] + values.sorted()).joined(separator: " ")
        }.sorted()
    }

    /// The problems of a refused migration: `Book.title 2 missing`.
    func problems(
        to entities: [EntityDescription], _ change: (inout StoreMigrationOptions) -> Void = { _ in }
    ) throws -> [String] {
        var options = StoreMigrationOptions()
        change(&options)
        let before = try Data(contentsOf: url)
        let report = try StoreMigration(to: ManagedObjectModel(entities: entities), options: options)
            .run(path: url.path, model: nil, output: nil)
        guard report.refusal != nil else { return [] }
        guard try Data(contentsOf: url) == before else { return ["the store changed"] }
        return Self.lines(report.problems)
    }

    static func lines(_ problems: [StoreMigrationReport.Problem]) -> [String] {
        problems.map { problem in
            "\([problem.entity, problem.property].compactMap(\.self).joined(separator: ".")) \(problem.count) \(problem.code)"
        }
    }
}

extension EntityDescription {
    func renamed(from old: String) -> EntityDescription {
        var entity = self
        entity.renamingIdentifier = old
        return entity
    }
}
