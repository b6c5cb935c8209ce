import Foundation
import GranaryBase
import GranaryModel
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import TestSupport
import Testing

/// A kind of store that the conformance suite is run with.
struct StoreFactory: Sendable, CustomTestStringConvertible {
    let name: String
    let make: @Sendable (Schema) throws -> sending OpenedStore

    var testDescription: String { name }

    static let all: [StoreFactory] = [
        inMemory, sqliteInTheMaking, sqlitePublished, sqliteOpened, sqliteWithHistory, archive, archiveReopened,
        ofConfiguration,
    ]

    static let inMemory = StoreFactory(name: "in memory") { OpenedStore(store: InMemoryStore(schema: $0)) }
}

struct OpenedStore {
    let store: any PersistentStore
    /// What has to live as long as the store.
    var folder: TemporaryFolder?
}

/// A model with every attribute type and relationships of every cardinality.
enum ConformanceModel {
    static let types: [(name: String, type: AttributeType)] = [
        ("i16", .integer16), ("i32", .integer32), ("i64", .integer64), ("decimal", .decimal), ("double", .double),
        ("float", .float), ("string", .string), ("boolean", .boolean), ("date", .date), ("binary", .binary),
        ("uuid", .uuid), ("uri", .uri), ("transformable", .transformable),
    ]

    static let model = ManagedObjectModel(entities: [
        EntityDescription("Values", types.map { .attribute($0.name, $0.type) }),
        EntityDescription(
            "Node",
            [
                .attribute("name", .string),
                .toOne("mate", "Node", inverse: "mate"),
                .toOne("next", "Node", inverse: "previous"),
                .toOne("previous", "Node", inverse: "next"),
                .toOne("parent", "Node", inverse: "children"),
                .toMany("children", "Node", inverse: "parent"),
                .toOne("team", "Node", inverse: "members"),
                .toMany("members", "Node", inverse: "team", .ordered),
                .toMany("likes", "Node", inverse: "likedBy"),
                .toMany("likedBy", "Node", inverse: "likes"),
                .toMany("reviewers", "Node", inverse: "reviews", .ordered),
                .toMany("reviews", "Node", inverse: "reviewers", .ordered),
                .toMany("ranks", "Node", inverse: "rankedBy", .ordered),
                .toMany("rankedBy", "Node", inverse: "ranks"),
                .toMany("friends", "Node", inverse: "friends"),
                .toOne("pointer", "Node", inverse: nil),
                .toMany("tags", "Tag", inverse: nil),
                .toMany("keeps", "Node", inverse: nil),
            ]),
        EntityDescription("Leaf", [.attribute("weight", .double)], superentity: "Node"),
        EntityDescription("Tag", [.attribute("text", .string)]),
        EntityDescription(
            "Account",
            [
                .attribute("email", .string), .attribute("first", .string), .attribute("last", .string),
                .toOne("bank", "Bank", inverse: "accounts"), .attribute("number", .integer32),
            ], unique: [["email"], ["first", "last"], ["bank", "number"]]),
        EntityDescription("Savings", [.attribute("rate", .double)], superentity: "Account"),
        EntityDescription("Bank", [.toMany("accounts", "Account", inverse: "bank")]),
    ])
}

extension PersistentContainer {
    /// A container on a store of that kind.
    convenience init(
        _ model: ManagedObjectModel, _ factory: StoreFactory, classes: [String: ManagedObject.Type] = [:]
    ) throws {
        try self.init(store: try factory.make(try model.resolved()).store, classes: classes)
    }
}

/// A store of the conformance model, or of another one, with the short-hands that the tests need.
struct StoreBench {
    let opened: OpenedStore
    let schema: Schema

    init(_ factory: StoreFactory, model: ManagedObjectModel = ConformanceModel.model) throws {
        let opened = try factory.make(try model.resolved())
        self.opened = opened
        // That of a larger model for a store of a configuration.
        schema = opened.store.schema
    }

    var store: any PersistentStore { opened.store }

    func entity(_ name: String) throws -> Schema.Entity { try #require(schema.entity(named: name)) }

    func relationship(_ name: String, of entity: String = "Node") throws -> Schema.Relationship {
        try #require(try self.entity(entity).relationship(named: name))
    }

    /// A batch of one row.
    func row(
        _ entityName: String, _ key: Int64, version: Int64 = 1, _ values: [String: AttributeValue] = [:],
        references: [String: (entity: String, key: Int64)] = [:]
    ) throws -> RowBatch {
        let entity = try entity(entityName)
        var batch = RowBatch()
        let row = batch.appendRow(entity: entity.index, key: key, version: version, slotCount: entity.slotCount)
        for (name, value) in values {
            let attribute = try #require(entity.attribute(named: name))
            value.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
        }
        for (name, target) in references {
            let slot = try #require(entity.relationship(named: name)).slot
            batch[row, slot] = .reference(key: target.key, entity: Int32(try self.entity(target.entity).index))
        }
        return batch
    }

    /// Inserts nodes with the keys 1 to `count`.
    func insertNodes(_ count: Int64) throws {
        try store.transaction { writer in
            #expect(try writer.reserveKeys(root: try entity("Node").index, count: Int(count)) == 1)
            for key in 1...count { try writer.insert(try row("Node", key)) }
        }
    }

    func setLinks(_ name: String, of entityName: String = "Node", _ owner: Int64, _ destinations: [Int64]) throws {
        let relationship = try relationship(name, of: entityName)
        try store.transaction { writer in
            try writer.setLinks(
                relationship, owner: owner, ownerEntity: try entity(entityName).index,
                to: destinations.map { Link(owner: owner, entity: relationship.destination, destination: $0) })
        }
    }

    /// The keys linked to one owner, in the store's order.
    func links(_ name: String, of entityName: String = "Node", _ owner: Int64) throws -> [Int64] {
        var found: [Int64] = []
        try store.readLinks(of: try relationship(name, of: entityName), owners: [owner]) { link in
            #expect(link.owner == owner)
            found.append(link.destination)
        }
        return found
    }

    /// The key that a to-one leads to.
    func reference(_ name: String, of key: Int64) throws -> Int64? {
        let relationship = try relationship(name)
        let batch = try store.read(root: try entity("Node").root, keys: [key])
        guard !batch.isEmpty, case .reference(let target, _) = batch[0, relationship.slot] else { return nil }
        return target
    }

    /// All keys of an entity and its subentities.
    func keys(_ entityName: String, batchSize: Int = 3) throws -> [Int64] {
        var keys: [Int64] = []
        try store.read(entities: try entity(entityName).family, batchSize: batchSize) { batch in
            #expect(batch.rows.count <= batchSize)
            keys += batch.rows.map(\.key)
            return true
        }
        return keys
    }

    func value(_ entityName: String, _ key: Int64, _ name: String) throws -> AttributeValue? {
        let entity = try entity(entityName)
        let batch = try store.read(root: entity.root, keys: [key])
        try #require(batch.rows.count == 1)
        return try batch.value(row: 0, of: try #require(entity.attribute(named: name)))
    }
}
