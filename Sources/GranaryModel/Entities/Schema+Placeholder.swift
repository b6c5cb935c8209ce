extension Schema {
    /// A schema of one entity without properties, for an object that belongs to no entity of a model.
    package static func placeholder(entityName: String) -> Schema {
        let description = EntityDescription(name: entityName)
        let entity = Entity(
            index: 0, description: description, superentity: nil, root: 0, family: 0..<1, attributes: [],
            relationships: [], uniquenessConstraints: [], slotCount: 0, slotsByName: [:], propertyNames: [])
        return Schema(model: ManagedObjectModel(entities: [description]), entities: [entity])
    }
}
