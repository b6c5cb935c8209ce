import GranaryCoordination
import GranaryModel

/// A many-to-many relationship to an entity with few objects, which many objects share, such as the genres of books.
/// Each object of the subset brings its members.
struct SmallTable: Sendable {
    let relationship: Schema.Relationship
    /// The number of objects of the destination and its subentities in the source.
    let total: Int

    /// Nil if the destination has more objects than `limit`, or not fewer than the entity that declares the relationship:
    /// of two entities, the smaller one is the table that the objects of the other share.
    init?(_ relationship: Schema.Relationship, _ schema: Schema, limit: Int, _ store: any StoreBackend) throws {
        total = try Self.count(schema.entities[relationship.destination], store)
        guard total > 0, total <= limit, try total < Self.count(schema.entities[relationship.owner], store) else {
            return nil
        }
        self.relationship = relationship
    }

    private static func count(_ entity: Schema.Entity, _ store: any StoreBackend) throws -> Int {
        try entity.family.reduce(0) { try $0 + store.count(entity: $1) }
    }
}
