import GranaryBase
import GranaryModel

/// Decides which classes a model needs, and what they and their properties are called.
///
/// An entity gets a class if the model names one. Its superclass is the class of the nearest superentity that has one;
/// properties of superentities without a class are in the class itself. Entities of one class must be one entity and its
/// subentities; the class then has the properties of that entity.
struct ClassPlanner {
    private let schema: Schema
    private let honoursExtensions: Bool
    /// The index into ``classes`` of each entity; nil if it has no class.
    private var classOfEntity: [Int?] = []
    /// The entity that declares each class.
    private var owners: [Int] = []
    private(set) var classes: [PlannedClass] = []
    /// The names of each class's properties, including inherited ones.
    private var members: [(properties: SwiftNameSpace, suffixes: SwiftNameSpace)] = []
    /// What was renamed or left out, for the user.
    private(set) var notes: [String] = []
    /// The names of structures for composites are also unique.
    private var types: SwiftNameSpace
    /// The identifiers of all classes.
    private var classNames: Set<String> = []

    /// - Parameters:
    ///   - honoursExtensions: whether entities whose code is a category in Xcode get an extension of the user's class.
    ///   - reservedTypes: further names that no class can have.
    /// - Throws: ``GranaryError`` with code `refused` if unrelated entities have the same class.
    init(_ schema: Schema, honoursExtensions: Bool, reservedTypes: Set<String>) throws(GranaryError) {
        self.schema = schema
        self.honoursExtensions = honoursExtensions
        types = SwiftNameSpace(
            taken: SwiftIdentifier.impossible.union(TypeNames.modules).union(reservedTypes), ignoresCase: true)
        try planClasses()
        classNames = Set(classes.flatMap { [$0.name, $0.machineName] })
        for index in classes.indices { planProperties(of: index) }
    }

    // MARK: - Classes

    private mutating func planClasses() throws(GranaryError) {
        var byName: [String: Int] = [:]
        for entity in schema.entities {
            guard let name = Self.className(of: entity) else {
                classOfEntity.append(nil)
                notes.append("\(entity.name): the model names no class; its objects are of the class ManagedObject")
                continue
            }
            if let known = byName[name] {
                let owner = schema.entities[owners[known]]
                guard owner.family.contains(entity.index) else {
                    throw GranaryError(
                        .refused,
                        "the entities \(owner.name) and \(entity.name) have the class \(name), but neither inherits from "
                            + "the other; give each a class of its own")
                }
                classOfEntity.append(known)
                notes.append("\(entity.name): its class \(name) has only the properties of \(owner.name)")
                continue
            }
            byName[name] = classes.count
            classOfEntity.append(classes.count)
            owners.append(entity.index)
            add(entity, class: name)
        }
    }

    private mutating func add(_ entity: Schema.Entity, class name: String) {
        let superclass = nearestClass(above: entity)
        let identifier = types.take(SwiftIdentifier.valid(name))
        let machineName = types.take("_" + identifier)
        var planned = PlannedClass(
            name: identifier, machineName: machineName, registeredName: name, entityName: entity.name,
            isAbstract: entity.isAbstract,
            isExtension: honoursExtensions && entity.description.codeGenerationType == "category",
            superclass: superclass.map { classes[$0].name })
        if identifier != name {
            let note = "the class \(SwiftIdentifier.comment(name)) is named \(identifier) in Swift"
            planned.notes.append(note)
            notes.append("\(entity.name): \(note)")
        }
        classes.append(planned)
        members.append((SwiftNameSpace(), SwiftNameSpace()))
    }

    /// The model's class name without its module; nil for the plain managed object.
    private static func className(of entity: Schema.Entity) -> String? {
        guard let name = entity.description.managedObjectClassName else { return nil }
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
    private func className(ofDestination index: Int) -> String? {
        let found = classOfEntity[index] ?? nearestClass(above: schema.entities[index])
        return found.map { classes[$0].name }
    }

    // MARK: - Properties

    private mutating func planProperties(of index: Int) {
        // Superclasses come first, and their names are final by now.
        if let superclass = nearestClass(above: schema.entities[owners[index]]) { members[index] = members[superclass] }
        var declaring = [schema.entities[owners[index]]]
        while let parent = declaring.last?.superentity, !owners.contains(parent) {
            declaring.append(schema.entities[parent])
        }
        for entity in declaring.reversed() { planProperties(of: entity, in: index) }
    }

    private mutating func planProperties(of entity: Schema.Entity, in index: Int) {
        // A subentity may repeat a property of its superentity.
        let inherited = entity.superentity.map { names(of: schema.entities[$0]) } ?? []
        for attribute in entity.description.attributes where !inherited.contains(attribute.name) {
            let name = propertyName(attribute.name, in: index)
            let planned = property(attribute, name: name, key: attribute.name, depth: 0)
            classes[index].properties.append(planned)
        }
        for relationship in entity.description.relationships where !inherited.contains(relationship.name) {
            let name = propertyName(relationship.name, in: index)
            let planned = property(relationship, name: name, in: index)
            classes[index].properties.append(planned)
        }
        for fetched in entity.description.fetchedProperties where !inherited.contains(fetched.name) {
            let name = propertyName(fetched.name, in: index)
            let destination = schema.entity(named: fetched.fetchRequest.entityName)?.index
            let objectClass = destination.flatMap { className(ofDestination: $0) }
            classes[index].properties.append(
                PlannedProperty(
                    name: name, key: fetched.name, kind: .fetched(objectClass),
                    summary: "The fetched property `\(fetched.name)`."))
        }
    }

    /// The names of an entity's own and inherited properties.
    private func names(of entity: Schema.Entity) -> Set<String> {
        var result: Set<String> = []
        var next: Schema.Entity? = entity
        while let current = next {
            result.formUnion(current.description.attributes.map(\.name))
            result.formUnion(current.description.relationships.map(\.name))
            result.formUnion(current.description.fetchedProperties.map(\.name))
            next = current.superentity.map { schema.entities[$0] }
        }
        return result
    }

    private mutating func propertyName(_ name: String, in index: Int) -> String {
        let taken = classNames
        let identifier = members[index].properties.take(SwiftIdentifier.valid(name)) { candidate in
            ReservedNames.managedObject.contains(candidate) || Self.isNoProperty(candidate)
                || taken.contains(candidate)
        }
        if identifier != name {
            let note = "the property \(name) is named \(identifier) in Swift"
            classes[index].notes.append(note)
            notes.append("\(classes[index].entityName): \(note)")
        }
        return identifier
    }

    /// Names of types are avoided because the properties' types would be looked up among the properties.
    private static func isNoProperty(_ name: String) -> Bool {
        SwiftIdentifier.impossible.contains(name) || TypeNames.all.contains(name)
    }

    private mutating func property(
        _ attribute: AttributeDescription, name: String, key: String, depth: Int
    ) -> PlannedProperty {
        if attribute.type == .composite, depth < CompositeFlattener.depthLimit,
            let composite = schema.model.composites.first(where: { $0.name == attribute.compositeName })
        {
            var elementNames = SwiftNameSpace(taken: ReservedNames.composite)
            var elements: [PlannedProperty] = []
            let typeName = types.take(SwiftIdentifier.capitalised(name) + "Elements")
            for var element in composite.elements {
                // An absent composite is NULL in every element.
                element.isOptional = element.isOptional || attribute.isOptional
                let elementName = elementNames.take(SwiftIdentifier.valid(element.name), unless: Self.isNoProperty)
                if elementName != element.name {
                    notes.append("\(key): the element \(element.name) is named \(elementName) in Swift")
                }
                elements.append(
                    property(element, name: elementName, key: "\(key).\(element.name)", depth: depth + 1))
            }
            return PlannedProperty(
                name: name, key: key, kind: .composite(typeName: typeName, elements),
                summary: "The elements of the composite attribute `\(key)`.")
        }
        let isReadOnly = attribute.derivationExpression != nil
        let words = [
            isReadOnly ? "derived" : nil, attribute.isTransient ? "transient" : nil,
            attribute.isOptional ? nil : "required",
        ].compactMap { $0 }
        return PlannedProperty(
            name: name, key: key, kind: .attribute(AttributeAccess(attribute), isReadOnly: isReadOnly),
            summary: "The \((words + ["attribute"]).joined(separator: " ")) `\(key)`: \(attribute.type.name).")
    }

    private mutating func property(
        _ relationship: RelationshipDescription, name: String, in index: Int
    ) -> PlannedProperty {
        let destination = schema.entity(named: relationship.destinationEntityName)?.index
        let objectClass = destination.flatMap { className(ofDestination: $0) }
        let kind: PlannedProperty.Kind
        if relationship.isToMany {
            let suffix = members[index].suffixes.take(SwiftIdentifier.capitalised(name))
            kind = .toMany(objectClass, isOrdered: relationship.isOrdered, suffix: suffix)
        } else {
            kind = .toOne(objectClass)
        }
        let order = relationship.isOrdered && relationship.isToMany ? "ordered " : ""
        let count = relationship.isToMany ? "to-many" : "to-one"
        return PlannedProperty(
            name: name, key: relationship.name, kind: kind,
            summary:
                "The \(order)\(count) relationship `\(relationship.name)` to \(relationship.destinationEntityName).")
    }
}
