/// How objects of an older version of a model become objects of a newer one: the mapping that Core Data infers.
/// (`NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:)`)
///
/// Entities correspond as in ``ManagedObjectModel/differences(to:)``. The properties of two entities are compared with
/// all inherited ones, so that a property that moved in its hierarchy keeps its values.
package struct ModelMapping: Sendable {
    /// The older version.
    package let old: Schema
    /// The newer version.
    package let new: Schema
    /// The newer entity of each older one, by index; nil if it was removed.
    package let newEntities: [Int?]
    /// The older entity of each newer one, by index; nil if it was added.
    package let oldEntities: [Int?]
    /// The sources of the properties of each older entity's objects, by index.
    package let entities: [EntityMapping?]

    /// - Parameters:
    ///   - old: its entities can have the numbers of a store.
    package init(from old: Schema, to new: Schema) {
        self.old = old
        self.new = new
        let pairs = RenamePairs(
            old: old.entities.map { RenamePairs.Item($0.name, $0.description.renamingIdentifier) },
            new: new.entities.map { RenamePairs.Item($0.name, $0.description.renamingIdentifier) })
        newEntities = pairs.newOfOld
        oldEntities = pairs.oldOfNew
        entities = old.entities.map { entity in
            pairs.newOfOld[entity.index].map { EntityMapping(from: entity, of: old, to: new.entities[$0], of: new) }
        }
    }

    /// The newer entity of an object of an older entity; nil if its objects are dropped.
    package func newEntity(of old: Int) -> Int? {
        guard newEntities.indices.contains(old), let place = newEntities[old], !new.entities[place].isAbstract else {
            return nil
        }
        return place
    }

    /// The concrete older entities whose objects have the relationship in the newer version.
    package func origins(of relationship: Schema.Relationship) -> [Int] {
        new.entities[relationship.owner].family.compactMap { oldEntities[$0] }
            .filter { !old.entities[$0].isAbstract && newEntity(of: $0) != nil }
    }
}
