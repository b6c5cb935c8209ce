/// What the values of a store are, by entity and property.
package struct StoreProfile: Sendable, Encodable {
    /// The objects of an entity, without those of its subentities.
    package struct Entity: Sendable, Encodable {
        package var name: String
        package var count: Int
        /// In the model's order: attributes, then relationships. Transient properties and derived attributes are not there.
        package var properties: [PropertyProfile]
    }

    package var entities: [Entity] = []
}
