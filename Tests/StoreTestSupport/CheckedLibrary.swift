import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
package import GranaryInspection
package import GranaryModel
import GranarySQLite
package import TestSupport

/// A sound store with a relationship of each kind, and helpers to damage it.
package struct CheckedLibrary {
    package let folder: TemporaryFolder

    /// Entity numbers: Author 1, Badge 2, Book 3, Novel 4, Prize 5, Tag 6.
    package static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Author",
            [
                .attribute("name", .string, .required), .toMany("books", "Book", inverse: "author", .ordered),
                .toMany("prizes", "Prize", inverse: nil),
            ]),
        EntityDescription(
            "Badge", [.attribute("text", .string), .toOne("book", "Book", inverse: "badge")]),
        EntityDescription(
            "Book",
            [
                .attribute("title", .string, .required, .length(1...20)), .attribute("isbn", .string),
                .attribute("pages", .integer16, .minimum(1)), .attribute("cover", .binary, .externalStorage),
                .toOne("author", "Author", inverse: "books", .required),
                .toOne("badge", "Badge", inverse: "book"), .toMany("tags", "Tag", inverse: "books", .ordered),
            ], unique: [["isbn"]]),
        EntityDescription("Novel", [.attribute("plot", .string)], superentity: "Book"),
        EntityDescription("Prize", [.attribute("name", .string)]),
        EntityDescription("Tag", [.attribute("name", .string), .toMany("books", "Book", inverse: "tags")]),
    ])

    package init() throws {
        folder = try TemporaryFolder()
        try SQLiteStore.create(path: folder.storePath, schema: try Self.model.resolved(), tracksHistory: true).publish()
        try execute(
            """
            INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Ann'), (2, 1, 1, 'Bob');
            INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZAUTHOR, Z_FOK_AUTHOR, ZBADGE, ZISBN, ZTITLE, ZPAGES, ZCOVER) VALUES
            (1, 3, 1, 1, 2048, 1, 'a', 'One', 10, x'0142'), (2, 4, 1, 1, 3072, NULL, 'b', 'Two', 20, NULL),
            (3, 3, 1, 2, 2048, NULL, NULL, 'Three', NULL, NULL);
            INSERT INTO ZBADGE (Z_PK, Z_ENT, Z_OPT, ZBOOK, Z3_BOOK) VALUES (1, 2, 1, 1, 3);
            INSERT INTO ZPRIZE (Z_PK, Z_ENT, Z_OPT, Z1PRIZES) VALUES (1, 5, 1, 1);
            INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 6, 1), (2, 6, 1);
            INSERT INTO Z_3TAGS (Z_3BOOKS, Z_6TAGS, Z_FOK_6TAGS) VALUES (1, 1, 2048), (1, 2, 3072);
            UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_ENT WHEN 1 THEN 2 WHEN 2 THEN 1 WHEN 3 THEN 3 WHEN 5 THEN 1
            WHEN 6 THEN 2 ELSE 0 END;
            """)
    }

    /// Changes the store with SQL.
    package func execute(_ sql: String) throws {
        let connection = try Connection(path: folder.storePath, mode: .readWrite)
        try connection.execute(sql)
        try connection.close()
    }

    package func check(_ model: ManagedObjectModel? = Self.model) throws -> StoreCheckReport {
        try StoreChecker.check(path: folder.storePath, given: model)
    }

    package func summary(_ model: ManagedObjectModel? = Self.model) throws -> StoreSummary {
        try StoreInspector(path: folder.storePath).summary(given: model)
    }
}
