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

/// Attributes with a trigger key (docs/core-data/sqlite-layout.md#trigger-keys).
@Suite("Trigger keys") struct TriggerKeyTests {
    private static func model(
        visible: String = "(asset.state == 0) && (asset.hidden == NO)",
        count: String = "(faces.hidden == NO) && (faces.visible == YES) && (faces.size != 0)"
    ) -> ManagedObjectModel {
        var face = EntityDescription(
            "Face",
            [
                .attribute("hidden", .boolean), .attribute("size", .double), .attribute("visible", .integer16),
                .toOne("asset", "Asset", inverse: "faces"), .toOne("person", "Person", inverse: "faces"),
            ])
        face.attributes[2].userInfo["NSTriggerKey"] = .string(visible)
        var person = EntityDescription(
            "Person", [.attribute("count", .integer32), .toMany("faces", "Face", inverse: "person")])
        person.attributes[0].userInfo["NSTriggerKey"] = .string(count)
        return ManagedObjectModel(entities: [
            EntityDescription(
                "Asset",
                [
                    .attribute("state", .integer16), .attribute("hidden", .boolean),
                    .toMany("faces", "Face", inverse: "asset"),
                ]), face, person,
        ])
    }

    @Test(
        "Conditions whose statements are not known give a warning and no triggers",
        arguments: [
            "asset.state == 0 || asset.hidden == NO", "asset.state > 0", "asset.state == nil", "state == 0",
            "asset.name == 'a'", "asset.state == 0 && person.count == 1", "asset.faces.hidden == NO",
            "asset.other == 1",
            "asset ==", "ANY asset.state == 0", "0 == asset.state",
        ])
    func unknown(_ predicate: String) throws {
        let folder = try TemporaryFolder()
        let schema = try Self.model(visible: predicate).resolved()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        #expect(try store.connection.schema().filter { $0.name.hasPrefix("ZT_ZFACE") } == [])
        #expect(try store.connection.schema().filter { $0.name.hasPrefix("ZT_ZPERSON") }.count == 7)
        let warnings = SQLiteStore.creationWarnings(for: schema)
        #expect(warnings.map(\.property) == ["visible"])
    }

    @Test("The numbers follow inserts, updates, links and deletions; such a store is written and sound")
    func numbers() throws {
        let folder = try TemporaryFolder()
        let schema = try Self.model().resolved()
        #expect(SQLiteStore.creationWarnings(for: schema) == [])
        try SQLiteStore.create(path: folder.storePath, schema: schema).publish()
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema)
        let connection = store.connection
        func counts() throws -> [Int64] {
            // The trigger keys, computed once more.
            let wrong = try connection.integer(
                """
                SELECT (SELECT COUNT(*) FROM ZFACE f WHERE IFNULL(f.ZVISIBLE, 0) !=
                (SELECT COUNT(*) FROM ZASSET a WHERE a.Z_PK = f.ZASSET AND a.ZSTATE = 0 AND a.ZHIDDEN = 0))
                + (SELECT COUNT(*) FROM ZPERSON p WHERE IFNULL(p.ZCOUNT, 0) != (SELECT COUNT(*) FROM ZFACE f
                WHERE f.ZPERSON = p.Z_PK AND f.ZHIDDEN = 0 AND f.ZVISIBLE = 1 AND f.ZSIZE != 0))
                """)
            #expect(wrong == 0)
            let statement = try connection.prepare("SELECT IFNULL(ZCOUNT, 0) FROM ZPERSON ORDER BY Z_PK")
            var found: [Int64] = []
            while try statement.step() { found.append(statement.integer(at: 0)) }
            return found
        }
        try connection.execute(
            """
            INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1), (2, 3, 1);
            INSERT INTO ZASSET (Z_PK, Z_ENT, Z_OPT, ZSTATE, ZHIDDEN) VALUES (1, 1, 1, 0, 0), (2, 1, 1, 0, 1);
            INSERT INTO ZFACE (Z_PK, Z_ENT, Z_OPT, ZVISIBLE, ZHIDDEN, ZSIZE, ZASSET, ZPERSON)
            VALUES (1, 2, 1, 0, 0, 1.0, 1, 1), (2, 2, 1, 0, 0, 1.0, 2, 1), (3, 2, 1, 0, 1, 1.0, 1, 2);
            """)
        #expect(try counts() == [1, 0])
        try connection.execute("UPDATE ZASSET SET ZHIDDEN = 0 WHERE Z_PK = 2")
        #expect(try counts() == [2, 0])
        try connection.execute("UPDATE ZFACE SET ZPERSON = 2 WHERE Z_PK = 1")
        #expect(try counts() == [1, 1])
        try connection.execute(
            "UPDATE ZFACE SET ZHIDDEN = 0 WHERE Z_PK = 3; UPDATE ZFACE SET ZASSET = NULL WHERE Z_PK = 1")
        #expect(try counts() == [1, 1])
        try connection.execute("DELETE FROM ZFACE WHERE Z_PK = 2; UPDATE ZASSET SET ZSTATE = 1")
        #expect(try counts() == [0, 0])
        // The statements above gave out keys themselves.
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 3")
        #expect(try StoreInspector(path: folder.storePath).summary().problems == [])
        #expect(try StoreChecker.check(path: folder.storePath).findings.isEmpty)
    }

    @Test("A missing trigger is a finding, and the store is not written")
    func missingTrigger() throws {
        let folder = try TemporaryFolder()
        let path = folder.storePath
        let schema = try Self.model().resolved()
        try SQLiteStore.create(path: path, schema: schema).publish()
        let name = "ZT_ZFACE_ZVISIBLE_ZASSET_INSERT_INCREMENT"
        try Connection(path: path, mode: .readWrite).execute("DROP TRIGGER \(name)")
        #expect(
            try StoreChecker.check(path: path).findings.map(\.diagnostic.message)
                == ["the trigger \(name), which updates an attribute with a trigger key (NSTriggerKey), is missing"])
        let error = #expect(throws: GranaryError.self) { try SQLiteStore.open(path: path, schema: schema) }
        #expect(error?.diagnostics.first?.message.contains(name) == true)
        _ = try SQLiteStore.open(path: path, schema: schema, readOnly: true)
    }

    @Test("Between suspendCounts and resumeCounts given values stay; then the triggers are the same again")
    func suspended() throws {
        let folder = try TemporaryFolder()
        let schema = try Self.model().resolved()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        let objects = Set(try store.connection.schema())
        try store.transaction { writer in
            try writer.bulk?.suspendCounts(includingTimes: false)
            try store.connection.execute("INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZCOUNT) VALUES (1, 3, 1, 7)")
            try writer.bulk?.resumeCounts()
        }
        #expect(try store.connection.integer("SELECT ZCOUNT FROM ZPERSON") == 7)
        #expect(try Set(store.connection.schema()) == objects)
        try store.connection.execute("INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZCOUNT) VALUES (2, 3, 1, 7)")
        #expect(try store.connection.integer("SELECT ZCOUNT FROM ZPERSON WHERE Z_PK = 2") == 0)
    }

    @Test("A trigger of such a name that sets another column is foreign")
    func foreignTrigger() throws {
        let folder = try TemporaryFolder()
        let schema = try Self.model().resolved()
        try SQLiteStore.create(path: folder.storePath, schema: schema).publish()
        try Connection(path: folder.storePath, mode: .readWrite).execute(
            """
            CREATE TRIGGER ZT_ZFACE_ZSIZE AFTER INSERT ON ZASSET FOR EACH ROW BEGIN UPDATE ZFACE SET ZSIZE = 0 WHERE
            ZASSET = NEW.Z_PK; SELECT NSCoreDataTriggerUpdateAffectedObjectValue('ZFACE', Z_ENT, Z_PK, 'ZSIZE', ZSIZE)
            FROM ZFACE WHERE ZASSET = NEW.Z_PK; END
            """)
        #expect(throws: GranaryError.self) { try SQLiteStore.open(path: folder.storePath, schema: schema) }
        _ = try SQLiteStore.open(path: folder.storePath, schema: schema, readOnly: true)
    }

    @Test(
        "Indexes, R-tree and triggers of a new Photos library are the real one's",
        .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func photosLibrary() throws {
        let real = try #require(RealStore.all.first { $0.path.hasSuffix("Photos-13.5-empty.sqlite") })
        let folder = try TemporaryFolder()
        let path = try real.copy(to: folder)
        let found = try StoreModel.read(path: path)
        #expect(found.source == .cache)
        let ours = folder.url.appending(path: "ours.sqlite").path
        try SQLiteStore.create(path: ours, schema: found.schema).publish()
        func statements(_ path: String, _ belongs: (SchemaObject) -> Bool) throws -> [String] {
            try Connection(path: path, mode: .readOnly).schema().filter(belongs).compactMap(\.sql)
        }
        // Fetch indexes are named after the entity.
        let entities = Set(found.schema.entities.map(\.name))
        func isFetchIndex(_ object: SchemaObject) -> Bool {
            object.type == "index" && object.name.hasPrefix("Z_")
                && entities.contains(String(object.name.dropFirst(2).prefix { $0 != "_" }))
        }
        let indexes = try statements(path, isFetchIndex)
        #expect(indexes.count > 100 && indexes.contains { $0.contains(" WHERE ") && $0.contains("(Z_") == false })
        #expect(try statements(ours, isFetchIndex) == indexes)
        func isTriggerOrTree(_ object: SchemaObject) -> Bool {
            object.type == "trigger" || object.name.hasPrefix("Z_RT_")
        }
        let triggers = try statements(path, isTriggerOrTree)
        #expect(triggers.count == 25)
        #expect(try statements(ours, isTriggerOrTree) == triggers)
        #expect(SQLiteStore.creationWarnings(for: found.schema).filter { !$0.message.contains("join table") } == [])
    }
}
