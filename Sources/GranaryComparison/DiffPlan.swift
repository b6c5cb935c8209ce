import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryRecords

/// What two schemas have in common: the entities, and for each the properties that are compared and the key that pairs
/// objects.
struct DiffPlan {
    /// An attribute that both schemas store with values of the same kind.
    struct Attribute {
        let a: Schema.Attribute
        let b: Schema.Attribute

        var name: String { a.name }
    }

    /// A relationship that both schemas store with the same number of destinations.
    struct Relationship {
        let a: Schema.Relationship
        let b: Schema.Relationship

        var name: String { a.name }
        /// Whether it compares as a list.
        var isOrdered: Bool { a.description.isOrdered && b.description.isOrdered }
    }

    struct Entity {
        let a: Schema.Entity
        let b: Schema.Entity
        var attributes: [Attribute]
        var relationships: [Relationship]
        /// The attributes that pair objects; empty for `$id`.
        var key: [Attribute] = []

        var name: String { a.name }
        /// Whether the entity is abstract in both schemas, so that neither store has objects of it.
        var isAbstract: Bool { a.isAbstract && b.isAbstract }
    }

    /// The entities that both schemas have, in the order of the first one. Their indexes are their numbers in the plan.
    private(set) var entities: [Entity] = []
    private(set) var differences: [StoreDiffSummary.SchemaDifference] = []
    /// The concrete entities that only one schema has.
    private(set) var onlyInA: [Schema.Entity] = []
    private(set) var onlyInB: [Schema.Entity] = []
    /// The numbers of the entities in the plan, by their indexes in the schemas.
    private(set) var numbersInA: [Int: Int] = [:]
    private(set) var numbersInB: [Int: Int] = [:]
    /// The notes on properties that are not compared because a file has no column for them.
    private(set) var notes: [Diagnostic] = []
    /// The names of the entities whose objects are compared; nil for all.
    private let scope: Set<String>?

    /// - Parameters:
    ///   - keys: the attributes that pair objects, by the name of their entity.
    ///   - names: the entities whose objects are compared, with their subentities; empty for all.
    ///   - columns: the columns of files of one entity.
    /// - Throws: ``GranaryError`` with code `usage` for a key that does not fit both schemas, and an unknown entity.
    init(
        _ a: Schema, _ b: Schema, keys: [String: [String]], entities names: [String] = [],
        columns: [DiffColumns] = []
    ) throws(GranaryError) {
        scope = try Self.scope(names, a, b)
        for entity in a.entities {
            guard let other = b.entity(named: entity.name) else {
                differences.append(.init(.onlyInA, entity.name))
                if !entity.isAbstract { onlyInA.append(entity) }
                continue
            }
            numbersInA[entity.index] = entities.count
            numbersInB[other.index] = entities.count
            var properties = DiffProperties(a, entity, b, other)
            properties.compare()
            differences += properties.differences
            entities.append(
                Entity(
                    a: entity, b: other, attributes: properties.attributes, relationships: properties.relationships))
        }
        for entity in b.entities where a.entity(named: entity.name) == nil {
            differences.append(.init(.onlyInB, entity.name))
            if !entity.isAbstract { onlyInB.append(entity) }
        }
        differences = differences.filter { isCompared($0.entity) }
        onlyInA = onlyInA.filter { isCompared($0.name) }
        onlyInB = onlyInB.filter { isCompared($0.name) }
        try setKeys(keys, a)
        for one in columns { leaveOut(one, a) }
    }

    /// Leaves out the properties for which a file has no column.
    private mutating func leaveOut(_ columns: DiffColumns, _ schema: Schema) {
        guard let entity = schema.entity(named: columns.entity) else { return }
        var missing: [String] = []
        for number in entities.indices where entity.family.contains(entities[number].a.index) {
            let one = entities[number]
            let names = one.attributes.map(\.name) + one.relationships.map(\.name)
            missing += names.filter { !columns.contains($0) && !missing.contains($0) }
            entities[number].attributes.removeAll { !columns.contains($0.name) }
            entities[number].relationships.removeAll { !columns.contains($0.name) }
        }
        if let note = columns.note(missing) { notes.append(note) }
    }

    /// Whether the objects of an entity are compared.
    func isCompared(_ entity: String) -> Bool { scope?.contains(entity) ?? true }

    private static func scope(_ names: [String], _ a: Schema, _ b: Schema) throws(GranaryError) -> Set<String>? {
        guard !names.isEmpty else { return nil }
        var scope: Set<String> = []
        for name in names {
            let found = [a, b].compactMap { schema in schema.entity(named: name).map { (schema, $0) } }
            guard !found.isEmpty else {
                let known = Set((a.entities + b.entities).map(\.name)).sorted()
                throw GranaryError(
                    .usage, "neither model has an entity \"\(name)\"" + NearestText.hint(for: name, in: known))
            }
            for (schema, entity) in found { scope.formUnion(entity.family.map { schema.entities[$0].name }) }
        }
        return scope
    }

    /// The attributes of the keys, by the entities' indexes in the first schema.
    var keysInA: [Int: [Schema.Attribute]] {
        Dictionary(entities.map { ($0.a.index, $0.key.map(\.a)) }) { first, _ in first }
    }

    /// The attributes of the keys, by the entities' indexes in the second schema.
    var keysInB: [Int: [Schema.Attribute]] {
        Dictionary(entities.map { ($0.b.index, $0.key.map(\.b)) }) { first, _ in first }
    }

    // MARK: - Keys

    private mutating func setKeys(_ keys: [String: [String]], _ a: Schema) throws(GranaryError) {
        let names = Set(entities.map(\.name))
        for name in keys.keys.sorted() where !names.contains(name) {
            throw GranaryError(
                .usage,
                "the key of \"\(name)\": the two models have no such entity in common"
                    + NearestText.hint(for: name, in: entities.map(\.name)))
        }
        for number in entities.indices {
            let entity = entities[number]
            if let given = Self.given(keys, for: entity.a, in: a) {
                entities[number].key = try Self.attributes(given.names, of: entity, given.owner)
            } else {
                entities[number].key = Self.constraint(of: entity)
            }
        }
    }

    /// The key that is given for an entity or for its nearest superentity.
    private static func given(
        _ keys: [String: [String]], for entity: Schema.Entity, in schema: Schema
    ) -> (names: [String], owner: String)? {
        guard !keys.isEmpty else { return nil }
        var next: Schema.Entity? = entity
        while let current = next {
            if let names = keys[current.name] { return (names, current.name) }
            next = current.superentity.map { schema.entities[$0] }
        }
        return nil
    }

    private static func attributes(
        _ names: [String], of entity: Entity, _ owner: String
    ) throws(GranaryError) -> [Attribute] {
        guard !names.isEmpty else { throw GranaryError(.usage, "the key of \(owner) has no attributes") }
        guard Set(names).count == names.count else {
            throw GranaryError(.usage, "the key of \(owner) names an attribute twice")
        }
        var found: [Attribute] = []
        for name in names {
            guard let attribute = entity.attributes.first(where: { $0.name == name }) else {
                throw GranaryError(
                    .usage,
                    "the key of \(owner): \"\(name)\" is not an attribute that both models store in \(entity.name)"
                        + NearestText.hint(for: name, in: entity.attributes.map(\.name)))
            }
            found.append(attribute)
        }
        return found
    }

    /// The attributes of the first uniqueness constraint that both schemas store.
    private static func constraint(of entity: Entity) -> [Attribute] {
        for side in [entity.a, entity.b] {
            guard let key = NaturalKey(of: side, allowsSeveral: true) else { continue }
            let found = key.attributes.compactMap { wanted in entity.attributes.first { $0.name == wanted.name } }
            if found.count == key.attributes.count { return found }
        }
        return []
    }
}

/// Compares the properties of an entity in two schemas.
private struct DiffProperties {
    private let schemas: (a: Schema, b: Schema)
    private let a: Schema.Entity
    private let b: Schema.Entity
    private(set) var attributes: [DiffPlan.Attribute] = []
    private(set) var relationships: [DiffPlan.Relationship] = []
    private(set) var differences: [StoreDiffSummary.SchemaDifference] = []

    init(_ schemaA: Schema, _ a: Schema.Entity, _ schemaB: Schema, _ b: Schema.Entity) {
        schemas = (schemaA, schemaB)
        self.a = a
        self.b = b
    }

    /// The properties that a store keeps and an export contains.
    private enum Stored {
        case attribute(Schema.Attribute)
        case relationship(Schema.Relationship)

        /// The name of the type, which is equal for equal properties.
        func type(in schema: Schema) -> String {
            switch self {
            case .attribute(let attribute): return attribute.type.name
            case .relationship(let relationship):
                let kind = relationship.description.isOrdered ? "ordered to-many" : "to-many"
                return (relationship.isToMany ? kind : "to-one") + " "
                    + schema.entities[relationship.destination].name
            }
        }
    }

    private static func stored(_ entity: Schema.Entity) -> [(name: String, property: Stored)] {
        var found: [(name: String, property: Stored)] = []
        for attribute in entity.attributes
        where attribute.isPersistent && attribute.description.derivationExpression == nil {
            found.append((attribute.name, .attribute(attribute)))
        }
        for relationship in entity.relationships where relationship.isPersistent {
            found.append((relationship.name, .relationship(relationship)))
        }
        return found
    }

    mutating func compare() {
        let others = Self.stored(b)
        let byName = Dictionary(others.map { ($0.name, $0.property) }) { first, _ in first }
        var known: Set<String> = []
        for (name, property) in Self.stored(a) {
            known.insert(name)
            guard let other = byName[name] else {
                differences.append(.init(.onlyInA, a.name, property: name))
                continue
            }
            add(name, property, other)
        }
        for (name, _) in others where !known.contains(name) {
            differences.append(.init(.onlyInB, a.name, property: name))
        }
    }

    private mutating func add(_ name: String, _ property: Stored, _ other: Stored) {
        let isCompared: Bool
        switch (property, other) {
        case (.attribute(let left), .attribute(let right)):
            isCompared = left.type.valueKind != nil && left.type.valueKind == right.type.valueKind
            if isCompared { attributes.append(.init(a: left, b: right)) }
        case (.relationship(let left), .relationship(let right)):
            isCompared = left.isToMany == right.isToMany
            if isCompared, schemas.a.carries(left) || schemas.b.carries(right) {
                relationships.append(.init(a: left, b: right))
            }
        case (.attribute, .relationship), (.relationship, .attribute): isCompared = false
        }
        let types = (property.type(in: schemas.a), other.type(in: schemas.b))
        guard types.0 != types.1 else { return }
        differences.append(
            .init(.different, a.name, property: name, a: types.0, b: types.1, isCompared: isCompared))
    }
}

extension AttributeType {
    fileprivate enum ValueKind {
        case integer, decimal, double, float, text, boolean, date, bytes, uuid, uri
    }

    /// The kind of the values; nil for types without stored values. Values of the same kind can be compared.
    fileprivate var valueKind: ValueKind? {
        switch self {
        case .integer16, .integer32, .integer64: .integer
        case .decimal: .decimal
        case .double: .double
        case .float: .float
        case .string: .text
        case .boolean: .boolean
        case .date: .date
        case .binary, .transformable: .bytes
        case .uuid: .uuid
        case .uri: .uri
        case .undefined, .objectID, .composite: nil
        }
    }
}
