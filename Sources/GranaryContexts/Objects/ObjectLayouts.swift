import GranaryBase
public import GranaryCoordination
public import GranaryModel

/// The layouts of all entities of a coordinator's model, with the classes registered for them.
final class ObjectLayouts: Sendable {
    /// By the entity's index.
    let all: [ObjectLayout]
    let hasDerivedAttributes: Bool
    /// The to-many relationships without an inverse.
    private let exclusiveLinks: [LinkLayout]

    init(_ schema: Schema, classes: [String: ManagedObject.Type]) {
        all = schema.entities.map { entity in
            ObjectLayout(schema: schema, entity: entity, objectClass: Self.objectClass(of: entity, among: classes))
        }
        exclusiveLinks = all.flatMap { layout in
            layout.relationships.filter { $0.isExclusive && $0.id.owner == layout.index }
        }
        hasDerivedAttributes = all.contains(where: \.hasDerivedAttributes)
    }

    subscript(entity: Int) -> ObjectLayout { all[entity] }

    /// The relationships without an inverse that objects of an entity may be members of.
    func exclusiveRelationships(leadingTo layout: ObjectLayout) -> [LinkLayout] {
        exclusiveLinks.filter { layout.isKind(of: $0.end.destination) }
    }

    /// The class registered under the model's class name, or under that name without its module (`.Customer`,
    /// `App.Customer`).
    private static func objectClass(
        of entity: Schema.Entity, among classes: [String: ManagedObject.Type]
    ) -> ManagedObject.Type {
        guard let name = entity.description.managedObjectClassName else { return ManagedObject.self }
        let bare = name.split(separator: ".").last.map(String.init) ?? name
        return classes[name] ?? classes[bare] ?? ManagedObject.self
    }
}

extension PersistentStoreCoordinator {
    /// A coordinator without stores.
    ///
    /// - Parameters:
    ///   - classes: the classes of objects by the model's class names; entities without one have plain objects.
    ///   - transformers: those of Transformable attributes, in addition to the built-in ones.
    public convenience init(
        schema: Schema, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers = AttributeTransformers()
    ) {
        self.init(
            schema: schema, transformers: transformers, objectLayouts: ObjectLayouts(schema, classes: classes))
    }

    /// The only initialiser outside GranaryCoordination's own is the one above, so that the cast succeeds.
    var layouts: ObjectLayouts { objectLayouts as? ObjectLayouts ?? ObjectLayouts(schema, classes: [:]) }

    /// The layout for new objects of an entity.
    func layout(named name: String) throws(GranaryError) -> ObjectLayout {
        let entity = try entity(named: name)
        guard !entity.isAbstract else {
            throw GranaryError(
                Diagnostic(.entityAbstract, "an abstract entity has no objects of its own", entity: entity.name))
        }
        return layouts[entity.index]
    }
}
