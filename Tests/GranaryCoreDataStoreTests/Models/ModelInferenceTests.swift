import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import TestSupport
import Testing

@Suite("Models inferred from tables") struct ModelInferenceTests {
    private static let system = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"

    @Test("Every form of column and table in the layout")
    func everything() throws {
        let bench = try InferenceBench(
            [("Node", 0), ("Leaf", 1), ("Tag", 0)],
            """
            CREATE TABLE ZNODE ( \(Self.system), ZENTITY INTEGER, ZPARENT INTEGER, Z1_PARENT INTEGER,
              Z_FOK_PARENT INTEGER, Z3NODES INTEGER, Z_FOK_3NODES INTEGER, ZACCOUNT1 VARCHAR, ZÄRGER VARCHAR,
              ZODD NVARCHAR(10), "ZTWO WORDS" VARCHAR, Zlower VARCHAR, Z9NONE INTEGER );
            CREATE TABLE ZTAG ( \(Self.system), ZNAME VARCHAR );
            CREATE TABLE Z_1TAGS ( Z_1NODES INTEGER, Z_3TAGS INTEGER, Z_FOK_3TAGS INTEGER );
            CREATE TABLE ZLEFTOVER ( ZX );
            INSERT INTO ZNODE (Z_PK, Z_ENT, Z_OPT, ZPARENT, Z1_PARENT, Z_FOK_PARENT, Z3NODES, ZÄRGER)
              VALUES (1, 1, 1, NULL, NULL, NULL, 5, 'a'), (2, 2, 1, 1, 1, 2048, NULL, 'b');
            INSERT INTO ZTAG VALUES (5, 3, 1, 'red');
            INSERT INTO Z_1TAGS VALUES (2, 5, 2048);
            """)
        let model = try bench.read()
        #expect(
            InferenceBench.lines(model.schema) == [
                "Node: Entity Integer 64, account1 String, ärger String, odd String, parent → Node (node_parent), "
                    + "node_parent ⇉ ordered Node (parent), tags ⇉ ordered Tag (Nodes)",
                "Leaf: ", "Tag: name String, nodes ⇉ ordered Node, Nodes ⇉ Node (tags)",
            ])
        #expect(model.schema.entities.map(\.number) == [1, 2, 3])
        let told = model.warnings.map(\.message)
        let expected = [
            "ZNODE.ZODD", "ZNODE.ZTWO WORDS", "ZNODE.Zlower", "ZNODE.Z9NONE", "the table ZLEFTOVER",
            "all properties of its subentities",
        ]
        for part in expected { #expect(told.count { $0.contains(part) } == 1, "\(part)") }
        #expect(told.count == expected.count)

        let store = try SQLiteStore.open(path: bench.path, schema: model.schema, readOnly: true, isInferred: true)
        #expect(try InferenceBench.rowCounts(store).map(\.read) == [1, 1, 1])
        var links: [String] = []
        for entity in model.schema.entities {
            for relationship in entity.relationships where relationship.isToMany && relationship.owner == entity.index {
                try store.readLinks(of: relationship, owners: nil) { link in
                    links.append("\(relationship.name) \(link.owner) \(link.destination)")
                }
            }
        }
        #expect(links == ["node_parent 1 2", "tags 2 5", "nodes 5 1", "Nodes 5 2"])
    }

    @Test(
        "Inverse relationships in one entity, and a relationship that is its own inverse",
        arguments: [
            ("Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER )", "friends ⇉ Node (friends)"),
            ("Z_1ABOVE ( Z_1BELOW INTEGER, Z_1ABOVE INTEGER )", "above ⇉ Node (below), below ⇉ Node (above)"),
            ("Z_1BELOW ( Z_1ABOVE INTEGER, Z_1BELOW1 INTEGER )", "below ⇉ Node (above), above ⇉ Node (below)"),
            ("Z_1OLD ( Z_1ABOVE INTEGER, Z_1BELOW INTEGER )", "below ⇉ Node (above), above ⇉ Node (below)"),
        ])
    func reflexive(_ table: String, _ expected: String) throws {
        let bench = try InferenceBench([("Node", 0)], "CREATE TABLE ZNODE (\(Self.system)); CREATE TABLE \(table)")
        #expect(try bench.lines() == ["Node: " + expected])
        #expect(try bench.read().warnings == [])
    }

    private static let index = "CREATE INDEX any ON ZITEM"

    private static let referenceCases: [(String, String, [String], String?)] = [
        ("ZOWNER", "\(index) (ZOWNER)", ["7", "8"], "owner → Owner"),
        ("ZOWNER", "\(index) (ZOWNER)", ["7", "NULL"], "owner → Owner"), ("ZOWNER", "", ["7", "8"], nil),
        ("ZOWNER", "CREATE UNIQUE INDEX any ON ZITEM (ZOWNER)", ["7", "8"], nil),
        ("ZOWNER", "\(index) (ZOWNER, Z_ENT)", ["7", "8"], nil),
        ("ZOWNER", "\(index) (ZOWNER) WHERE ZOWNER > 0", ["7", "8"], nil),
        ("ZOWNER", "\(index) (ZOWNER + 1)", ["7", "8"], nil),
        ("ZOWNER", "\(index) (ZOWNER)", ["7", "9"], nil), ("ZOWNER", "\(index) (ZOWNER)", ["NULL", "NULL"], nil),
        ("ZOWNER", "\(index) (ZOWNER)", ["7", "'x'"], nil), ("ZOWNER", "\(index) (ZOWNER)", ["7", "7.5"], nil),
        // The name does not count if the values are keys of another table.
        ("ZOWNER", "\(index) (ZOWNER)", ["100", "100"], "owner → Thing"),
        ("ZBOSS", "\(index) (ZBOSS)", ["7", "8"], "boss → Owner"),
        ("ZNER", "\(index) (ZNER)", ["7", "7"], "ner → Owner"), ("ZBOSS", "\(index) (ZBOSS)", ["1", "2"], nil),
    ]

    @Test("An indexed number is a to-one only if its values are conclusive", arguments: referenceCases)
    func references(_ column: String, _ index: String, _ values: [String], _ expected: String?) throws {
        let bench = try InferenceBench(
            [("Item", 0), ("Owner", 0), ("Thing", 0)],
            """
            CREATE TABLE ZITEM ( \(Self.system), \(column) INTEGER ); CREATE TABLE ZOWNER ( \(Self.system) );
            CREATE TABLE ZTHING ( \(Self.system) ); \(index);
            INSERT INTO ZITEM VALUES (1, 1, 1, \(values[0])), (2, 1, 1, \(values[1]));
            INSERT INTO ZOWNER VALUES (7, 2, 1), (8, 2, 1); INSERT INTO ZTHING VALUES (100, 3, 1);
            """)
        let number = "\(column.dropFirst().lowercased()) Integer 64"
        #expect(try bench.lines() == ["Item: " + (expected ?? number), "Owner: ", "Thing: "])
    }

    @Test("A to-one without an entity column refers to an entity without subentities")
    func concreteDestinations() throws {
        let bench = try InferenceBench(
            [("Item", 0), ("Owner", 0), ("Firm", 2)],
            """
            CREATE TABLE ZITEM ( \(Self.system), ZOWNER INTEGER ); CREATE TABLE ZOWNER ( \(Self.system) );
            CREATE INDEX any ON ZITEM (ZOWNER); INSERT INTO ZOWNER VALUES (7, 3, 1), (8, 3, 1), (9, 2, 1);
            INSERT INTO ZITEM VALUES (1, 1, 1, 7), (2, 1, 1, 8);
            """)
        #expect(try bench.lines().first == "Item: owner → Firm")
        try bench.execute("UPDATE ZITEM SET ZOWNER = 9 WHERE Z_PK = 1")
        #expect(try bench.lines().first == "Item: owner Integer 64")
        for number in ["-9223372036854775808", "9223372036854775807", "0"] {
            try bench.execute("UPDATE ZOWNER SET Z_ENT = \(number)")
            #expect(try bench.lines().first == "Item: owner Integer 64", "\(number)")
        }
    }

    private static let file = "02" + InferenceBench.hex(UUID().uuidString.utf8) + "00"

    private static let externalCases: [([String], Bool)] = [
        ([file], true), ([file, "01ff"], true), ([file, "ff"], false), (["01ff"], false),
        ([file, ""], false), ([], false),
    ]

    @Test("Only a value in a file shows that values have a tag byte", arguments: externalCases)
    func externalData(_ values: [String], _ expected: Bool) throws {
        let bench = try InferenceBench([("Item", 0)], "CREATE TABLE ZITEM ( \(Self.system), ZDATA BLOB )")
        for value in values.map(Optional.some) + [nil] {
            let value = value.map { "X'\($0)'" } ?? "NULL"
            try bench.execute("INSERT INTO ZITEM (Z_ENT, Z_OPT, ZDATA) VALUES (1, 1, \(value))")
        }
        let attribute = try #require(try bench.read().schema.entities[0].attribute(named: "data"))
        #expect(attribute.description.allowsExternalBinaryDataStorage == expected)
    }

    @Test(
        "Tables that do not correspond to a model are refused",
        arguments: [
            "DELETE FROM Z_PRIMARYKEY", "UPDATE Z_PRIMARYKEY SET Z_ENT = 9 WHERE Z_ENT = 2",
            "UPDATE Z_PRIMARYKEY SET Z_ENT = 1", "UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT",
            "UPDATE Z_PRIMARYKEY SET Z_SUPER = 2 WHERE Z_ENT = 1", "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT",
            "UPDATE Z_PRIMARYKEY SET Z_SUPER = -1", "UPDATE Z_PRIMARYKEY SET Z_SUPER = 9223372036854775807",
            "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Item'", "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL",
            "UPDATE Z_PRIMARYKEY SET Z_NAME = CAST(X'ff' AS TEXT)",
            "UPDATE Z_PRIMARYKEY SET Z_NAME = 'two words' WHERE Z_ENT = 2; CREATE TABLE \"ZTWO WORDS\" (\(system))",
            "UPDATE Z_PRIMARYKEY SET Z_NAME = 'x\" --' WHERE Z_ENT = 2; CREATE TABLE \"ZX\"\" --\" (\(system))",
            "DROP TABLE ZITEM", "DROP TABLE ZITEM; CREATE VIEW ZITEM AS SELECT 1 AS Z_PK, 1 AS Z_ENT, 1 AS Z_OPT",
            "DROP TABLE ZITEM; CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY)",
            "ALTER TABLE Z_PRIMARYKEY RENAME COLUMN Z_SUPER TO Z_OTHER",
            """
            WITH RECURSIVE n (i) AS (VALUES (3) UNION ALL SELECT i + 1 FROM n WHERE i < 16000)
            INSERT INTO Z_PRIMARYKEY SELECT i, 'E' || i, 0, 0 FROM n; INSERT INTO Z_PRIMARYKEY VALUES (0, 'E0', 0, 0)
            """,
        ])
    func refusals(_ sql: String) throws {
        let bench = try InferenceBench(
            [("Item", 0), ("Owner", 0)],
            "CREATE TABLE ZITEM ( \(Self.system), ZX INTEGER ); CREATE TABLE ZOWNER ( \(Self.system) )")
        #expect(try bench.lines().count == 2)
        try bench.execute(sql)
        let error = #expect(throws: GranaryError.self) { try bench.read() }
        #expect(error?.code == .refused)
    }

    @Test("A join table is recognised by its two columns, whichever entity names it")
    func namedByEither() throws {
        for table in ["Z_1OWNERS", "Z_2ITEMS", "Z_7ANY"] {
            let bench = try InferenceBench(
                [("Item", 0), ("Owner", 0)],
                """
                CREATE TABLE ZITEM ( \(Self.system) ); CREATE TABLE ZOWNER ( \(Self.system) );
                CREATE TABLE \(table) ( Z_2OWNERS INTEGER, Z_1ITEMS INTEGER, Z_FOK_1ITEMS INTEGER );
                INSERT INTO ZITEM VALUES (3, 1, 1), (4, 1, 1); INSERT INTO ZOWNER VALUES (7, 2, 1);
                INSERT INTO \(table) VALUES (7, 4, 1), (7, 3, 2)
                """)
            // Z_2OWNERS holds the keys of owners.
            #expect(
                try bench.lines() == ["Item: owners ⇉ Owner (items)", "Owner: items ⇉ ordered Item (owners)"],
                "\(table)")
            #expect(try bench.read().warnings == [])
            let model = try bench.read()
            let store = try SQLiteStore.open(path: bench.path, schema: model.schema, readOnly: true, isInferred: true)
            var found: [[Int64]] = []
            let items = try #require(model.schema.entity(named: "Owner")?.relationship(named: "items"))
            try store.readLinks(of: items, owners: nil) { found.append([$0.owner, $0.destination]) }
            #expect(found == [[7, 4], [7, 3]])
        }
    }

    @Test("Inconsistent join tables are left out")
    func lyingJoinTables() throws {
        let bench = try InferenceBench(
            [("Item", 0), ("Owner", 0)],
            """
            CREATE TABLE ZITEM ( \(Self.system) ); CREATE TABLE ZOWNER ( \(Self.system) );
            CREATE TABLE "Z_1 OWNERS" ( Z_1ITEMS INTEGER, Z_2OWNERS INTEGER );
            CREATE TABLE Z_1OTHERS ( Z_1ITEMS INTEGER, ZOTHERS INTEGER );
            CREATE TABLE Z_1A ( Z_1B INTEGER, Z_2A INTEGER, Z_2C INTEGER );
            CREATE TABLE Z_1D ( Z_1E INTEGER, Z_7D INTEGER ); CREATE TABLE Z_9F ( Z_9G INTEGER, Z_9F INTEGER );
            CREATE TABLE Z_1H ( Z_1I INTEGER, Z_2H INTEGER, ZMORE INTEGER );
            """)
        #expect(try bench.lines() == ["Item: ", "Owner: "])
        #expect(try bench.read().warnings.count == 6)
    }

    @Test("Reserved names, and columns whose names differ in case")
    func names() throws {
        let bench = try InferenceBench(
            [("Item", 0)],
            """
            CREATE TABLE ZITEM ( \(Self.system), ZHASH INTEGER, ZDESCRIPTION VARCHAR, Z_ID VARCHAR, ZSTRASSE VARCHAR,
              ZSTRAßE VARCHAR, ZİD VARCHAR, Z VARCHAR, OTHER VARCHAR )
            """)
        #expect(
            try bench.lines() == ["Item: Hash Integer 64, Description String, _id String, strasse String, İD String"])
        #expect(try bench.read().warnings.count == 3)
    }
}
