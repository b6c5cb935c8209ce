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
        /// Whether the other side has the same links, and an export omits this one.
        let isDetermined: Bool
        /// The other end of a one-to-one relationship, if a difference counts there.
        var countedEnd: (a: Schema.Relationship, b: Schema.Relationship)?

        var name: String { a.name }
        /// Whether it compares as a list.
        var isOrdered: Bool { a.description.isOrdered && b.description.isOrdered }
    }

    struct Entity {
        let a: Schema.Entity
        let b: Schema.Entity
        var attributes: [Attribute]
        var relationships: [Relationship]
        /// The properties that pair objects; empty for `$id`.
        var key = DiffKey()
        /// Whether an option gives the key.
        var isKeyGiven = false

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
    private let scope: DiffScope

    /// - Parameters:
    ///   - limits: for each side that is an export of some entities, their names.
    ///   - columns: the columns of files of one table.
    /// - Throws: ``GranaryError`` with code `usage` for options that do not fit the schemas.
    init(
        _ a: Schema, _ b: Schema, _ options: StoreDiffOptions, limits: [Set<String>] = [], columns: [DiffColumns] = []
    ) throws(GranaryError) {
        scope = try DiffScope(options.entities, limits: limits, a, b)
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
        let ignored = try DiffIgnored(options.ignored, a, b, columns: Set(columns.flatMap(\.all)))
        differences = differences.filter { difference in
            isCompared(difference.entity)
                && !(difference.property.map { ignored.contains($0, of: difference.entity) } ?? false)
        }
        onlyInA = onlyInA.filter { isCompared($0.name) }
        onlyInB = onlyInB.filter { isCompared($0.name) }
        try setKeys(options, a)
        chooseEnds(a, b)
        for number in entities.indices {
            let name = entities[number].name
            entities[number].attributes.removeAll { ignored.contains($0.name, of: name) }
            entities[number].relationships.removeAll { ignored.contains($0.name, of: name) }
        }
        for one in columns { leaveOut(one) }
    }

    private mutating func setKeys(_ options: StoreDiffOptions, _ a: Schema) throws(GranaryError) {
        let keys = try DiffKeys(options, a, entities, isCompared: isCompared)
        for number in entities.indices {
            let found = try keys.key(of: entities[number], isCompared: isCompared(entities[number].name))
            (entities[number].key, entities[number].isKeyGiven) = (found.key, found.isGiven)
        }
        for entity in entities { try checkDestinations(of: entity) }
    }

    /// The objects to which a key refers are paired first.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the key of one of them refers to objects too.
    private func checkDestinations(of entity: Entity) throws(GranaryError) {
        for relationship in entity.key.relationships {
            let others = entities.filter { other in
                !other.key.relationships.isEmpty
                    && entities.contains {
                        $0.a.index == relationship.a.destination && $0.a.family.contains(other.a.index)
                    }
            }
            guard let other = others.first else { continue }
            throw GranaryError(
                .usage,
                "the key of \(entity.name): \"\(relationship.name)\" refers to \(other.name), whose own key contains a "
                    + "relationship; pair \(other.name) by attributes or by $id",
                help: OptionHelp.option("key", "\(other.name)=\(RecordTable.identifierColumn)"))
        }
    }

    /// Leaves out the properties for which a file has no column.
    private mutating func leaveOut(_ columns: DiffColumns) {
        var missing: [String] = []
        for number in entities.indices where columns.entities.contains(entities[number].name) {
            let one = entities[number]
            // An export omits the determined sides.
            let names = one.attributes.map(\.name) + one.relationships.filter { !$0.isDetermined }.map(\.name)
            missing += names.filter { !columns.contains($0) && !missing.contains($0) }
            entities[number].attributes.removeAll { !columns.contains($0.name) }
            entities[number].relationships.removeAll { !columns.contains($0.name) }
        }
        if let note = columns.note(missing) { notes.append(note) }
    }

    /// Whether the objects of an entity are compared.
    func isCompared(_ entity: String) -> Bool { scope.contains(entity) }

    /// The keys, by the entities' indexes in the first schema.
    var keysInA: [Int: DiffKey.Side] {
        Dictionary(entities.map { ($0.a.index, $0.key.inA) }) { first, _ in first }
    }

    /// The keys, by the entities' indexes in the second schema.
    var keysInB: [Int: DiffKey.Side] {
        Dictionary(entities.map { ($0.b.index, $0.key.inB) }) { first, _ in first }
    }

    // MARK: - Sides of relationships

    /// Decides which sides of relationships count, so that a changed link is one difference if the objects at both ends
    /// are compared.
    private mutating func chooseEnds(_ a: Schema, _ b: Schema) {
        for number in entities.indices {
            entities[number].relationships = entities[number].relationships.compactMap { relationship in
                let isOtherCompared =
                    scope.containsDestinations(of: relationship.a, in: a)
                    && scope.containsDestinations(of: relationship.b, in: b)
                guard isOtherCompared else { return relationship }
                if relationship.isDetermined { return nil }
                var relationship = relationship
                if let first = a.countedEnd(of: relationship.a), let second = b.countedEnd(of: relationship.b),
                    first.name == second.name
                {
                    relationship.countedEnd = (first, second)
                }
                return relationship
            }
        }
    }
}

extension Schema {
    /// The other end of a one-to-one relationship, if that end counts: the required one, or else that of the entity with
    /// the lower number, as in exports that omit inverses. Nil if this end counts.
    fileprivate func countedEnd(of relationship: Relationship) -> Relationship? {
        guard !relationship.isToMany, let inverse = relationship.inverse else { return nil }
        let other = entities[inverse.owner].relationships[inverse.relationship]
        guard other.isPersistent, !other.isToMany else { return nil }
        let (isOptional, isOtherOptional) = (relationship.description.isOptional, other.description.isOptional)
        guard isOptional == isOtherOptional else { return isOptional ? other : nil }
        return (other.owner, other.name) < (relationship.owner, relationship.name) ? other : nil
    }
}
