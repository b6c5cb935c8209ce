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

/// Partial indexes and indexes over expressions (docs/core-data/sqlite-layout.md#partial-indexes-and-expressions).
@Suite("Fetch indexes with predicates and expressions") struct FetchIndexTests {
    struct Vector: Decodable {
        struct Element: Decodable {
            let ascending: Bool
            let property: String?
            let expression: String?
        }

        let entity: String
        let rootEntity: String
        let index: String
        let elements: [Element]
        let predicate: String?
        let sql: String?
    }

    private struct Vectors: Decodable { let indexes: [Vector] }

    private static func schema(of vector: Vector) throws -> Schema {
        var index = FetchIndexDescription(
            name: vector.index,
            elements: vector.elements.map { element in
                element.expression.map { .init(expression: $0, isAscending: element.ascending) }
                    ?? .init(propertyName: element.property, isAscending: element.ascending)
            })
        index.partialIndexPredicate = vector.predicate
        var names = vector.elements.compactMap(\.property)
        // A name of a predicate that no statement has is none of a property.
        names += vector.sql == nil ? [] : index.predicateProperties
        var entity = EntityDescription(name: vector.entity)
        entity.attributes = Set(names).sorted().map { name in
            var attribute = AttributeDescription(name: name, type: .integer64)
            attribute.isOptional = true
            return attribute
        }
        entity.fetchIndexes = [index]
        var entities = [entity]
        if vector.rootEntity != vector.entity {
            entities[0].superentityName = vector.rootEntity
            entities.append(EntityDescription(name: vector.rootEntity))
        }
        return try ManagedObjectModel(entities: entities).resolved()
    }

    private static func created(_ schema: Schema, _ folder: TemporaryFolder) throws -> [SchemaObject] {
        let store = try SQLiteStore.create(path: folder.storePath, schema: schema)
        return try store.connection.schema()
    }

    @Test(
        "The statements are those of public stores", .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func vectors() throws {
        let data = try Data(contentsOf: try SharedFiles.url("coredata/fetch-index-vectors.json"))
        let vectors = try JSONDecoder().decode(Vectors.self, from: data).indexes
        #expect(vectors.count >= 28)
        for vector in vectors {
            let objects = try Self.created(try Self.schema(of: vector), try TemporaryFolder())
            let found = objects.filter { $0.name.hasPrefix("Z_\(vector.entity)_") }.compactMap(\.sql)
            // Frameworks up to 977 wrote two blanks.
            let expected = vector.sql.map { [$0.replacing("WHERE  ", with: "WHERE ")] } ?? []
            #expect(found == expected)
            let omitted = SQLiteStore.creationWarnings(for: try Self.schema(of: vector))
            #expect(omitted == [], "\(vector.index)")
        }
    }

    private static func model(_ predicate: String?, _ elements: [FetchIndexDescription.Element]) -> ManagedObjectModel {
        var entity = EntityDescription(
            "Asset",
            [
                .attribute("kind", .integer16), .attribute("name", .string), .attribute("draft", .string, .transient),
                .toOne("album", "Asset", inverse: nil), .toMany("parts", "Asset", inverse: nil),
            ])
        var index = FetchIndexDescription(name: "i", elements: elements)
        index.partialIndexPredicate = predicate
        entity.fetchIndexes = [index]
        return ManagedObjectModel(entities: [entity])
    }

    private static func condition(_ predicate: String) throws -> (sql: [String], warnings: [String]) {
        let schema = try Self.model(predicate, [.init(propertyName: "kind")]).resolved()
        let objects = try created(schema, try TemporaryFolder())
        let found = objects.filter { $0.name == "Z_Asset_i" }.compactMap(\.sql)
        return (
            found.map { String($0.split(separator: " WHERE ", maxSplits: 1)[1]) },
            SQLiteStore.creationWarnings(for: schema).map(\.message)
        )
    }

    @Test(
        "Conditions that real stores have",
        arguments: [
            ("kind == 1", "ZKIND = 1"), ("kind != 0", "ZKIND <> 0"), ("kind > 1", "ZKIND > 1"),
            ("kind == -1", "ZKIND = -1"), ("album == nil", "ZALBUM IS NULL"), ("name != nil", "ZNAME IS NOT NULL"),
            ("kind == 1 AND name != nil AND album == nil", "(ZKIND = 1 AND ZNAME IS NOT NULL AND ZALBUM IS NULL)"),
            ("kind == 2 OR kind == 4", "(ZKIND = 2 OR ZKIND = 4)"), ("kind == YES", "ZKIND = 1"),
        ])
    func conditions(_ predicate: String, _ sql: String) throws {
        let found = try Self.condition(predicate)
        #expect(found.sql == [sql] && found.warnings == [])
    }

    @Test(
        "Other conditions give a warning and no index",
        arguments: [
            "kind < 1", "kind >= 1", "name == 'a'", "kind IN {1, 2}", "kind BETWEEN {1, 2}", "NOT kind == 1",
            "kind == 1 AND (kind == 2 OR name == nil)", "name BEGINSWITH[c] 'a'", "kind == 1.5", "1 == kind",
            "album.kind == 1", "draft == nil", "kind == ", "TRUEPREDICATE", "name ==[c] nil",
            "parts.@count > 0",
        ])
    func otherConditions(_ predicate: String) throws {
        let found = try Self.condition(predicate)
        #expect(found.sql == [] && found.warnings.first?.contains("the index \"i\" is not created") == true)
    }

    @Test("A predicate over no property gives no index, as in Core Data; the model has a warning")
    func noProperty() throws {
        let found = try Self.condition("kind == 1 AND Kind == 1")
        #expect(found.sql == [] && found.warnings == [])
        let problems = Self.model("Kind == 1", [.init(propertyName: "kind")]).problems()
        #expect(problems.map(\.severity) == [.warning] && problems.map(\.property) == ["Kind"])
    }

    @Test("What elements give")
    func elements() throws {
        func sql(_ predicate: String?, _ elements: FetchIndexDescription.Element...) throws -> [String] {
            let schema = try Self.model(predicate, elements).resolved()
            return try Self.created(schema, try TemporaryFolder()).filter { $0.name == "Z_Asset_i" }.compactMap(\.sql)
        }
        #expect(
            try sql(nil, .init(expression: "SELF", isAscending: false), .init(expression: "entity"))
                == ["CREATE INDEX Z_Asset_i ON ZASSET (Z_PK COLLATE BINARY DESC, Z_ENT COLLATE BINARY ASC)"])
        #expect(
            try sql(nil, .init(propertyName: "album"), .init(propertyName: "kind"))
                == ["CREATE INDEX Z_Asset_i ON ZASSET (ZALBUM COLLATE BINARY ASC, ZKIND COLLATE BINARY ASC)"])
        // The foreign key has its own index. What Core Data does with a predicate is not known.
        #expect(try sql(nil, .init(propertyName: "album")) == [])
        #expect(try sql("album != nil", .init(propertyName: "album")) == [])
        #expect(try sql(nil, .init(propertyName: "parts")) == [])
        #expect(try sql(nil, .init(expression: "kind + 1")) == [])
        var tree = FetchIndexDescription.Element(propertyName: "kind")
        tree.kind = .rTree
        #expect(try sql(nil, tree) == [])
        let warned = try [
            ("album != nil", .init(propertyName: "album")), (nil, .init(expression: "kind + 1")), (nil, tree),
        ]
        .map { (predicate: String?, element: FetchIndexDescription.Element) in
            SQLiteStore.creationWarnings(for: try Self.model(predicate, [element]).resolved()).count
        }
        #expect(warned == [1, 1, 1])
    }

    @Test("A column with a digit is named in the list and in the condition; no condition on Z_ENT is added")
    func digits() throws {
        var index = FetchIndexDescription(name: "byState", elements: [.init(propertyName: "state")])
        index.partialIndexPredicate = "state == 1"
        var second = EntityDescription("Second", [.attribute("state", .integer16)], superentity: "Root")
        second.fetchIndexes = [index]
        let schema = try ManagedObjectModel(entities: [
            EntityDescription("Root", []),
            EntityDescription("First", [.attribute("state", .integer16)], superentity: "Root"), second,
        ]).resolved()
        let objects = try Self.created(schema, try TemporaryFolder())
        #expect(
            objects.first { $0.name == "Z_Second_byState" }?.sql
                == "CREATE INDEX Z_Second_byState ON ZROOT (ZSTATE1 COLLATE BINARY ASC) WHERE ZSTATE1 = 1")
    }

    @Test("The check finds a missing partial index, and none that is there")
    func check() throws {
        let folder = try TemporaryFolder()
        let schema = try Self.model("kind == 1", [.init(propertyName: "kind"), .init(expression: "SELF")]).resolved()
        try SQLiteStore.create(path: folder.storePath, schema: schema).publish()
        #expect(try StoreChecker.check(path: folder.storePath).findings.isEmpty)
        #expect(try StoreInspector(path: folder.storePath).summary().leftovers == [])
        try Connection(path: folder.storePath, mode: .readWrite).execute(
            """
            DROP INDEX Z_Asset_i;
            CREATE INDEX "old name" ON ZASSET ("ZKIND" COLLATE BINARY ASC, Z_PK COLLATE BINARY ASC) WHERE ZKIND = 2
            """)
        let findings = try StoreChecker.check(path: folder.storePath).findings
        #expect(findings.map(\.diagnostic.message) == ["the index Z_Asset_i on ZKIND, Z_PK is missing"])
        #expect(try StoreInspector(path: folder.storePath).summary().leftovers == ["index old name"])
        try Connection(path: folder.storePath, mode: .readWrite).execute(
            """
            DROP INDEX "old name";
            CREATE INDEX "old name" ON ZASSET ("ZKIND" COLLATE BINARY ASC, Z_PK COLLATE BINARY ASC) WHERE  "ZKIND" = 1
            """)
        #expect(try StoreChecker.check(path: folder.storePath).findings.isEmpty)
    }
}
