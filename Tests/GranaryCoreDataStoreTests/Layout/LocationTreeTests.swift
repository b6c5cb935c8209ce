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

/// R-trees from user info (docs/core-data/sqlite-layout.md#r-trees).
@Suite("R-trees of locations") struct LocationTreeTests {
    private static func model(
        _ components: UserInfoValue = "latitude, longitude", entity: String = "Asset"
    ) -> ManagedObjectModel {
        var asset = EntityDescription(
            entity,
            [
                .attribute("latitude", .double), .attribute("longitude", .double), .attribute("name", .string),
                .attribute("boundedByRect", .undefined, .transient),
            ])
        asset.attributes[3].userInfo["_NSLocationAttributeDerivedComponents"] = components
        return ManagedObjectModel(entities: [asset])
    }

    private struct Vectors: Decodable {
        struct Case: Decodable {
            let what: String
            let entity: String
            let sql: [String]?
        }

        let userInfo: [Case]
    }

    @Test(
        "Tables and triggers are those of public stores",
        .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"),
        arguments: ["latitude, longitude", ["latitude", "longitude"]] as [UserInfoValue])
    func vectors(_ components: UserInfoValue) throws {
        let data = try Data(contentsOf: try SharedFiles.url("coredata/fetch-index-vectors.json"))
        let cases = try JSONDecoder().decode(Vectors.self, from: data).userInfo.filter { $0.what.hasPrefix("R-tree") }
        #expect(cases.count >= 4)
        for vector in cases {
            let folder = try TemporaryFolder()
            let schema = try Self.model(components, entity: vector.entity).resolved()
            let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
            let objects = try store.connection.schema()
            let place = try #require(objects.firstIndex { $0.name.hasPrefix("Z_RT_") })
            #expect(objects[place..<place + 7].map { $0.sql ?? "" } == vector.sql)
            #expect(objects[place + 7].name == "Z_PRIMARYKEY")
        }
    }

    @Test(
        "Other user info gives a warning and no R-tree",
        arguments: ["latitude", "latitude, name", "latitude, nothing", 3, ["latitude"], "a, b, c"] as [UserInfoValue])
    func otherComponents(_ components: UserInfoValue) throws {
        let folder = try TemporaryFolder()
        let schema = try Self.model(components).resolved()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        #expect(try !store.connection.schema().contains { $0.name.hasPrefix("Z_RT_") })
        #expect(SQLiteStore.creationWarnings(for: schema).count == 1)
    }

    private static func batch(_ rows: [(key: Int64, latitude: Double?, longitude: Double?)], _ schema: Schema)
        -> RowBatch
    {
        let entity = schema.entities[0]
        var batch = RowBatch()
        for row in rows {
            let place = batch.appendRow(entity: 0, key: row.key, version: 1, slotCount: entity.slotCount)
            for (name, value) in [("latitude", row.latitude), ("longitude", row.longitude)] {
                guard let value, let slot = entity.attribute(named: name)?.slot else { continue }
                batch[place, slot] = .real(value)
            }
        }
        return batch
    }

    /// The keys in the R-tree whose box contains the coordinates of their row.
    private static func found(_ connection: Connection) throws -> [Int64] {
        let statement = try connection.prepare(
            """
            SELECT r.Z_PK FROM Z_RT_Asset_boundedByRect r JOIN ZASSET a ON a.Z_PK = r.Z_PK
            WHERE IFNULL(a.ZLATITUDE, 0) BETWEEN r.ZLATITUDE_MIN AND r.ZLATITUDE_MAX
            AND IFNULL(a.ZLONGITUDE, 0) BETWEEN r.ZLONGITUDE_MIN AND r.ZLONGITUDE_MAX ORDER BY 1
            """)
        var keys: [Int64] = []
        while try statement.step() { keys.append(statement.integer(at: 0)) }
        #expect(try connection.integer("SELECT COUNT(*) FROM Z_RT_Asset_boundedByRect") == Int64(keys.count))
        return keys
    }

    @Test("Inserts, updates and deletions keep the R-tree right; the page loader does not bypass it")
    func rows() throws {
        let folder = try TemporaryFolder()
        let schema = try Self.model().resolved()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        try store.transaction { writer in
            #expect(throws: GranaryError.self) { try writer.chooseLoader(.pages) }
            try writer.chooseLoader(nil)
            try writer.insert(
                Self.batch([(1, 48.137154, 11.576124), (2, -33.8, 151.2), (3, nil, nil), (4, 0.1, nil)], schema))
            try writer.bulk?.finishRows()
            #expect(writer.bulk?.usedLoaders == [.sql])
        }
        #expect(try Self.found(store.connection) == [1, 2, 3, 4])
        try store.transaction { writer in
            try writer.update(Self.batch([(2, 90, -180), (3, 12.5, 7)], schema))
            try writer.delete(entity: 0, keys: [1])
        }
        #expect(try Self.found(store.connection) == [2, 3, 4])
        try store.publish()
        let again = try SQLiteStore.open(path: folder.storePath, schema: schema)
        try again.transaction { writer in try writer.insert(Self.batch([(9, 1, 1)], schema)) }
        #expect(try Self.found(again.connection) == [2, 3, 4, 9])
    }

    @Test("Nodes of an R-tree are no leftovers and no findings; quoted triggers of old stores are Core Data's")
    func inspection() throws {
        let folder = try TemporaryFolder()
        let path = folder.storePath
        try SQLiteStore.create(path: path, schema: try Self.model().resolved()).publish()
        #expect(try StoreChecker.check(path: path).findings.isEmpty)
        let summary = try StoreInspector(path: path).summary()
        #expect(summary.leftovers == [] && summary.problems == [] && summary.derivedTriggers.count == 3)

        let connection = try Connection(path: path, mode: .readWrite)
        let name = "Z_RT_Asset_boundedByRect_DELETE"
        let sql = try #require(try connection.schema().first { $0.name == name }?.sql)
        try connection.execute("DROP TRIGGER \(name)")
        #expect(
            try StoreChecker.check(path: path).findings.map(\.diagnostic.message)
                == ["the trigger \(name), which updates an R-tree, is missing"])
        try connection.execute(sql.replacing("ON ZASSET", with: "ON  \"ZASSET\""))
        #expect(try StoreInspector(path: path).summary().problems == [])
        _ = try SQLiteStore.open(path: path, schema: try Self.model().resolved())
    }

    @Test("A migrated store whose R-tree has no triggers is read and checked, but not written")
    func withoutTriggers() throws {
        let folder = try TemporaryFolder()
        let path = folder.storePath
        let schema = try Self.model().resolved()
        try SQLiteStore.create(path: path, schema: schema).publish()
        let connection = try Connection(path: path, mode: .readWrite)
        for event in ["INSERT", "UPDATE", "DELETE"] {
            try connection.execute("DROP TRIGGER Z_RT_Asset_boundedByRect_\(event)")
        }
        #expect(try StoreChecker.check(path: path).findings.isEmpty)
        #expect(try StoreInspector(path: path).summary().remarks.contains { $0.contains("has no triggers") })
        _ = try SQLiteStore.open(path: path, schema: schema, readOnly: true)
        let error = #expect(throws: GranaryError.self) { try SQLiteStore.open(path: path, schema: schema) }
        #expect(error?.diagnostics.first?.message.contains("has no triggers") == true)

        // Without the R-tree nothing becomes outdated.
        try connection.execute("DROP TABLE Z_RT_Asset_boundedByRect")
        _ = try SQLiteStore.open(path: path, schema: schema)
        #expect(
            try StoreChecker.check(path: path).findings.map(\.diagnostic.message)
                == ["the R-tree Z_RT_Asset_boundedByRect is missing"])
    }

    @Test("A store whose R-tree is missing, but not its triggers, is not written")
    func withoutTree() throws {
        let folder = try TemporaryFolder()
        let path = folder.storePath
        let schema = try Self.model().resolved()
        try SQLiteStore.create(path: path, schema: schema).publish()
        // Triggers stay when a table that they only name in their statements is dropped.
        try Connection(path: path, mode: .readWrite).execute("DROP TABLE Z_RT_Asset_boundedByRect")
        let message = "the R-tree Z_RT_Asset_boundedByRect is missing, but its triggers exist: no row can be written"
        #expect(try StoreChecker.check(path: path).findings.map(\.diagnostic.message) == [message])
        let error = #expect(throws: GranaryError.self) { try SQLiteStore.open(path: path, schema: schema) }
        #expect(error?.diagnostics.first?.message.contains("is missing but its triggers exist") == true)
    }

    @Test("A trigger with the name of an R-tree's and other statements is foreign")
    func foreignTrigger() throws {
        let folder = try TemporaryFolder()
        let schema = try Self.model().resolved()
        try SQLiteStore.create(path: folder.storePath, schema: schema).publish()
        try Connection(path: folder.storePath, mode: .readWrite).execute(
            """
            DROP TRIGGER Z_RT_Asset_boundedByRect_DELETE;
            CREATE TRIGGER Z_RT_Asset_boundedByRect_DELETE AFTER DELETE ON ZASSET FOR EACH ROW BEGIN
            DELETE FROM Z_RT_Asset_boundedByRect ; END
            """)
        #expect(throws: GranaryError.self) { try SQLiteStore.open(path: folder.storePath, schema: schema) }
        #expect(try StoreInspector(path: folder.storePath).summary().problems.count == 1)
    }

    @Test("Triggers may write to virtual tables only if these are the model's R-trees, and the store is to be written")
    func trust() throws {
        let folder = try TemporaryFolder()
        let schema = try Self.model().resolved()
        let plain = try ManagedObjectModel(entities: [EntityDescription("A", [.attribute("a", .string)])]).resolved()
        let plainPath = folder.url.appending(path: "Plain.sqlite").path
        #expect(try !SQLiteStore.create(path: plainPath, schema: plain).connection.trustsSchema)
        let path = folder.storePath
        let new = try SQLiteStore.create(path: path, schema: schema)
        #expect(new.connection.trustsSchema)
        try new.publish()
        #expect(new.connection.trustsSchema)
        #expect(try SQLiteStore.open(path: path, schema: schema).connection.trustsSchema)
        #expect(try !SQLiteStore.open(path: path, schema: schema, readOnly: true).connection.trustsSchema)
        try Connection(path: path, mode: .readWrite).execute("CREATE VIRTUAL TABLE other USING RTREE (id, a, b)")
        #expect(try !SQLiteStore.open(path: path, schema: schema).connection.trustsSchema)
    }

    @Test("A store without a model does not take the nodes of an R-tree for entities")
    func inferred() throws {
        let folder = try TemporaryFolder()
        try SQLiteStore.create(path: folder.storePath, schema: try Self.model().resolved()).publish()
        try Connection(path: folder.storePath, mode: .readWrite).execute("DELETE FROM Z_MODELCACHE")
        let model = try StoreModel.read(path: folder.storePath)
        #expect(model.source == .inferred && model.schema.entities.map(\.name) == ["Asset"])
        #expect(!model.warnings.contains { $0.message.contains("Z_RT_") }, "\(model.warnings)")
        #expect(try StoreInspector(path: folder.storePath).summary().problems == [])
    }
}
