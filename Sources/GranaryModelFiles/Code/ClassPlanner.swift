import GranaryModel

/// Decides which classes a model needs, and what they and their properties are called.
///
/// An entity gets a class if the model names one. Its superclass is the class of the nearest superentity that has one;
/// properties of superentities without a class are in the class itself. Entities of one class are usually one entity
/// and its subentities; the class then has the properties of that entity. If other entities share a class, it has no
/// properties, and the classes below it declare those of all their superentities.
struct ClassPlanner {
    let schema: Schema
    private let honoursExtensions: Bool
    /// The names of the entities that get classes; nil for all.
    private let chosen: Set<String>?
    /// Whether classes also have properties for values without change tracking.
    let hasPrimitives: Bool
    /// The index into ``classes`` of each entity; nil if it has no class.
    private var classOfEntity: [Int?] = []
    /// The entity that declares each class.
    private var owners: [Int] = []
    /// The index of each class's superclass; nil for the plain managed object.
    private var superclasses: [Int?] = []
    /// The classes of entities that do not inherit from each other.
    private var shared: Set<Int> = []
    /// The classes, each after its superclass.
    var classes: [PlannedClass] = []
    /// The names in each class, including inherited ones.
    var members: [ClassNames] = []
    /// What was renamed or left out, for the user.
    var notes: [String] = []
    /// The names of structures for composites are also unique.
    var types: SwiftNameSpace
    /// The identifiers of all classes.
    private(set) var classNames: Set<String> = []
    /// The names of the structures for composites.
    var structureNames: Set<String> = []
    /// The identifiers that any property may get, which a structure inside a class cannot have.
    var propertyNames: Set<String> = []

    /// The names that are taken in a class.
    struct ClassNames {
        var properties = SwiftNameSpace()
        /// The suffixes of the names of to-many methods, such as `Skills` in `addToSkills`.
        var suffixes = SwiftNameSpace()
        var validations = SwiftNameSpace()
    }

    /// - Parameters:
    ///   - honoursExtensions: whether entities whose code the model leaves to the user get an extension of the user's
    ///     class. A model that states nothing about the code of any entity was not made by Xcode, or leaves all code to
    ///     the user; all its entities get classes.
    ///   - reservedTypes: further names that no class can have.
    ///   - chosen: the names of the entities that get classes; nil for all. The others are treated as if the model
    ///     named no class for them.
    ///   - hasPrimitives: whether classes also have properties for values without change tracking.
    init(
        _ schema: Schema, honoursExtensions: Bool, reservedTypes: Set<String>, chosen: Set<String>? = nil,
        hasPrimitives: Bool = false
    ) {
        self.schema = schema
        self.chosen = chosen
        self.hasPrimitives = hasPrimitives
        self.honoursExtensions =
            honoursExtensions && schema.entities.contains { $0.description.codeGenerationType != nil }
        let reserved = [SwiftIdentifier.impossible, SwiftIdentifier.impossibleTypes, TypeNames.modules, reservedTypes]
        types = SwiftNameSpace(taken: reserved.reduce(into: []) { $0.formUnion($1) }, ignoresCase: true)
        planClasses()
        noteClasses()
        classNames = Set(classes.flatMap { [$0.name, $0.machineName] })
        propertyNames = Self.propertyNames(of: schema)
        for index in classes.indices { planProperties(of: index) }
    }

    // MARK: - Classes

    private mutating func planClasses() {
        var byName: [String: Int] = [:]
        for entity in schema.entities {
            guard let name = className(of: entity) else {
                classOfEntity.append(nil)
                continue
            }
            if let known = byName[name] {
                classOfEntity.append(known)
                share(known, with: entity)
            } else {
                byName[name] = classes.count
                add(entity, class: name)
            }
        }
    }

    private mutating func add(_ entity: Schema.Entity, class name: String) {
        let superclass = nearestClass(above: entity)
        classOfEntity.append(classes.count)
        owners.append(entity.index)
        superclasses.append(superclass)
        let identifier = types.take(SwiftIdentifier.valid(name))
        let machineName = types.take("_" + identifier)
        var planned = PlannedClass(
            name: identifier, machineName: machineName, registeredName: name, entityName: entity.name,
            isExtension: honoursExtensions && entity.description.codeGenerationType != "class",
            superclass: superclass.map { classes[$0].name })
        if identifier != name {
            let note = "the class \(SwiftIdentifier.comment(name)) is named \(identifier) in Swift"
            planned.notes.append(note)
            notes.append("\(entity.name): \(note)")
        }
        classes.append(planned)
        members.append(ClassNames())
    }

    /// Notes that a further entity has a class. The superclass has to fit all entities of the class.
    private mutating func share(_ index: Int, with entity: Schema.Entity) {
        guard !schema.entities[owners[index]].family.contains(entity.index) else { return }
        if shared.insert(index).inserted {
            classes[index].isShared = true
            classes[index].notes.append(
                "several entities that do not inherit from each other have this class, so it has no properties")
        }
        let superclass = nearestClass(above: entity)
        guard superclass != index, superclass != superclasses[index] else { return }
        superclasses[index] = nil
        classes[index].superclass = nil
    }

    /// Notes which entities have no class, or a class without their properties.
    private mutating func noteClasses() {
        for entity in schema.entities where chosen?.contains(entity.name) ?? true {
            guard let index = classOfEntity[entity.index] else {
                let inherited = nearestClass(above: entity).map { classes[$0].name } ?? "ManagedObject"
                notes.append("\(entity.name): the model names no class; its objects are of the class \(inherited)")
                continue
            }
            let owner = schema.entities[owners[index]].name
            guard owner != entity.name else { continue }
            let name = SwiftIdentifier.comment(classes[index].registeredName)
            notes.append(
                shared.contains(index)
                    ? "\(entity.name): its class \(name) is also that of \(owner), so the class has no properties"
                    : "\(entity.name): its class \(name) has only the properties of \(owner)")
        }
    }

    /// The model's class name without its module; nil for the plain managed object and for entities that are not
    /// chosen.
    private func className(of entity: Schema.Entity) -> String? {
        guard chosen?.contains(entity.name) ?? true, let name = entity.description.managedObjectClassName else {
            return nil
        }
        let bare = name.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        return bare.isEmpty || bare == "NSManagedObject" ? nil : bare
    }

    private func nearestClass(above entity: Schema.Entity) -> Int? {
        var index = entity.superentity
        while let ancestor = index {
            if let found = classOfEntity[ancestor] { return found }
            index = schema.entities[ancestor].superentity
        }
        return nil
    }

    /// The class of an entity's objects, or of the nearest superentity that has one.
    func className(ofDestination index: Int) -> String? {
        let found = classOfEntity[index] ?? nearestClass(above: schema.entities[index])
        return found.map { classes[$0].name }
    }

    // MARK: - Properties

    private mutating func planProperties(of index: Int) {
        // Superclasses come first, and their names are final by now.
        if let superclass = superclasses[index] { members[index] = members[superclass] }
        guard !shared.contains(index) else { return }
        let inherited = declarers(above: index)
        var declaring = [schema.entities[owners[index]]]
        while let parent = declaring.last?.superentity, !inherited.contains(parent) {
            declaring.append(schema.entities[parent])
        }
        for entity in declaring.reversed() { planProperties(of: entity, in: index) }
    }

    /// The entities whose properties a class inherits from its superclasses.
    private func declarers(above index: Int) -> Set<Int> {
        var result: Set<Int> = []
        var next = superclasses[index]
        while let superclass = next {
            if !shared.contains(superclass) { result.insert(owners[superclass]) }
            next = superclasses[superclass]
        }
        return result
    }

    /// The identifiers of all properties and elements of composites, before any is renamed.
    private static func propertyNames(of schema: Schema) -> Set<String> {
        var names: Set<String> = []
        for entity in schema.entities {
            names.formUnion(entity.description.attributes.map { SwiftIdentifier.valid($0.name) })
            names.formUnion(entity.description.relationships.map { SwiftIdentifier.valid($0.name) })
            names.formUnion(entity.description.fetchedProperties.map { SwiftIdentifier.valid($0.name) })
        }
        for composite in schema.model.composites {
            names.formUnion(composite.elements.map { SwiftIdentifier.valid($0.name) })
        }
        return names
    }
}
