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

@Suite("Checks of stores") struct StoreCheckTests {
    @Test("A sound store has no findings")
    func sound() throws {
        let report = try CheckedLibrary().check()
        #expect(report.findings.map(\.described.description) == [])
        #expect(report.model == .given)
    }

    @Test(
        "Each damage is found, with its table, its key and advice",
        arguments: LibraryDamage.all)
    func damage(_ damage: LibraryDamage) throws {
        let library = try CheckedLibrary()
        try library.execute(damage.sql)
        let findings = try library.check()
        let found = findings.findings.first { finding in
            finding.diagnostic.code == damage.code && finding.table == damage.table && finding.key == damage.key
        }
        let text = findings.findings.map(\.described.description).joined(separator: "\n")
        #expect(found != nil, "\(text)")
        // Nobody should change a Core Data store with SQL.
        let sql = /\b(UPDATE|DELETE|INSERT|CREATE|ALTER|DROP|REINDEX)\b/
        #expect(findings.findings.allSatisfy { $0.advice?.contains(sql) != true }, "\(text)")
        #expect(found?.advice?.isEmpty == false)
    }

    @Test("A single unknown entity name is a warning: such a store can be opened")
    func formerName() throws {
        let library = try CheckedLibrary()
        try library.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Buch' WHERE Z_ENT = 3")
        let one = try library.check()
        #expect(one.errorCount == 0 && one.warningCount == 1, "\(one.findings)")
        try library.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Autor' WHERE Z_ENT = 1")
        #expect(try library.check().errorCount == 2)
    }

    @Test("The number of listed findings is limited; the count is not")
    func bounded() throws {
        let library = try CheckedLibrary()
        try library.execute("UPDATE ZTAG SET Z_OPT = 0; UPDATE ZBOOK SET Z_OPT = 0")
        let report = try StoreChecker.check(path: library.folder.storePath, given: CheckedLibrary.model, limit: 2)
        #expect(report.findings.count == 2)
        #expect(report.count == 5 && report.errorCount == 5)
    }

    @Test("A damaged row does not hide other findings")
    func brokenRow() throws {
        let library = try CheckedLibrary()
        try library.execute("UPDATE ZBOOK SET Z_OPT = -5 WHERE Z_PK = 1; UPDATE ZBOOK SET ZPAGES = 0 WHERE Z_PK = 3")
        let codes = try library.check().findings.map { [$0.diagnostic.code.rawValue, "\($0.key ?? 0)"] }
        #expect(codes == [["store.corrupt", "1"], ["value.tooSmall", "3"]])
    }

    @Test("Another model is reported, and the rest is checked with the store's model")
    func otherModel() throws {
        let library = try CheckedLibrary()
        try library.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 3")
        var other = CheckedLibrary.model
        other.entities[0].attributes[0].type = .binary
        let report = try library.check(other)
        #expect(report.findings.contains { $0.diagnostic.code == .storeMismatch })
        #expect(report.findings.contains { $0.diagnostic.code == .storeCorrupt && $0.key == 3 })
        #expect(report.model != .given)
    }

    /// The column of a sibling entity may contain values from an earlier version of the model. Core Data never reads
    /// them (SEEN-2, docs/core-data/behaviours.md#seen-in-real-stores).
    @Test("Values in columns of sibling entities are not findings and not members of lists")
    func siblingColumns() throws {
        let folder = try TemporaryFolder()
        // Entity numbers: Base 1, Other 2, Part 3, Owner 4.
        let model = ManagedObjectModel(entities: [
            EntityDescription("Base", [.attribute("name", .string)]),
            EntityDescription("Other", [.attribute("size", .integer16)], superentity: "Base"),
            EntityDescription(
                "Owner", [.toMany("parts", "Part", inverse: "owner", .ordered, .count(2, 2))]),
            EntityDescription("Part", [.toOne("owner", "Owner", inverse: "parts")], superentity: "Base"),
        ])
        let schema = try model.resolved()
        try SQLiteStore.create(path: folder.storePath, schema: schema, tracksHistory: false).publish()
        let connection = try Connection(path: folder.storePath, mode: .readWrite)
        // The row of Other has a value in a column of Part, and an order key that is in use.
        try connection.execute(
            """
            INSERT INTO ZOWNER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 4, 1);
            INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZSIZE, ZOWNER, Z_FOK_OWNER)
            VALUES (1, 2, 1, 5, 1, 2048), (2, 3, 1, NULL, 1, 2048), (3, 3, 1, NULL, 1, 3072);
            UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_SUPER = 0
            """)
        try connection.close()
        let findings = try StoreChecker.check(path: folder.storePath, given: model)
        #expect(findings.findings.map(\.described.description) == [])
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema, readOnly: true)
        let parts = try #require(schema.entity(named: "Owner")?.relationship(named: "parts"))
        var members: [Int64] = []
        try store.readLinks(of: parts, owners: [1]) { members.append($0.destination) }
        try store.readLinks(of: parts, owners: nil) { members.append($0.destination) }
        #expect(members == [2, 3, 2, 3])
    }

    @Test("Links of a relationship that is its own inverse without their other direction are one warning")
    func oneDirection() throws {
        let folder = try TemporaryFolder()
        let model = ManagedObjectModel(entities: [
            EntityDescription("Person", [.toMany("friends", "Person", inverse: "friends", .count(1, 5))])
        ])
        try SQLiteStore.create(path: folder.storePath, schema: try model.resolved()).publish()
        let connection = try Connection(path: folder.storePath, mode: .readWrite)
        try connection.execute(
            """
            INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1);
            INSERT INTO Z_1FRIENDS VALUES (1, 2), (2, 1), (3, 1), (2, 4); UPDATE Z_PRIMARYKEY SET Z_MAX = 4
            """)
        try connection.close()
        let report = try StoreChecker.check(path: folder.storePath)
        #expect(
            report.findings.map(\.described.description) == [
                "warning: Person.friends: 2 links of this relationship, which is its own inverse, are stored in one direction "
                    + "only; the first leads from p2 to p4; in Z_1FRIENDS.REFLEXIVE, owner 2; advice: none is needed: "
                    + "Granary reads such a link in both directions [store.corrupt]"
            ])
    }

    @Test("Links of a relationship that is its own inverse to a missing object are reported once, at the object")
    func missingFriend() throws {
        let folder = try TemporaryFolder()
        let model = ManagedObjectModel(entities: [
            EntityDescription("Person", [.toMany("friends", "Person", inverse: "friends", .count(1, 5))])
        ])
        try SQLiteStore.create(path: folder.storePath, schema: try model.resolved()).publish()
        let connection = try Connection(path: folder.storePath, mode: .readWrite)
        try connection.execute(
            """
            INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
            INSERT INTO Z_1FRIENDS VALUES (1, 2), (2, 1), (1, 99), (99, 1); UPDATE Z_PRIMARYKEY SET Z_MAX = 2
            """)
        try connection.close()
        let findings = try StoreChecker.check(path: folder.storePath).findings.map(\.described.description)
        #expect(findings.count == 1)
        #expect(findings.first?.contains("p1 is linked to p99, which is not an object of Person") == true)
        #expect(findings.first?.contains("set the relationship again") == true)
    }

    /// CloudKit adds 14 tables, their entities and changes of those in the history
    /// (docs/core-data/sqlite-layout.md#primary-keys).
    @Test("A store with the tables of CloudKit has no findings")
    func cloudTables() throws {
        let library = try CheckedLibrary()
        let names = [
            "DatabaseMetadata", "Event", "ExportedObject", "ExportMetadata", "ExportOperation", "HistoryAnalyzerState",
            "ImportOperation", "ImportPendingRelationship", "MetadataEntry", "MirroredRelationship", "RecordMetadata",
            "RecordZoneMetadata", "RecordZoneMoveReceipt", "RecordZoneQuery",
        ]
        for (place, name) in names.enumerated() {
            let table = "ANSCK\(name.uppercased())"
            try library.execute(
                """
                CREATE TABLE \(table) ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
                CREATE INDEX \(table)_ZNAME_INDEX ON \(table) (ZNAME);
                INSERT INTO \(table) VALUES (3, \(17_001 + place), 1, 'x');
                INSERT INTO Z_PRIMARYKEY VALUES (\(17_001 + place), 'NSCK\(name)', 0, 3);
                INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
                VALUES (\(place + 1), 16001, 0, \(17_001 + place), 3, 1)
                """)
        }
        try library.execute(
            """
            INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 7);
            UPDATE Z_PRIMARYKEY SET Z_MAX = 14 WHERE Z_ENT IN (16001, 16002)
            """)
        for model in [nil, CheckedLibrary.model] {
            #expect(try library.check(model).findings.map(\.described.description) == [])
        }
        let summary = try library.summary()
        #expect(summary.problems == [] && summary.leftovers == [] && summary.cloudTables.count == 14)
        #expect(summary.entities.map(\.name) == ["Author", "Badge", "Book", "Novel", "Prize", "Tag"])
        let schema = try CheckedLibrary.model.resolved()
        let store = try SQLiteStore.open(path: library.folder.storePath, schema: schema, readOnly: true)
        let identity = StoreIdentity(identifier: store.identifier, schema: schema)
        #expect(try store.historyTransactions(after: 0, limit: 9, of: identity).map(\.changes.count) == [0])
        #expect(throws: GranaryError.self) { try SQLiteStore.open(path: library.folder.storePath, schema: schema) }
        // Without the embedded model, the inferred one has the same entities.
        try library.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = NULL")
        let inferred = try library.check(nil)
        #expect(inferred.model == .inferred)
        #expect(inferred.findings.allSatisfy { !"\($0)".contains("ANSCK") })
    }

    @Test("A file that no value refers to is a warning")
    func unusedFile() throws {
        let library = try CheckedLibrary()
        let folder = library.folder.url.appending(path: ".Store_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data([1]).write(to: folder.appending(path: "619F5BBC-799D-44E4-8B9F-49AC950CD416"))
        let findings = try library.check()
        #expect(findings.count == 1 && findings.warningCount == 1)
        #expect(try library.summary().external?.unusedFiles == 1)
    }

    @Test("A truncated file is a finding")
    func cutOff() throws {
        let library = try CheckedLibrary()
        try library.execute("INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (3, 6, 1)")
        let path = library.folder.storePath
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes.removeLast(100)
        try bytes.write(to: URL(filePath: path))
        let findings = try library.check()
        #expect(findings.findings.map(\.diagnostic.code) == [.storeCorrupt])
    }

    @Test("A file that lacks whole pages is a finding too", arguments: [1, 2, 5])
    func missingPages(_ pages: Int) throws {
        let library = try CheckedLibrary()
        let path = library.folder.storePath
        let bytes = try Data(contentsOf: URL(filePath: path))
        try bytes.prefix(pages * 4096).write(to: URL(filePath: path))
        let findings = try library.check().findings
        #expect(findings.map(\.diagnostic.code) == [.storeCorrupt] && findings.first?.advice != nil, "\(findings)")
    }

    @Test("An unusable model in the store is reported with its place")
    func brokenCache() throws {
        let library = try CheckedLibrary()
        try library.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'")
        let report = try library.check(nil)
        #expect(report.model == .inferred)
        #expect(report.findings.contains { $0.table == "Z_MODELCACHE" && $0.column == "Z_CONTENT" })
    }

    @Test("Unreadable metadata is reported once")
    func brokenMetadata() throws {
        let library = try CheckedLibrary()
        try library.execute("UPDATE Z_METADATA SET Z_PLIST = x'00'")
        let findings = try library.check(nil)
        #expect(findings.errorCount == 1 && findings.findings.last?.diagnostic.severity == .note)
    }

    @Test("A dangling key is found without a model too")
    func inferredReference() throws {
        let system = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
        let bench = try InferenceBench(
            [("Item", 0), ("OtherItem", 0), ("Owner", 0)],
            """
            CREATE TABLE ZITEM ( \(system), ZOWNER INTEGER ); CREATE TABLE ZOWNER ( \(system) );
            CREATE TABLE ZOTHERITEM ( \(system), ZNER INTEGER ); CREATE INDEX ZITEM_ZOWNER_INDEX ON ZITEM (ZOWNER);
            CREATE INDEX ZOTHERITEM_ZNER_INDEX ON ZOTHERITEM (ZNER);
            INSERT INTO ZITEM VALUES (1, 1, 1, 7), (2, 1, 1, 8), (3, 1, 1, 99);
            INSERT INTO ZOTHERITEM VALUES (1, 2, 1, 7), (2, 2, 1, 8), (3, 2, 1, 'x');
            INSERT INTO ZOWNER VALUES (7, 3, 1), (8, 3, 1); UPDATE Z_PRIMARYKEY SET Z_MAX = 8
            """)
        // When values are read, the column is a number.
        #expect(try bench.lines().first == "Item: owner Integer 64")
        let found = try StoreChecker.check(path: bench.path).findings
            .filter { $0.diagnostic.code == .relationshipNotFound }
        #expect(found.map(\.table) == ["ZITEM", "ZOTHERITEM"] && found.map(\.key) == [3, 3], "\(found)")
        try bench.execute("UPDATE ZITEM SET ZOWNER = 7 WHERE Z_PK = 3")
        #expect(try bench.lines().first == "Item: owner → Owner")
    }

    @Test(
        "Stores that Core Data wrote are sound", .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"),
        arguments: RealStore.chosen)
    func realStores(_ real: RealStore) throws {
        let folder = try TemporaryFolder()
        let report = try StoreChecker.check(path: try real.copy(to: folder))
        #expect(report.errorCount == 0, "\(report.findings.map(\.described.description))")
        #expect(report.warningCount == 0, "\(report.findings.map(\.described.description))")
        // The inferred model gives a note.
        #expect(report.count == (report.model == .inferred ? 1 : 0))
        // From this framework on, stores contain their models (docs/core-data/sqlite-layout.md#embedded-model).
        #expect(report.model == (real.frameworkVersion >= 637 ? .cache : .inferred))
    }
}
