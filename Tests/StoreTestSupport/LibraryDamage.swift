package import GranaryBase
import Testing

/// A damage of a ``CheckedLibrary``, and the finding of a check.
package struct LibraryDamage: Sendable, CustomTestStringConvertible {
    package let sql: String
    package let code: Diagnostic.Code
    package let table: String?
    package let key: Int64?

    package init(_ sql: String, _ code: Diagnostic.Code, _ table: String?, _ key: Int64?) {
        self.sql = sql
        self.code = code
        self.table = table
        self.key = key
    }

    package var testDescription: String { sql }

    package static let all: [LibraryDamage] = [
        // Tables and columns.
        LibraryDamage("DROP TABLE ZPRIZE", .storeLayout, "ZPRIZE", nil),
        LibraryDamage(
            "ALTER TABLE ZBOOK RENAME COLUMN ZTITLE TO ZT", .storeLayout, "ZBOOK", nil),
        LibraryDamage(
            "ALTER TABLE ZTAG RENAME COLUMN ZNAME TO ZT; ALTER TABLE ZTAG ADD COLUMN ZNAME INTEGER", .storeLayout,
            "ZTAG", nil),
        LibraryDamage("DROP TABLE ZPRIZE; CREATE VIEW ZPRIZE AS SELECT 1", .storeLayout, "ZPRIZE", nil),
        LibraryDamage(
            "DROP TABLE ZPRIZE; CREATE TABLE ZPRIZE (Z_PK TEXT PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                + "Z1PRIZES INTEGER, ZNAME VARCHAR) WITHOUT ROWID; INSERT INTO ZPRIZE VALUES ('x', 5, 1, 1, '')",
            .storeLayout, "ZPRIZE", nil),
        LibraryDamage("DROP INDEX ZBOOK_ZAUTHOR_INDEX", .storeLayout, "ZBOOK", nil),
        LibraryDamage("DROP INDEX Z_Book_UNIQUE_isbn", .storeLayout, "ZBOOK", nil),
        // Numbers.
        LibraryDamage(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 3", .storeCorrupt, "Z_PRIMARYKEY", 3),
        LibraryDamage(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_ENT = 4", .storeLayout, "Z_PRIMARYKEY", 4),
        LibraryDamage(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 'x' WHERE Z_ENT = 6", .storeCorrupt, "Z_PRIMARYKEY", 6),
        LibraryDamage(
            "UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_ENT = 4", .storeLayout, "Z_PRIMARYKEY", 4),
        LibraryDamage(
            "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Buch' WHERE Z_ENT = 3", .storeLayout, "Z_PRIMARYKEY", 3),
        LibraryDamage("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 5", .storeLayout, "Z_PRIMARYKEY", 5),
        LibraryDamage(
            "INSERT INTO Z_PRIMARYKEY VALUES (1000, 'Other', 0, 0)", .storeLayout, "Z_PRIMARYKEY", 1000),
        // Rows.
        LibraryDamage("UPDATE ZTAG SET Z_ENT = 1000000000 WHERE Z_PK = 2", .storeCorrupt, "ZTAG", 2),
        LibraryDamage("UPDATE ZTAG SET Z_ENT = NULL WHERE Z_PK = 2", .storeCorrupt, "ZTAG", 2),
        LibraryDamage("UPDATE ZTAG SET Z_OPT = NULL WHERE Z_PK = 2", .storeCorrupt, "ZTAG", 2),
        LibraryDamage("UPDATE ZTAG SET Z_OPT = 0 WHERE Z_PK = 2", .storeCorrupt, "ZTAG", 2),
        LibraryDamage("INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (-4, 6, 1)", .storeCorrupt, "ZTAG", -4),
        // References and links.
        LibraryDamage(
            "UPDATE ZBADGE SET ZBOOK = 99", .relationshipNotFound, "ZBADGE", 1),
        LibraryDamage("UPDATE ZBOOK SET ZAUTHOR = 99 WHERE Z_PK = 3", .relationshipNotFound, "ZBOOK", 3),
        LibraryDamage("UPDATE ZBOOK SET ZAUTHOR = 'x' WHERE Z_PK = 3", .relationshipNotFound, "ZBOOK", 3),
        LibraryDamage("UPDATE ZBADGE SET Z3_BOOK = 4", .storeCorrupt, "ZBADGE", 1),
        LibraryDamage("UPDATE ZBADGE SET Z3_BOOK = 70", .storeCorrupt, "ZBADGE", 1),
        LibraryDamage(
            "UPDATE ZBOOK SET ZBADGE = NULL", .storeCorrupt, "ZBADGE", 1),
        LibraryDamage(
            "INSERT INTO ZBADGE (Z_PK, Z_ENT, Z_OPT, ZBOOK, Z3_BOOK) VALUES (2, 2, 1, 1, 3)", .storeCorrupt,
            "ZBADGE", 2),
        LibraryDamage("UPDATE ZPRIZE SET Z1PRIZES = 9", .relationshipNotFound, "ZPRIZE", 1),
        LibraryDamage(
            "INSERT INTO Z_3TAGS VALUES (2, 9, 2048)", .relationshipNotFound, "Z_3TAGS", 2),
        LibraryDamage(
            "INSERT INTO Z_3TAGS VALUES (9, 2, 2048)", .relationshipNotFound, "Z_3TAGS", 2),
        LibraryDamage(
            "CREATE TABLE t AS SELECT * FROM Z_3TAGS; INSERT INTO t SELECT * FROM Z_3TAGS; DROP TABLE Z_3TAGS; "
                + "ALTER TABLE t RENAME TO Z_3TAGS", .storeCorrupt, "Z_3TAGS", 1),
        // Order.
        LibraryDamage("UPDATE ZBOOK SET Z_FOK_AUTHOR = NULL WHERE Z_PK = 2", .storeCorrupt, "ZBOOK", 2),
        LibraryDamage("UPDATE ZBOOK SET Z_FOK_AUTHOR = 5", .storeCorrupt, "ZBOOK", 2),
        LibraryDamage("UPDATE Z_3TAGS SET Z_FOK_6TAGS = 5", .storeCorrupt, "Z_3TAGS", 1),
        // Values.
        LibraryDamage("UPDATE ZBOOK SET ZPAGES = 0 WHERE Z_PK = 1", .valueTooSmall, "ZBOOK", 1),
        LibraryDamage("UPDATE ZBOOK SET ZTITLE = NULL WHERE Z_PK = 2", .valueMissing, "ZBOOK", 2),
        LibraryDamage("UPDATE ZBOOK SET ZPAGES = x'00' WHERE Z_PK = 1", .storeCorrupt, "ZBOOK", 1),
        LibraryDamage("UPDATE ZBOOK SET ZAUTHOR = NULL WHERE Z_PK = 2", .valueMissing, "ZBOOK", 2),
        LibraryDamage(
            "DROP INDEX Z_Book_UNIQUE_isbn; UPDATE ZBOOK SET ZISBN = 'a' WHERE Z_PK = 2", .uniqueDuplicate, "ZBOOK",
            2),
        // External data.
        LibraryDamage("UPDATE ZBOOK SET ZCOVER = x'09' WHERE Z_PK = 1", .storeCorrupt, "ZBOOK", 1),
        LibraryDamage("UPDATE ZBOOK SET ZCOVER = x'0241' WHERE Z_PK = 1", .storeCorrupt, "ZBOOK", 1),
        LibraryDamage(
            "UPDATE ZBOOK SET ZCOVER = CAST(char(2) || '619F5BBC-799D-44E4-8B9F-49AC950CD416' || char(0) AS BLOB) "
                + "WHERE Z_PK = 1", .storeCorrupt, "ZBOOK", 1),
        // History.
        LibraryDamage(
            "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES "
                + "(1, 16001, 0, 3, 1, 77)", .storeCorrupt, "ACHANGE", 1),
        LibraryDamage(
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (4, 16002, 1.5)", .storeCorrupt,
            "Z_PRIMARYKEY", 16_002),
        LibraryDamage(
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 'x')", .storeCorrupt,
            "ATRANSACTION", 1),
        LibraryDamage(
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 1.5); INSERT INTO ACHANGE (Z_PK, "
                + "Z_ENT, ZCHANGETYPE, ZENTITY, ZTRANSACTIONID) VALUES (1, 16001, 0, 3, 1)", .storeCorrupt,
            "ACHANGE", 1),
        // The database.
        LibraryDamage("UPDATE Z_METADATA SET Z_PLIST = x'00'", .storeCorrupt, "Z_METADATA", nil),
        LibraryDamage(
            "INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA", .storeLayout, "Z_METADATA", nil),
        LibraryDamage(
            "UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'", .storeCorrupt, "Z_MODELCACHE", nil),
    ]
}
