import Foundation
import GranaryBase
package import GranaryContexts
package import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
package import GranaryModel
package import GranaryPredicates
package import TestSupport
import Testing

/// A kind of store for the conformance suite.
package struct StoreFactory: Sendable, CustomTestStringConvertible {
    package let name: String
    package let make: @Sendable (Schema) throws -> sending OpenedStore

    package init(name: String, make: @escaping @Sendable (Schema) throws -> sending OpenedStore) {
        self.name = name
        self.make = make
    }

    package var testDescription: String { name }

    /// The kinds that `make test` uses, or every kind with `GRANARY_STORES=all`, which `make test-long` sets.
    package static let all = TestDepth.usesAllStores ? every : [inMemory, sqlitePublished, archive]

    package static let every: [StoreFactory] = [
        inMemory, sqliteInTheMaking, sqlitePublished, sqliteOpened, sqliteWithLog, sqliteWithHistory, archive,
        archiveReopened, ofConfiguration,
    ]

    package static let inMemory = StoreFactory(name: "in memory") { OpenedStore(store: InMemoryStore(schema: $0)) }
}

package struct OpenedStore {
    package let store: any StoreBackend
    /// Objects that must exist as long as the store.
    package var folder: TemporaryFolder?
    /// The connection string of a PostgreSQL store; nil for others.
    package var url: String?

    package init(store: any StoreBackend, folder: TemporaryFolder? = nil, url: String? = nil) {
        self.store = store
        self.folder = folder
        self.url = url
    }
}

/// A model with every attribute type and relationships of every cardinality.
package enum ConformanceModel {
    package static let types: [(name: String, type: AttributeType)] = [
        ("i16", .integer16), ("i32", .integer32), ("i64", .integer64), ("decimal", .decimal), ("double", .double),
        ("float", .float), ("string", .string), ("boolean", .boolean), ("date", .date), ("binary", .binary),
        ("uuid", .uuid), ("uri", .uri), ("transformable", .transformable),
    ]

    /// Values of each attribute type, including limits.
    package static let values: [(name: String, values: [AttributeValue])] = [
        ("i16", [.integer(Int64(Int16.min)), .integer(Int64(Int16.max)), 0]),
        ("i32", [.integer(Int64(Int32.min)), .integer(Int64(Int32.max))]),
        ("i64", [.integer(.min), .integer(.max), .integer(9_007_199_254_740_993)]),
        ("decimal", [.decimal(Decimal(string: "0.1") ?? 0), .decimal(-42), .decimal(Decimal(string: "99.99") ?? 0)]),
        ("double", [.double(.greatestFiniteMagnitude), .double(.leastNonzeroMagnitude), .double(0.1), .double(3)]),
        ("float", [.float(.greatestFiniteMagnitude), .float(.leastNonzeroMagnitude), .float(0.1), .float(3)]),
        (
            "string",
            [
                "", "e\u{301}", "\u{e9}", "a\u{0}b", "\u{10FFFF}", "line\nline",
                .string(.init(repeating: "x", count: 300_000)),
            ]
        ),
        ("boolean", [true, false]),
        (
            "date",
            [
                .date(Date(timeIntervalSinceReferenceDate: 0)), .date(Date(timeIntervalSinceReferenceDate: -1.25)),
                .date(Date(timeIntervalSinceReferenceDate: 1e15)),
            ]
        ),
        ("binary", [.binary(Data()), .binary(Data([0, 1, 255])), .binary(Data(repeating: 7, count: 300_000))]),
        ("uuid", [.uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255)))]),
        ("uri", [.uri(URL(filePath: "/a b")), .uri(URL(string: "http://example.org/?q=%20#f") ?? URL(filePath: "/"))]),
        ("transformable", [.binary(Data("bplist00".utf8))]),
    ]

    package static let model = ManagedObjectModel(entities: [
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
    /// A container with a store of that kind.
    package convenience init(
        _ model: ManagedObjectModel, _ factory: StoreFactory, classes: [String: ManagedObject.Type] = [:]
    ) throws {
        try self.init(store: try factory.make(try model.resolved()).store, classes: classes)
    }
}

/// A store of the conformance model or another model, with helpers for tests.
package struct StoreBench {
    package let opened: OpenedStore
    package let schema: Schema

    package init(_ factory: StoreFactory, model: ManagedObjectModel = ConformanceModel.model) throws {
        let opened = try factory.make(try model.resolved())
        self.opened = opened
        // For a store of a configuration, the index in the whole model.
        schema = opened.store.schema
    }

    package var store: any StoreBackend { opened.store }

    package func entity(_ name: String) throws -> Schema.Entity { try #require(schema.entity(named: name)) }

    package func relationship(_ name: String, of entity: String = "Node") throws -> Schema.Relationship {
        try #require(try self.entity(entity).relationship(named: name))
    }

    /// A batch of one row.
    package func row(
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
    package func insertNodes(_ count: Int64) throws {
        try store.transaction { writer in
            #expect(try writer.reserveKeys(root: try entity("Node").index, count: Int(count)) == 1)
            for key in 1...count { try writer.insert(try row("Node", key)) }
        }
    }

    package func setLinks(_ name: String, of entityName: String = "Node", _ owner: Int64, _ destinations: [Int64])
        throws
    {
        let relationship = try relationship(name, of: entityName)
        try store.transaction { writer in
            try writer.setLinks(
                relationship, owner: owner, ownerEntity: try entity(entityName).index,
                to: destinations.map { Link(owner: owner, entity: relationship.destination, destination: $0) })
        }
    }

    /// The keys linked to an owner, in the store's order.
    package func links(_ name: String, of entityName: String = "Node", _ owner: Int64) throws -> [Int64] {
        var found: [Int64] = []
        try store.readLinks(of: try relationship(name, of: entityName), owners: [owner]) { link in
            #expect(link.owner == owner)
            found.append(link.destination)
        }
        return found
    }

    /// The key of the destination of a to-one.
    package func reference(_ name: String, of key: Int64) throws -> Int64? {
        let relationship = try relationship(name)
        let batch = try store.read(root: try entity("Node").root, keys: [key])
        guard !batch.isEmpty, case .reference(let target, _) = batch[0, relationship.slot] else { return nil }
        return target
    }

    /// All keys of an entity and its subentities.
    package func keys(_ entityName: String, batchSize: Int = 3) throws -> [Int64] {
        var keys: [Int64] = []
        try store.read(entities: try entity(entityName).family, batchSize: batchSize) { batch in
            #expect(batch.rows.count <= batchSize)
            keys += batch.rows.map(\.key)
            return true
        }
        return keys
    }

    package func value(_ entityName: String, _ key: Int64, _ name: String) throws -> AttributeValue? {
        let entity = try entity(entityName)
        let batch = try store.read(root: entity.root, keys: [key])
        try #require(batch.rows.count == 1)
        return try batch.value(row: 0, of: try #require(entity.attribute(named: name)))
    }
}
