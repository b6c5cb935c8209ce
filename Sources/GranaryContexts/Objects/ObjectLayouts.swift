public import GranaryBase
public import GranaryCoordination
public import GranaryModel

/// The layouts of all entities of a coordinator's model, with their registered classes.
final class ObjectLayouts: Sendable {
    /// The layouts by entity index.
    let all: [ObjectLayout]
    let hasDerivedAttributes: Bool
    /// The to-many relationships without an inverse.
    private let exclusiveLinks: [LinkLayout]
    /// The layouts of the entities that each class is registered for.
    private let registrations: [ObjectIdentifier: [ObjectLayout]]

    init(_ schema: Schema, classes: [String: ManagedObject.Type]) {
        var all: [ObjectLayout] = []
        var registrations: [ObjectIdentifier: [ObjectLayout]] = [:]
        // Superentities come first.
        for entity in schema.entities {
            let named = Self.objectClass(of: entity, among: classes)
            let inherited = entity.superentity.map { all[$0].objectClass }
            let layout = ObjectLayout(
                schema: schema, entity: entity, objectClass: named ?? inherited ?? ManagedObject.self)
            all.append(layout)
            if named != nil || layout.objectClass == ManagedObject.self {
                registrations[ObjectIdentifier(layout.objectClass), default: []].append(layout)
            }
        }
        self.all = all
        self.registrations = registrations
        exclusiveLinks = all.flatMap { layout in
            layout.relationships.filter { $0.isExclusive && $0.id.owner == layout.index }
        }
        hasDerivedAttributes = all.contains(where: \.hasDerivedAttributes)
    }

    subscript(entity: Int) -> ObjectLayout { all[entity] }

    /// Returns the layouts of the entities that a class is registered for, without those that inherit the class from a
    /// superentity.
    func registered(for objectClass: ManagedObject.Type) -> [ObjectLayout] {
        registrations[ObjectIdentifier(objectClass)] ?? []
    }

    /// Returns the relationships without an inverse that may contain objects of an entity.
    func exclusiveRelationships(leadingTo layout: ObjectLayout) -> [LinkLayout] {
        exclusiveLinks.filter { layout.isKind(of: $0.end.destination) }
    }

    /// Returns the class registered under the model's class name, with or without its module (`.Customer`,
    /// `App.Customer`), or the plain one if none is. Returns nil if the model names no class: the entity then has the
    /// class of its superentity, so that its objects are also in typed relationships to the superentity.
    private static func objectClass(
        of entity: Schema.Entity, among classes: [String: ManagedObject.Type]
    ) -> ManagedObject.Type? {
        guard let name = entity.description.managedObjectClassName else { return nil }
        let bare = ClassRegistrations.bare(name)
        if let found = classes[name] ?? classes[bare] { return found }
        return bare.isEmpty || bare == "NSManagedObject" ? nil : ManagedObject.self
    }
}

extension PersistentStoreCoordinator {
    /// Creates a coordinator without stores.
    ///
    /// - Parameters:
    ///   - classes: the classes of objects by the model's class names. An entity without a class name has the class of
    ///     its superentity; other entities use ``ManagedObject``.
    ///   - transformers: transformers for Transformable attributes, in addition to the built-in ones.
    ///   - observer: receives what the stores and contexts do.
    /// - Throws: ``GranaryError`` with code `usage` if no entity has one of the class names, or a class is registered
    ///   under the name of another entity's class.
    public convenience init(
        schema: Schema, classes: [String: ManagedObject.Type],
        transformers: AttributeTransformers = AttributeTransformers(),
        observer: (any PersistentContainerObserver)? = nil
    ) throws(GranaryError) {
        try ClassRegistrations(schema, classes).check()
        self.init(
            schema: schema, transformers: transformers, objectLayouts: ObjectLayouts(schema, classes: classes),
            observer: observer)
    }

    /// Creates a coordinator without stores, whose objects are of the class ``ManagedObject``.
    ///
    /// - Parameter transformers: transformers for Transformable attributes, in addition to the built-in ones.
    public convenience init(schema: Schema, transformers: AttributeTransformers = AttributeTransformers()) {
        self.init(schema: schema, transformers: transformers, objectLayouts: ObjectLayouts(schema, classes: [:]))
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
