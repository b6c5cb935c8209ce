import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// The object that the objects of a list refer to: `via=injury&of=Injury&to=3`.
struct ListLink {
    let relationship: Schema.Relationship
    let destination: ObjectPlace
    /// The condition that an object refers to it.
    let predicate: ObjectPredicate

    /// Returns nil for an address without a link.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for a link that does not fit the entity.
    init?(_ address: PageAddress, entity: Schema.Entity, of store: any StoreBackend) throws(GranaryError) {
        guard let name = address["via"] else { return nil }
        let schema = store.schema
        guard let relationship = entity.relationship(named: name), relationship.isPersistent,
            let other = address["of"].flatMap({ schema.entity(named: $0) }),
            let key = address["to"].flatMap({ Int64($0) }),
            other.root == schema.entities[relationship.memberEntity].root
        else { throw GranaryError(.usage, "\(entity.name).\(name) does not lead to such an object") }
        self.relationship = relationship
        destination = ObjectPlace(entity: other.index, key: key)
        let object = ObjectReference(
            store: store.identifier, root: schema.entities[other.root].name, key: .stored(key),
            uri: "x-coredata://\(store.identifier)/\(schema.objectName(entity: other.index, key: key))")
        predicate = .comparison(
            ObjectPredicate.Comparison(
                .keyPath(name), .equal, .object(object), modifier: relationship.isToMany ? .any : .direct))
    }

    /// The address of the list of objects of an entity that refer to an object.
    static func address(
        _ entity: Schema.Entity, _ relationship: Schema.Relationship, to object: ObjectPlace, _ schema: Schema
    ) -> PageAddress {
        PageAddress(
            "/entity",
            [
                ("entity", entity.name), ("via", relationship.name), ("of", schema.entities[object.entity].name),
                ("to", "\(object.key)"),
            ])
    }
}
