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

@Suite("Names in the layout") struct StoreLayoutTests {
    /// The SQL of a new store for entities.
    private func objects(_ entities: [EntityDescription]) throws -> [String: String] {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.create(
            path: folder.storePath, schema: try ManagedObjectModel(entities: entities).resolved())
        return Dictionary(try store.connection.schema().map { ($0.name, $0.sql ?? "") }) { first, _ in first }
    }

    @Test("Equal upper-case names get a digit each")
    func equalNames() throws {
        let objects = try objects([
            EntityDescription("A", [.attribute("name", .string), .attribute("Name", .string)]),
            EntityDescription("B", [.attribute("NAME", .string)], superentity: "A"),
            EntityDescription("C", [.attribute("nAME", .integer16), .attribute("_pk", .string)], superentity: "A"),
        ])
        #expect(
            objects["ZA"]
                == "CREATE TABLE ZA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME3 INTEGER, "
                + "ZNAME VARCHAR, ZNAME1 VARCHAR, ZNAME2 VARCHAR, Z_PK1 VARCHAR )")
    }

    @Test("Names that resemble Core Data's internal names get a digit")
    func reservedNames() throws {
        let objects = try objects([
            EntityDescription("_metadata", [.attribute("a", .string)]),
            EntityDescription(
                "Post", [.attribute("_fok_owner", .string), .toOne("owner", "User", inverse: "posts")]),
            EntityDescription(
                "User",
                [
                    .toMany("posts", "Post", inverse: "owner", .ordered), .toMany("tags", "Post", inverse: nil),
                    .toMany("Tags", "Post", inverse: nil),
                ]),
        ])
        #expect(objects["Z_METADATA"]?.contains("Z_PLIST") == true)
        #expect(objects["Z_METADATA1"]?.contains("ZA VARCHAR") == true)
        #expect(
            objects["ZPOST"] == "CREATE TABLE ZPOST ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZOWNER "
                + "INTEGER, Z3TAGS INTEGER, Z_FOK_OWNER1 INTEGER, Z3TAGS1 INTEGER, Z_FOK_OWNER VARCHAR )")
    }

    @Test("Two indexes whose names differ only in case")
    func indexNames() throws {
        var entity = EntityDescription("A", [.attribute("x", .string, .indexed), .attribute("y", .string)])
        entity.fetchIndexes = [
            FetchIndexDescription(name: "x", elements: [.init(propertyName: "x", isAscending: false)]),
            FetchIndexDescription(name: "X", elements: [.init(propertyName: "y")]),
        ]
        let objects = try objects([entity])
        #expect(objects["Z_A_x"] == "CREATE INDEX Z_A_x ON ZA (ZX COLLATE BINARY DESC)")
        #expect(objects["Z_A_X1"] == "CREATE INDEX Z_A_X1 ON ZA (ZY COLLATE BINARY ASC)")
    }

    @Test("Join tables: equal names of inverses, order columns, a relationship that is its own inverse")
    func joinTables() throws {
        let objects = try objects([
            EntityDescription(
                "Message", [.toMany("users", "User", inverse: "messages", .ordered)]),
            EntityDescription("Reaction", [.toMany("users", "User", inverse: "reactions")]),
            EntityDescription(
                "User",
                [
                    .toMany("messages", "Message", inverse: "users", .ordered),
                    .toMany("reactions", "Reaction", inverse: "users"),
                    .toMany("friends", "User", inverse: "friends"),
                ]),
        ])
        #expect(
            objects["Z_1USERS"]
                == "CREATE TABLE Z_1USERS ( Z_1MESSAGES INTEGER, Z_3USERS INTEGER, Z_FOK_1MESSAGES INTEGER, "
                + "Z_FOK_3USERS INTEGER, PRIMARY KEY (Z_1MESSAGES, Z_3USERS) )")
        #expect(
            objects["Z_2USERS"] == "CREATE TABLE Z_2USERS ( Z_2REACTIONS INTEGER, Z_3USERS1 INTEGER, PRIMARY KEY "
                + "(Z_2REACTIONS, Z_3USERS1) )")
        #expect(
            objects["Z_3FRIENDS"] == "CREATE TABLE Z_3FRIENDS ( Z_3FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY "
                + "(Z_3FRIENDS, REFLEXIVE) )")
        #expect(
            objects["Z_1USERS_Z_3USERS_INDEX"]
                == "CREATE INDEX Z_1USERS_Z_3USERS_INDEX ON Z_1USERS (Z_3USERS, Z_1MESSAGES)")
    }

    @Test("The join table names of an existing file are used")
    func joinTablesOfAFile() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Client",
                [
                    .toMany("trusted", "Client", inverse: "trustedBy"),
                    .toMany("trustedBy", "Client", inverse: "trusted"),
                    .toMany("users", "User", inverse: "clients"),
                ]),
            EntityDescription("Group", [.toMany("users", "User", inverse: "groups")]),
            EntityDescription(
                "User", [.toMany("clients", "Client", inverse: "users"), .toMany("groups", "Group", inverse: "users")]),
        ])
        let schema = try model.resolved()
        let folder = try TemporaryFolder()
        try SQLiteStore.create(path: folder.storePath, schema: schema).publish()
        // Other names that Core Data may write.
        do {
            let connection = try Connection(path: folder.storePath, mode: .readWrite)
            try connection.execute(
                """
                DROP TABLE Z_1TRUSTEDBY; DROP TABLE Z_1USERS; DROP TABLE Z_2USERS;
                CREATE TABLE Z_1TRUSTED ( Z_1TRUSTED INTEGER, Z_1TRUSTEDBY INTEGER, PRIMARY KEY (Z_1TRUSTED, Z_1TRUSTEDBY) );
                CREATE TABLE Z_1USERS ( Z_1CLIENTS INTEGER, Z_3USERS1 INTEGER, PRIMARY KEY (Z_1CLIENTS, Z_3USERS1) );
                CREATE TABLE Z_2USERS ( Z_2GROUPS INTEGER, Z_3USERS INTEGER, PRIMARY KEY (Z_2GROUPS, Z_3USERS) );
                INSERT INTO ZCLIENT (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
                INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT) VALUES (7, 3, 1);
                INSERT INTO Z_1TRUSTED (Z_1TRUSTED, Z_1TRUSTEDBY) VALUES (2, 1);
                INSERT INTO Z_1USERS VALUES (1, 7);
                """)
        }
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema)
        func links(_ entity: Int, _ name: String) throws -> [[Int64]] {
            var found: [[Int64]] = []
            let relationship = try #require(schema.entities[entity].relationship(named: name))
            try store.readLinks(of: relationship, owners: nil) { found.append([$0.owner, $0.destination]) }
            return found
        }
        // A column is named after the relationship that refers to its keys: 1 trusts 2.
        #expect(try links(0, "trusted") == [[1, 2]])
        #expect(try links(0, "trustedBy") == [[2, 1]])
        #expect(try links(0, "users") == [[1, 7]])
        #expect(try links(2, "clients") == [[7, 1]])
        #expect(try links(1, "users") == [])
    }

    /// The links of a relationship of entity 1 after the file is changed.
    private func links(
        _ names: [String], _ entities: [EntityDescription], _ sql: String
    ) throws -> [String: [[Int64]]] {
        let schema = try ManagedObjectModel(entities: entities).resolved()
        let folder = try TemporaryFolder()
        try SQLiteStore.create(path: folder.storePath, schema: schema).publish()
        do {
            let connection = try Connection(path: folder.storePath, mode: .readWrite)
            try connection.execute(sql)
        }
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema)
        var found: [String: [[Int64]]] = [:]
        for name in names {
            let relationship = try #require(schema.entities[0].relationship(named: name))
            try store.readLinks(of: relationship, owners: nil) {
                found[name, default: []].append([$0.owner, $0.destination])
            }
        }
        return found
    }

    @Test("A column with a digit is not mistaken for the column of a name that ends with a digit")
    func digitsInNames() throws {
        let found = try links(
            ["friends", "friends2", "users"],
            [
                EntityDescription(
                    "Client",
                    [
                        .toMany("friends", "Client", inverse: "friends2"),
                        .toMany("friends2", "Client", inverse: "friends"),
                        .toMany("users", "User", inverse: "friends"),
                    ]),
                EntityDescription("User", [.toMany("friends", "Client", inverse: "users")]),
            ],
            """
            DROP TABLE Z_1FRIENDS2; DROP TABLE Z_1USERS;
            CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS2 INTEGER, Z_1FRIENDS1 INTEGER, PRIMARY KEY (Z_1FRIENDS2, Z_1FRIENDS1) );
            CREATE TABLE Z_1USERS ( Z_1FRIENDS INTEGER, Z_2USERS INTEGER, PRIMARY KEY (Z_1FRIENDS, Z_2USERS) );
            INSERT INTO ZCLIENT (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
            INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT) VALUES (7, 2, 1);
            INSERT INTO Z_1FRIENDS VALUES (2, 1); INSERT INTO Z_1USERS VALUES (1, 7);
            """)
        #expect(found == ["friends": [[2, 1]], "friends2": [[1, 2]], "users": [[1, 7]]])
    }

    @Test("Inverse relationships whose names differ only in case have different columns")
    func endsOfOneName() throws {
        let found = try links(
            ["Name", "name"],
            [
                EntityDescription(
                    "A", [.toMany("Name", "A", inverse: "name", .ordered), .toMany("name", "A", inverse: "Name")])
            ],
            """
            INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1);
            INSERT INTO Z_1NAME (Z_1NAME, Z_1NAME1, Z_FOK_1NAME) VALUES (2, 1, 2048);
            """)
        // Both relationships are of one entity, so the earlier name has no digit. A column holds the keys to which the
        // relationship refers.
        #expect(found == ["Name": [[1, 2]], "name": [[2, 1]]])
    }

    @Test("Entity and order columns are found with and without the digit of the key's column")
    func digitsOfCompanions() throws {
        let schema = try ManagedObjectModel(entities: [
            EntityDescription("A", []),
            EntityDescription("B", [.toOne("target", "X", inverse: nil)], superentity: "A"),
            EntityDescription("C", [.toOne("target", "Y", inverse: "list")], superentity: "A"),
            EntityDescription("X", []), EntityDescription("XSub", [], superentity: "X"),
            EntityDescription("Y", [.toMany("list", "C", inverse: "target", .ordered)]),
            EntityDescription("YSub", [], superentity: "Y"),
        ]).resolved()
        let folder = try TemporaryFolder()
        try SQLiteStore.create(path: folder.storePath, schema: schema).publish()
        do {
            let connection = try Connection(path: folder.storePath, mode: .readWrite)
            try connection.execute(
                """
                ALTER TABLE ZA RENAME COLUMN Z6_TARGET1 TO Z6_TARGET;
                ALTER TABLE ZA RENAME COLUMN Z_FOK_TARGET1 TO Z_FOK_TARGET;
                INSERT INTO ZY (Z_PK, Z_ENT, Z_OPT) VALUES (4, 7, 1);
                INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZTARGET1, Z6_TARGET, Z_FOK_TARGET)
                VALUES (1, 3, 1, 4, 7, 3072), (2, 3, 1, 4, 7, 2048);
                """)
        }
        let store = try SQLiteStore.open(path: folder.storePath, schema: schema)
        var members: [Int64] = []
        let list = try #require(schema.entity(named: "Y")?.relationship(named: "list"))
        try store.readLinks(of: list, owners: [4]) { members.append($0.destination) }
        #expect(members == [2, 1])
        let slot = try #require(schema.entity(named: "C")?.relationship(named: "target")?.slot)
        let batch = try store.read(root: 0, keys: [1])
        #expect(batch[0, slot] == .reference(key: 4, entity: 6))
    }

    @Test("More columns than SQLite's limit are refused, with the entity")
    func columnLimit() throws {
        let folder = try TemporaryFolder()
        let entity = EntityDescription("Wide", (0..<1_998).map { .attribute("a\($0)", .string) })
        let schema = try ManagedObjectModel(entities: [entity]).resolved()
        let error = #expect(throws: GranaryError.self) {
            try SQLiteStore.create(path: folder.storePath, schema: schema)
        }
        #expect(error?.diagnostics.first?.code == .limitExceeded)
        let most = EntityDescription("Wide", (0..<1_997).map { .attribute("a\($0)", .string) })
        _ = try SQLiteStore.create(path: folder.storePath, schema: try ManagedObjectModel(entities: [most]).resolved())
    }
}
