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

@Suite("Rows written by old frameworks and migrations") struct OldTablesTests {
    private func open(_ library: CheckedLibrary) throws -> SQLiteStore {
        try SQLiteStore.open(
            path: library.folder.storePath, schema: try CheckedLibrary.model.resolved(), readOnly: true)
    }

    @Test("A link that occurs twice in a table without a primary key is one link")
    func repeatedLinks() throws {
        let library = try CheckedLibrary()
        try library.execute(
            """
            DROP TABLE Z_3TAGS; CREATE TABLE Z_3TAGS (Z_3BOOKS, Z_6TAGS, Z_FOK_6TAGS);
            INSERT INTO Z_3TAGS VALUES (1, 1, 1), (1, 2, 2), (1, 2, 2), (2, 2, NULL), (2, 2, NULL)
            """)
        let store = try open(library)
        for (entity, name) in [("Book", "tags"), ("Tag", "books")] {
            let relationship = try #require(store.schema.entity(named: entity)?.relationship(named: name))
            var links: [[Int64]] = []
            try store.readLinks(of: relationship, owners: nil) { links.append([$0.owner, $0.destination]) }
            #expect(links == [[1, 1], entity == "Book" ? [1, 2] : [2, 1], [2, 2]])
        }
    }

    @Test("A reference without an entity number gets the entity of the destination's row")
    func entityOfAReference() throws {
        let library = try CheckedLibrary()
        try library.execute(
            """
            UPDATE ZBADGE SET ZBOOK = 2, Z3_BOOK = NULL;
            INSERT INTO ZBADGE (Z_PK, Z_ENT, Z_OPT, ZBOOK) VALUES (2, 2, 1, 99), (3, 2, 1, NULL)
            """)
        let store = try open(library)
        let badge = try #require(store.schema.entity(named: "Badge"))
        let slot = try #require(badge.relationship(named: "book")).slot
        let batch = try store.read(root: badge.index, keys: [1, 2, 3])
        // The row is a novel; there is no row, so the model's destination; no reference.
        #expect(batch[0, slot] == .reference(key: 2, entity: 3))
        #expect(batch[1, slot] == .reference(key: 99, entity: 2))
        #expect(batch[2, slot] == .null)
    }

    @Test("Rows without an entity are counted")
    func strayRows() throws {
        let library = try CheckedLibrary()
        #expect(try open(library).strayRows(read: [:]).isEmpty)
        try library.execute(
            "UPDATE ZBOOK SET Z_ENT = 9 WHERE Z_PK = 1; UPDATE ZBOOK SET Z_ENT = NULL WHERE Z_PK = 2;"
                + "UPDATE ZTAG SET Z_ENT = 3 WHERE Z_PK = 1")
        let found = try open(library).strayRows(read: [:])
        #expect(found.map(\.table) == ["ZBOOK", "ZTAG"])
        #expect(found.map(\.count) == [2, 1])
    }

    /// An export tells how many rows it has read, so that the rows need not be read again.
    @Test("Rows without an entity are counted beside the rows that were read", arguments: [true, false])
    func strayRowsBesideOthers(_ isDamaged: Bool) throws {
        let library = try CheckedLibrary()
        if isDamaged {
            try library.execute(
                "UPDATE ZBOOK SET Z_ENT = 9 WHERE Z_PK = 1; UPDATE ZTAG SET Z_ENT = NULL WHERE Z_PK = 2")
        }
        let store = try open(library)
        var read: [Int: Int] = [:]
        for entity in store.schema.entities {
            var count = 0
            try store.reading {
                try store.read(entities: entity.index..<entity.index + 1, batchSize: 2) { batch in
                    count += batch.rows.count
                    return true
                }
            }
            read[entity.index] = count
        }
        let found = try store.strayRows(read: read)
        #expect(found.map(\.table) == (isDamaged ? ["ZBOOK", "ZTAG"] : []))
        #expect(found.map(\.count) == (isDamaged ? [1, 1] : []))
        // One entity of a table is not enough to know.
        read[2] = nil
        let others = try store.strayRows(read: read)
        #expect(others.map(\.table) == found.map(\.table))
    }

    @Test("A missing trigger of a derived attribute is reported")
    func missingTrigger() throws {
        let folder = try TemporaryFolder()
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Book",
                [.attribute("count", .integer64, .derived("pages.@count")), .toMany("pages", "Page", inverse: "book")]),
            EntityDescription(
                "Page",
                [
                    .attribute("owner", .string, .derived("book.title")), .attribute("upper", .string),
                    .toOne("book", "Book", inverse: "pages"),
                ]),
        ])
        var whole = model
        whole.entities[0].attributes.append(AttributeDescription(name: "title", type: .string))
        let store = try SQLiteStore.create(path: folder.storePath, schema: try whole.resolved())
        try store.publish()
        #expect(try StoreChecker.check(path: folder.storePath).count == 0)
        let triggers = try store.connection.schema().filter { $0.type == "trigger" }.map(\.name)
        for name in triggers where !name.hasSuffix("PARAMETER_DELETE") {
            let sql = try #require(try store.connection.schema().first { $0.name == name }?.sql)
            try store.connection.execute("DROP TRIGGER \(name)")
            let found = try StoreChecker.check(path: folder.storePath).findings
            #expect(found.map(\.diagnostic.severity) == [.warning])
            #expect(found.first?.advice != nil)
            try store.connection.execute(sql)
        }
        #expect(triggers.count > 6)
    }
}
