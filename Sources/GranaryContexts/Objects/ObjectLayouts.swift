import GranaryBase
public import GranaryCoordination
public import GranaryModel

/// The layouts of all entities of a coordinator's model, with their registered classes.
final class ObjectLayouts: Sendable {
    /// The layouts by entity index.
    let all: [ObjectLayout]
    let hasDerivedAttributes: Bool
    /// The to-many relationships without an inverse.
    private let exclusiveLinks: [LinkLayout]
    private let layoutsByClass: [ObjectIdentifier: [ObjectLayout]]

    init(_ schema: Schema, classes: [String: ManagedObject.Type]) {
        all = schema.entities.map { entity in
            ObjectLayout(schema: schema, entity: entity, objectClass: Self.objectClass(of: entity, among: classes))
        }
        exclusiveLinks = all.flatMap { layout in
            layout.relationships.filter { $0.isExclusive && $0.id.owner == layout.index }
        }
        hasDerivedAttributes = all.contains(where: \.hasDerivedAttributes)
        let named = all.filter { layout in
            layout.entity.description.managedObjectClassName != nil || layout.objectClass == ManagedObject.self
        }
        layoutsByClass = Dictionary(grouping: named) { ObjectIdentifier($0.objectClass) }
    }

    subscript(entity: Int) -> ObjectLayout { all[entity] }

    /// The layouts of the entities that name a class, in the order of the entities; for ``ManagedObject``, of those
    /// without a class.
    func layouts(of type: ManagedObject.Type) -> [ObjectLayout] { layoutsByClass[ObjectIdentifier(type)] ?? [] }

    /// Returns the relationships without an inverse that may contain objects of an entity.
    func exclusiveRelationships(leadingTo layout: ObjectLayout) -> [LinkLayout] {
        exclusiveLinks.filter { layout.isKind(of: $0.end.destination) }
    }

    /// Returns the class registered under the model's class name, with or without its module (`.Customer`,
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
    /// Creates a coordinator without stores.
    ///
    /// - Parameters:
    ///   - classes: the classes of objects by the model's class names; other entities use ``ManagedObject``.
    ///   - transformers: transformers for Transformable attributes, in addition to the built-in ones.
    public convenience init(
        schema: Schema, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers = AttributeTransformers()
    ) {
        self.init(
            schema: schema, transformers: transformers, objectLayouts: ObjectLayouts(schema, classes: classes))
    }

    /// Outside GranaryCoordination only the initialiser above is used, so the cast succeeds.
    var layouts: ObjectLayouts { objectLayouts as? ObjectLayouts ?? ObjectLayouts(schema, classes: [:]) }

    /// Returns the layout for new objects of an entity.
    func layout(named name: String) throws(GranaryError) -> ObjectLayout {
        let entity = try entity(named: name)
        guard !entity.isAbstract else {
            throw GranaryError(
                Diagnostic(.entityAbstract, "an abstract entity cannot have objects", entity: entity.name))
        }
        return layouts[entity.index]
    }
}
