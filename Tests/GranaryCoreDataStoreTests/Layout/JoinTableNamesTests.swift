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

/// Which side names a join table, and which column gets a digit (docs/core-data/sqlite-layout.md#join-tables).
@Suite("Names of join tables") struct JoinTableNamesTests {
    /// The tables of a new store whose names begin with `Z_` and a digit, with their columns.
    private func joins(_ entities: [EntityDescription]) throws -> [String] {
        let schema = try ManagedObjectModel(entities: entities).resolved()
        return StoreLayoutBuilder.layout(for: schema).joinTables.map { join in
            "\(join.name) \(([join.firstColumn, join.secondColumn] + join.orderColumns).joined(separator: " "))"
        }
    }

    private func unconfirmed(_ entities: [EntityDescription]) throws -> [String] {
        StoreLayoutBuilder.layout(for: try ManagedObjectModel(entities: entities).resolved()).unconfirmedJoinTables
    }

    /// The hierarchy of Photos (`../shared/cases/03-join-table-hierarchy`).
    private static let photos = [
        EntityDescription("Asset", [.attribute("name", .string), .toMany("albums", "Album", inverse: "assets")]),
        EntityDescription("GenericAlbum", [.attribute("title", .string)]),
        EntityDescription(
            "Album", [.toMany("assets", "Asset", inverse: "albums", .ordered)], superentity: "GenericAlbum"),
    ]

    @Test("The side with the smallest name among its entity and its subentities names the table")
    func smallestName() throws {
        #expect(try joins(Self.photos) == ["Z_3ASSETS Z_3ALBUMS Z_1ASSETS Z_FOK_1ASSETS"])
        // The subentity Album comes before AlbumList, and its superentity declares the relationship.
        #expect(
            try joins([
                EntityDescription("AlbumList", [.toMany("albums", "GenericAlbum", inverse: "lists", .ordered)]),
                EntityDescription("GenericAlbum", [.toMany("lists", "AlbumList", inverse: "albums")]),
                EntityDescription("Middle", [], superentity: "GenericAlbum"),
                EntityDescription("Album", [], superentity: "Middle"),
            ]) == ["Z_2LISTS Z_2ALBUMS Z_1LISTS Z_FOK_2ALBUMS"])
        // Binary order: Zebra comes before apple, although its number is higher.
        #expect(
            try joins([
                EntityDescription("apple", [.toMany("zebras", "Zebra", inverse: "apples")]),
                EntityDescription("Zebra", [.toMany("apples", "apple", inverse: "zebras")]),
            ]) == ["Z_2APPLES Z_2ZEBRAS Z_1APPLES"])
        // An entity and its superentity, as in AddressBook.
        #expect(
            try joins([
                EntityDescription("AbstractGroup", [.toMany("parents", "Group", inverse: "children")]),
                EntityDescription(
                    "Group", [.toMany("children", "AbstractGroup", inverse: "parents")], superentity: "AbstractGroup"),
            ]) == ["Z_1PARENTS Z_1CHILDREN Z_2PARENTS"])
        #expect(try unconfirmed(Self.photos) == [])
    }

    private static func voting(_ poll: String, _ option: String) -> [EntityDescription] {
        [
            EntityDescription(poll, [.toMany("votedBy", "User", inverse: "polls")]),
            EntityDescription(option, [.toMany("votedBy", "User", inverse: "a_options")]),
            EntityDescription(
                "User",
                [.toMany("polls", poll, inverse: "votedBy"), .toMany("a_options", option, inverse: "votedBy")]),
        ]
    }

    @Test("The column of the relationship whose entity comes first has no digit")
    func digits() throws {
        // The order of the names in the shared entity, a_options and polls, does not count.
        #expect(
            try joins(Self.voting("Poll", "PollOption"))
                == ["Z_1VOTEDBY Z_1POLLS Z_3VOTEDBY", "Z_2VOTEDBY Z_2A_OPTIONS Z_3VOTEDBY1"])
        #expect(try unconfirmed(Self.voting("Poll", "PollOption")) == [])
        // User names both tables: newer frameworks follow another rule.
        #expect(
            try joins(Self.voting("Vote", "VoteOption"))
                == ["Z_1A_OPTIONS Z_1VOTEDBY1 Z_3A_OPTIONS", "Z_1POLLS Z_1VOTEDBY Z_2POLLS"])
        #expect(try unconfirmed(Self.voting("Vote", "VoteOption")) == ["Z_1A_OPTIONS", "Z_1POLLS"])
    }

    @Test("Commands warn of names without a known rule")
    func warnings() throws {
        #expect(
            try unconfirmed([
                EntityDescription("A", [.toMany("x", "A", inverse: "y"), .toMany("y", "A", inverse: "x")])
            ]) == ["Z_1Y"])
        // Both sides have the smallest name B: the later name is used, as within one entity.
        let tie = [
            EntityDescription("C", [.toMany("x", "B", inverse: "y")]),
            EntityDescription("B", [.toMany("y", "C", inverse: "x")], superentity: "C"),
        ]
        #expect(try unconfirmed(tie) == ["Z_2Y"])
        #expect(try unconfirmed([EntityDescription("A", [.toMany("x", "A", inverse: "x")])]) == [])
        #expect(try unconfirmed([EntityDescription("A", [.toMany("x", "A", inverse: "x", .ordered)])]) == ["Z_1X"])
    }

    // MARK: Tables with other names

    /// A store of the photos' model with one of the tables that are possible, or another one.
    private func store(_ table: String, in folder: TemporaryFolder) throws -> SQLiteStore {
        let schema = try ManagedObjectModel(entities: Self.photos).resolved()
        try SQLiteStore.create(path: folder.storePath, schema: schema).publish()
        do {
            let connection = try Connection(path: folder.storePath, mode: .readWrite)
            try connection.execute(
                """
                DROP TABLE Z_3ASSETS; CREATE TABLE \(table);
                INSERT INTO ZASSET (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1);
                INSERT INTO ZGENERICALBUM (Z_PK, Z_ENT, Z_OPT) VALUES (7, 3, 1), (8, 2, 1);
                UPDATE Z_PRIMARYKEY SET Z_MAX = 8 WHERE Z_SUPER = 0
                """)
        }
        return try SQLiteStore.open(path: folder.storePath, schema: schema)
    }

    @Test(
        "A table with another name is read and written",
        arguments: [
            "Z_3ASSETS ( Z_3ALBUMS INTEGER, Z_1ASSETS INTEGER, Z_FOK_1ASSETS INTEGER, PRIMARY KEY (Z_3ALBUMS, Z_1ASSETS) )",
            "Z_1ALBUMS ( Z_1ASSETS INTEGER, Z_3ALBUMS INTEGER, Z_FOK_1ASSETS INTEGER, PRIMARY KEY (Z_1ASSETS, Z_3ALBUMS) )",
            "Z_9OLD ( Z_1ASSETS1, Z_3ALBUMS, Z_FOK_1ASSETS )",
            "\"Z_3ASSETS\" ( Z_3ALBUMS1, Z_1ASSETS1, Z_FOK_1ASSETS1 )",
        ])
    func otherNames(_ table: String) throws {
        let folder = try TemporaryFolder()
        let store = try store(table, in: folder)
        let (asset, album) = (store.schema.entities[0], store.schema.entities[2])
        let assets = try #require(album.relationship(named: "assets"))
        let albums = try #require(asset.relationship(named: "albums"))
        try store.transaction { writer in
            let links = [3, 1].map { Link(owner: 7, entity: 0, destination: $0) }
            try writer.setLinks(assets, owner: 7, ownerEntity: 2, to: links)
            try writer.setLinks(albums, owner: 2, ownerEntity: 0, to: [Link(owner: 2, entity: 2, destination: 7)])
            try writer.completeOrder()
        }
        func members(_ relationship: Schema.Relationship) throws -> [[Int64]] {
            var found: [[Int64]] = []
            try store.readLinks(of: relationship, owners: nil) { found.append([$0.owner, $0.destination]) }
            return found
        }
        #expect(try members(assets) == [[7, 3], [7, 1], [7, 2]])
        #expect(try members(albums) == [[1, 7], [2, 7], [3, 7]])
        let tables = try store.connection.schema().filter { $0.type == "table" && $0.name.hasPrefix("Z_") }
        #expect(tables.count == 4, "\(tables.map(\.name))")
        let warnings = try StoreChecker.check(path: folder.storePath).findings.map(\.diagnostic)
        let isCoreDatas = table.hasPrefix("Z_3ASSETS")
        #expect(warnings.contains { $0.message.contains("Core Data would look for Z_3ASSETS") } != isCoreDatas)
        #expect(warnings.allSatisfy { $0.severity == .warning })
    }

    @Test("A new store like another one takes its tables' names and columns")
    func template() throws {
        let folder = try TemporaryFolder()
        let text =
            "Z_1ALBUMS ( Z_1ASSETS INTEGER, Z_3ALBUMS INTEGER, Z_FOK_1ASSETS INTEGER, PRIMARY KEY (Z_1ASSETS, Z_3ALBUMS) )"
        _ = try store(text, in: folder)
        let template = try StoreTemplate(path: folder.storePath, model: ManagedObjectModel(entities: Self.photos))
        let path = folder.url.appending(path: "New.sqlite").path
        let new = try SQLiteStore.create(path: path, schema: template.schema, like: template)
        let objects = try new.connection.schema()
        #expect(objects.contains { $0.sql == "CREATE TABLE " + text })
        #expect(
            objects.contains {
                $0.sql == "CREATE INDEX Z_1ALBUMS_Z_3ALBUMS_INDEX ON Z_1ALBUMS (Z_3ALBUMS, Z_1ASSETS)"
            })
    }

    // MARK: User info

    private func indexes(_ entities: [EntityDescription]) throws -> [String] {
        let folder = try TemporaryFolder()
        let schema = try ManagedObjectModel(entities: entities).resolved()
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        return try store.connection.schema().filter { $0.type == "index" }.compactMap(\.sql)
    }

    /// In a new library of Photos, each entity's indexes are together (framework 1251).
    @Test("The index of a join table comes before the fetch indexes of the entity that names it")
    func indexOrder() throws {
        var entities = Self.photos
        entities[1].fetchIndexes = [FetchIndexDescription(name: "byTitle", elements: [.init(propertyName: "title")])]
        entities[1].relationships = [RelationshipDescription(name: "tags", destination: "Tag", inverse: "albums")]
        entities[1].relationships[0].maxCount = 0
        entities[2].attributes = [AttributeDescription(name: "kind", type: .integer16)]
        entities[2].fetchIndexes = [FetchIndexDescription(name: "byKind", elements: [.init(propertyName: "kind")])]
        entities.append(EntityDescription("Tag", [.toMany("albums", "GenericAlbum", inverse: "tags")]))
        #expect(
            try indexes(entities).map { String($0.split(separator: " ")[2]) } == [
                "Z_2TAGS_Z_4TAGS_INDEX", "ZGENERICALBUM_Z_ENT_INDEX", "Z_GenericAlbum_byTitle",
                "Z_3ASSETS_Z_1ASSETS_INDEX", "Z_Album_byKind",
            ])
    }

    @Test("User info adds indexes with order keys, and omits the index of a hierarchy's entity numbers")
    func userInfo() throws {
        let index = "CREATE INDEX Z_3ASSETS_Z_1ASSETS_INDEX ON Z_3ASSETS (Z_1ASSETS, Z_3ALBUMS)"
        let entities = "CREATE INDEX ZGENERICALBUM_Z_ENT_INDEX ON ZGENERICALBUM (Z_ENT)"
        #expect(try indexes(Self.photos) == [entities, index])
        var changed = Self.photos
        changed[2].relationships[0].userInfo = ["NSRelationshipDescriptionOrderKeyIndexOption": "YES"]
        changed[1].userInfo = ["_NSEntityOmitSubentityColumnIndex": "YES"]
        #expect(
            try indexes(changed) == [
                index,
                "CREATE INDEX Z_3ASSETS_Z_3ALBUMS_Z_1ASSETS_Z_FOK_1ASSETS_INDEX ON Z_3ASSETS "
                    + "(Z_3ALBUMS, Z_1ASSETS, Z_FOK_1ASSETS)",
                "CREATE INDEX Z_3ASSETS_Z_3ALBUMS_Z_FOK_1ASSETS_Z_1ASSETS_INDEX ON Z_3ASSETS "
                    + "(Z_3ALBUMS, Z_FOK_1ASSETS, Z_1ASSETS)",
            ])
        changed[2].relationships[0].userInfo = ["NSRelationshipDescriptionOrderKeyIndexOption": "NO"]
        changed[1].userInfo = ["_NSEntityOmitSubentityColumnIndex": "NO"]
        // Only the root's user info counts.
        changed[2].userInfo = ["_NSEntityOmitSubentityColumnIndex": "YES"]
        #expect(try indexes(changed) == [entities, index])
    }
}
