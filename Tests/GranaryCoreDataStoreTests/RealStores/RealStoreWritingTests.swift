import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Writing into stores that Core Data wrote", .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
struct RealStoreWritingTests {
    /// The bookkeeping rows that new objects change: the last keys of entities and history tables.
    private static func isLastKey(_ line: String) -> Bool { line.hasPrefix("Z_PRIMARYKEY: ") }

    @Test("Existing rows are unchanged in every table", arguments: RealStore.chosenWithCaches)
    func nothingElseChanges(_ real: RealStore) throws {
        let folder = try TemporaryFolder()
        let path = try real.copy(to: folder)
        let before = try TableDump(path: path)
        let schema = try StoreModel.read(path: path).schema
        let store = try SQLiteStore.open(path: path, schema: schema)
        let hasHistory = before.rows["ATRANSACTION"] != nil
        let context = try PersistentContainer(store: store).makeContext()
        let samples = try SampleObjects(in: context)
        try context.save()

        let after = try TableDump(path: path)
        #expect(after.objects == before.objects)
        #expect(after.pragmas == before.pragmas)
        let lost = before.lost(in: after)
        #expect(lost.filter { !Self.isLastKey($0) } == [])
        let roots = Set(samples.objects.values.map { schema.entities[$0.entity.root].name }).count
        #expect(lost.count <= roots + (hasHistory ? 3 : 0))
        for entity in schema.entities where entity.superentity == nil {
            let table = "Z" + entity.name.uppercased()
            let new = samples.objects.values.count { $0.entity.root == entity.index }
            #expect((after.rows[table]?.count ?? 0) - (before.rows[table]?.count ?? 0) == new, "\(table)")
        }
        if hasHistory {
            let (old, new) = (before.rows["ATRANSACTION"]?.count ?? 0, after.rows["ATRANSACTION"]?.count ?? 0)
            #expect(new == old + 1)
            #expect((after.rows["ACHANGE"]?.count ?? 0) - (before.rows["ACHANGE"]?.count ?? 0) >= samples.objects.count)
        }
        try Self.expectSound(path, schema)
    }

    @Test("New members of an ordered list come after the old ones")
    func orderedLists() throws {
        var lists = 0
        for real in RealStore.withCaches {
            var sets = 0
            func samples(in context: ManagedObjectContext) throws -> SampleObjects {
                sets += 1
                return try SampleObjects(in: context, set: sets)
            }
            let folder = try TemporaryFolder()
            let path = try real.copy(to: folder)
            let schema = try StoreModel.read(path: path).schema
            let context = try PersistentContainer(
                store: try SQLiteStore.open(path: path, schema: schema)
            ).makeContext()
            for entity in schema.entities where !entity.isAbstract {
                for relationship in entity.relationships
                where relationship.isToMany && relationship.description.isOrdered && relationship.isPersistent {
                    // Most stores have no objects of the entity.
                    if try context.fetchAll(entity.name).isEmpty {
                        _ = try samples(in: context)
                        try context.save()
                    }
                    let owner = try #require(try context.fetchAll(entity.name).first)
                    let old = try owner.objects(forKey: relationship.name).map(\.objectID)
                    let new = try samples(in: context)
                    let kinds = schema.entities[relationship.destination].family.map { schema.entities[$0].name }
                    let member = try #require(kinds.compactMap { new.objects[$0] }.first)
                    try owner.setObjects(
                        try owner.objects(forKey: relationship.name) + [member], forKey: relationship.name)
                    try context.save()
                    context.reset()
                    let again = try #require(try context.lookUpObject(with: owner.objectID))
                    let ids = try again.objects(forKey: relationship.name).map(\.objectID)
                    #expect(ids == old + [member.objectID], "\(real) \(entity.name).\(relationship.name)")
                    lists += 1
                }
            }
        }
        #expect(lists > 0)
    }

    /// Checks that there are no new findings.
    private static func expectSound(_ path: String, _ schema: Schema) throws {
        var collector = DiagnosticCollector()
        try StoreCheck(try SQLiteStore.open(path: path, schema: schema, readOnly: true)).run(&collector)
        #expect(collector.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
    }
}
