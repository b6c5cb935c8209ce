import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPropertyLists
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Inspecting a store") struct StoreInspectorTests {
    @Test("Entities are listed with their properties")
    func entities() throws {
        let summary = try CheckedLibrary().summary()
        #expect(summary.entities.map(\.name) == ["Author", "Badge", "Book", "Novel", "Prize", "Tag"])
        #expect(summary.entities.map(\.count) == [2, 1, 2, 1, 1, 2])
        #expect(summary.entities[3].parent == "Book")
        #expect(summary.entities[3].attributes?.map(\.column).contains("ZPLOT") == true)
        let books = try #require(summary.entities[0].relationships?.first { $0.name == "books" })
        #expect(books.toMany && books.ordered && books.inverse == "author" && books.destination == "Book")
        #expect(summary.fits == true && summary.model == .given && summary.differences.isEmpty)
        #expect(summary.system == "macOS 15 / iOS 18")
        #expect(summary.leftovers.isEmpty && summary.warnings.isEmpty, "\(summary.leftovers) \(summary.warnings)")
        #expect(summary.external?.columns == ["ZBOOK.ZCOVER"] && summary.external?.inlineValues == 1)
        #expect(summary.history?.transactions == 0)
    }

    @Test("A model that does not match is reported")
    func otherModel() throws {
        var other = CheckedLibrary.model
        other.entities[4].attributes[0].type = .binary
        other.entities[5].name = "Label"
        other.entities[2].relationships[2].destinationEntityName = "Label"
        let summary = try CheckedLibrary().summary(other)
        #expect(summary.fits == false && summary.model != .given)
        let kinds = Dictionary(summary.differences.map { ($0.entity, $0.what.rawValue) }) { first, _ in first }
        #expect(
            kinds["Prize"] == "hash differs" && kinds["Tag"] == "only in store" && kinds["Label"] == "only in model")
        #expect(summary.entities.map(\.count) == [2, 1, 2, 1, 1, 2])
        guard summary.model == .cache else { return }
        let properties = summary.differences.first { $0.entity == "Prize" }?.properties
        #expect(properties?.map(\.name) == ["name"])
    }

    @Test(
        "Damage gives a warning",
        arguments: [
            ("UPDATE Z_METADATA SET Z_PLIST = x'00'", "Z_PLIST"), ("DROP TABLE ZTAG", "ZTAG"),
            ("UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'", ""), ("UPDATE ZTAG SET Z_ENT = 1e9", "Z_ENT 1000000000"),
            ("CREATE TRIGGER t AFTER INSERT ON ZTAG BEGIN DELETE FROM ZBOOK; END", "trigger"),
            ("INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA", "Z_METADATA has 2 rows"),
        ])
    func damage(sql: String, warning: String) throws {
        let library = try CheckedLibrary()
        try library.execute(sql)
        let summary = try library.summary(nil)
        #expect(summary.entities.count == 6)
        #expect(warning.isEmpty || summary.warnings.contains { $0.contains(warning) }, "\(summary.warnings)")
    }

    @Test("A truncated file gives a warning")
    func cutOff() throws {
        let library = try CheckedLibrary()
        let path = library.folder.storePath
        try Data(contentsOf: URL(filePath: path)).dropLast(100).write(to: URL(filePath: path))
        #expect(try library.summary().warnings.contains { $0.contains("truncated") })
    }

    /// Keys that Core Data leaves after a migration or writes from framework 1513 on
    /// (docs/core-data/sqlite-layout.md#metadata).
    @Test("Core Data's own keys are kept, and are not keys of the app")
    func metadataOfCoreData() throws {
        let library = try CheckedLibrary()
        let path = library.folder.storePath
        let keys = [
            "NSPersistenceMaximumFrameworkVersion", "_NSStoreAncillaryModelVersionHashesMetadataKey",
            "migrationManagerClass",
        ]
        let schema = try CheckedLibrary.model.resolved()
        var metadata = try SQLiteStore.open(path: path, schema: schema, readOnly: true).metadata
        metadata.entries += [
            PropertyListEntry(keys[0], .integer(1522)), PropertyListEntry(keys[1], .dictionary([])),
            PropertyListEntry(keys[2], .string("NSSQLiteInPlaceMigrationManager")),
            PropertyListEntry("AppKey", .string("a")),
        ]
        let connection = try Connection(path: path, mode: .readWrite)
        try connection.withStatement("UPDATE Z_METADATA SET Z_PLIST = ?") { statement in
            try metadata.propertyList().withUnsafeBufferPointer { try statement.bindBlob($0, at: 1) }
            try statement.run()
        }
        try connection.close()
        #expect(try library.summary().userKeys == ["AppKey"])
        #expect(try library.check().findings.map(\.described.description) == [])
        let store = try SQLiteStore.open(path: path, schema: schema)
        try store.setUserMetadata([PropertyListEntry("Other", .integer(1))])
        let kept = try SQLiteStore.open(path: path, schema: schema, readOnly: true).metadata.entries.map(\.key)
        #expect(keys.allSatisfy(kept.contains) && kept.contains("Other") && !kept.contains("AppKey"))
    }

    @Test("Leftovers of migrations are reported")
    func leftovers() throws {
        let library = try CheckedLibrary()
        try library.execute("CREATE TABLE ZOLD (Z_PK INTEGER PRIMARY KEY); CREATE INDEX ZOLD_INDEX ON ZBOOK (ZPAGES)")
        #expect(try library.summary().leftovers == ["table ZOLD", "index ZOLD_INDEX"])
        try library.execute("CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY)")
        #expect(try library.summary().cloudTables == ["ANSCKRECORDMETADATA"])
    }

    @Test(
        "Stores that Core Data wrote", .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"),
        arguments: RealStore.chosen)
    func realStores(_ real: RealStore) throws {
        let folder = try TemporaryFolder()
        let path = try real.copy(to: folder)
        let summary = try StoreInspector(path: path).summary()
        #expect(summary.frameworkVersion == Int64(real.frameworkVersion))
        #expect(summary.problems == [])
        // One of these stores was migrated several times. Photos makes two indexes by itself
        // (docs/core-data/sqlite-layout.md#order-key-indexes).
        var left: [String] = []
        if path.hasSuffix("store2-96-0.wiredatabase") {
            left = [25, 24, 23].map { "index Z_\($0)TRUSTEDCLIENTS_Z_\($0)TRUSTEDCLIENTS_INDEX" }
        } else if path.hasSuffix("Photos-13.5-empty.sqlite") {
            left = ["index RADAR_22158684_INDEX", "index RADAR_10322662_INDEX"]
        }
        #expect(summary.leftovers == left)
        #expect(summary.entities.allSatisfy { $0.count != nil && $0.hash?.count == 32 })
        guard path.hasSuffix("SampleModel2_V2.sqlite") else { return }
        #expect(summary.history?.transactions == 1 && summary.history?.changes == 126)
        #expect(summary.derivedTriggers.count == 5)
        #expect(summary.entities.map(\.count) == [2, 1, 3, 119, 0, 1])
    }

    @Test(
        "An entity that a migration has renamed", .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func renamed() throws {
        let folder = try TemporaryFolder()
        let real = try #require(RealStore.all.first { $0.path.hasSuffix("SampleModel_V2.sqlite") })
        let entity = try StoreInspector(path: try real.copy(to: folder)).summary().entities[2]
        #expect(entity.name == "LuxuryCar" && entity.storedName == "ExpensiveSportCar" && entity.count == 5)
    }
}
