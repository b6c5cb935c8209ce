import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing

/// A store with derived attributes of every form.
struct DerivedBench {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Owner",
            [
                .attribute("name", .string), .attribute("weight", .integer32),
                .toMany("items", "Item", inverse: "owner"), .toMany("tags", "Tag", inverse: "owners"),
                .toMany("friends", "Owner", inverse: "friends"), .toMany("likes", "Owner", inverse: "likedBy"),
                .toMany("likedBy", "Owner", inverse: "likes"), .toOne("parent", "Owner", inverse: "children"),
                .toMany("children", "Owner", inverse: "parent"),
                .attribute("again", .string, .derived("name")),
                .attribute("canonical", .string, .derived("canonical:(name)")),
                .attribute("small", .string, .derived("lowercase:(again)")),
                .attribute("parentName", .string, .derived("parent.name")),
                .attribute("itemCount", .integer64, .derived("items.@count")),
                .attribute("total", .integer64, .derived("items.amount.@sum")),
                .attribute("price", .decimal, .derived("items.@sum.price")),
                .attribute("least", .integer32, .derived("items.@min.amount")),
                .attribute("dearest", .decimal, .derived("items.price.@max")),
                .attribute("average", .double, .derived("items.amount.@avg")),
                .attribute("tagCount", .integer64, .derived("tags.@count")),
                .attribute("tagWeight", .integer64, .derived("tags.weight.@sum")),
                .attribute("friendCount", .integer64, .derived("friends.@count")),
                .attribute("friendWeight", .integer64, .derived("friends.weight.@sum")),
                .attribute("heaviest", .integer32, .derived("likedBy.weight.@max")),
                .attribute("childCount", .integer64, .derived("children.@count")),
                .attribute("childWeight", .integer64, .derived("children.weight.@sum")),
                .attribute("below", .integer64, .derived("children.total.@sum")),
            ]),
        EntityDescription(
            "Chief",
            [
                .attribute("chiefItems", .integer64, .derived("items.@count")),
                .attribute("chiefTotal", .integer64, .derived("items.amount.@sum")),
                .attribute("chiefTags", .double, .derived("tags.weight.@avg")),
                .attribute("loud", .string, .derived("uppercase:(parent.name)")),
                .attribute("own", .string, .derived("uppercase:(name)")),
            ], superentity: "Owner"),
        EntityDescription(
            "Item",
            [
                .attribute("amount", .integer32), .attribute("price", .decimal),
                .toOne("owner", "Owner", inverse: "items"),
                .attribute("ownerName", .string, .derived("owner.name")),
                .attribute("ownerTotal", .integer64, .derived("owner.total")),
            ]),
        EntityDescription(
            "Tag",
            [
                .attribute("weight", .integer32), .toMany("owners", "Owner", inverse: "tags"),
                .attribute("ownerCount", .integer64, .derived("owners.@count")),
                .attribute("ownerWeight", .integer64, .derived("owners.weight.@sum")),
            ]),
    ])

    let folder: TemporaryFolder
    let backend: any StoreBackend

    init() throws {
        folder = try TemporaryFolder()
        backend = try SQLiteStore.create(path: folder.storePath, schema: try Self.model.resolved())
    }

    init(_ factory: StoreFactory) throws {
        folder = try TemporaryFolder()
        backend = try factory.make(try Self.model.resolved()).store
    }

    var store: SQLiteStore { get throws { try #require(backend as? SQLiteStore) } }

    func entity(_ name: String) throws -> Schema.Entity { try #require(backend.schema.entity(named: name)) }

    /// A batch of one row.
    func row(
        _ entityName: String, _ key: Int64, version: Int64 = 1, _ values: [String: AttributeValue?],
        references: [String: (entity: String, key: Int64)] = [:]
    ) throws -> RowBatch {
        let entity = try entity(entityName)
        var batch = RowBatch()
        let row = batch.appendRow(entity: entity.index, key: key, version: version, slotCount: entity.slotCount)
        for (name, value) in values {
            guard let value else { continue }
            let attribute = try #require(entity.attribute(named: name))
            value.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
        }
        for (name, target) in references {
            let slot = try #require(entity.relationship(named: name)).slot
            batch[row, slot] = .reference(key: target.key, entity: Int32(try self.entity(target.entity).index))
        }
        return batch
    }

    func setLinks(_ name: String, of entityName: String, _ owner: Int64, _ destinations: [Int64]) throws {
        let entity = try entity(entityName)
        let relationship = try #require(entity.relationship(named: name))
        try backend.transaction { writer in
            try writer.setLinks(
                relationship, owner: owner, ownerEntity: entity.index,
                to: destinations.map { Link(owner: owner, entity: relationship.destination, destination: $0) })
        }
    }
}
