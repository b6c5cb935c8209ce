import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranarySQLite
import TestSupport
import Testing
@testable import GranaryMigration
@testable import SeedingTestSupport

/// Migrations of generated stores against a twin that changes one object after the other.
@Suite struct GeneratedMigrationTests {
    @Test(arguments: 0..<UInt64(40))
    func `A migrated store has the objects of the twin`(_ seed: UInt64) throws {
        try Self.compare(seed: seed)
    }

    static func compare(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let new = folder.url.appending(path: "New.sqlite").path
        try compare(seed: seed, in: folder) { migration, newer, model, old in
            try old.publish()
            let report = try migration.run(path: old.path, model: model, output: new)
            if let refusal = report.refusal { throw refusal }
            guard !report.isCurrent else { return nil }
            let store = try SQLiteStore.open(path: new, schema: try newer.resolved(), readOnly: true)
            // The tables are those of a new store.
            let empty = try SQLiteStore.create(
                path: folder.url.appending(path: "Empty.sqlite").path, schema: store.schema)
            #expect(try store.connection.schema().map(\.sql) == empty.connection.schema().map(\.sql))
            return store
        }
    }

    /// Compares a migration of a generated store with the twin.
    ///
    /// - Parameter migrate: migrates the store from the second model to the first, and opens the result; nil if there is
    ///   nothing to do.
    static func compare(
        seed: UInt64, in folder: TemporaryFolder, isSound: Bool = false,
        _ migrate: (StoreMigration, ManagedObjectModel, ManagedObjectModel, SQLiteStore) throws -> (any StoreBackend)?
    ) throws {
        var random = SeededGenerator(seed: seed)
        let hasComposites = seed % 3 == 0
        let generated = GeneratedModel(hasKeys: seed % 4 >= 2, hasComposites: hasComposites, &random)
        let old = try GeneratedStore(seed: seed, in: folder, hasComposites: hasComposites, isSound: isSound).store
        var twin = MigrationTwin(
            generated.model, generated.pairs, try MigrationContent(old), seed: seed)
        try twin.change(1 + Int(seed % 6))
        guard try twin.model.resolved().versionHashes != generated.model.resolved().versionHashes else { return }
        var options = StoreMigrationOptions()
        options.allowsDrop = true
        options.invalidObjects = .keep
        options.duplicateRules = twin.duplicateRules
        let store: any StoreBackend
        do {
            guard
                let new = try migrate(
                    StoreMigration(to: twin.model, options: options), twin.model, generated.model, old)
            else { return }
            store = new
        } catch {
            Issue.record("seed \(seed), \(twin.changes): \(error)")
            return
        }
        var (found, expected) = (try MigrationContent(store), twin.content)
        let ordered = Set(
            twin.model.entities.flatMap(\.relationships).filter(\.isOrdered).map(\.name)
        ).subtracting(twin.unordered)
        // Names in lists without an order are sorted, and some objects have new names.
        for name in expected.objects.keys {
            for link in expected.objects[name]?.links.keys.filter({ !ordered.contains($0) }) ?? [] {
                expected.objects[name]?.links[link]?.sort()
                found.objects[name]?.links[link]?.sort()
            }
        }
        #expect(Set(found.objects.keys) == Set(expected.objects.keys), "\(twin.changes)")
        for (name, object) in expected.objects.sorted(by: { $0.key < $1.key }) where found.objects[name] != object {
            Issue.record(
                "\(name), seed \(seed), \(twin.changes): \(object) became \(String(describing: found.objects[name]))")
            return
        }
        #expect(store.identifier == old.identifier)
    }
}
