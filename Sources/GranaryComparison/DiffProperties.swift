import GranaryModel
import GranaryRecords

/// Compares the properties of an entity in two schemas.
struct DiffProperties {
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
            if isCompared {
                let isDetermined = !schemas.a.carries(left) && !schemas.b.carries(right)
                relationships.append(.init(a: left, b: right, isDetermined: isDetermined))
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
