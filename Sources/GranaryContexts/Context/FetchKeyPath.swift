import GranaryBase
import GranaryCoordination
import GranaryModel

/// Key paths of predicates, sort descriptors and prefetches: `department.company.name`.
enum FetchKeyPath {
    /// - Parameter isOrder: whether the path is used for sorting.
    /// - Throws: ``GranaryError`` with code `usage` for an unknown property, a path that continues after a to-many
    ///   relationship, or a sort key that is a relationship.
    static func check(
        _ path: String, entity: Schema.Entity, schema: Schema, isOrder: Bool = false
    ) throws(GranaryError) {
        var entity = entity
        var parts = path.split(separator: ".").map(String.init)[...]
        if parts.first == "SELF" { parts.removeFirst() }
        while let name = parts.first {
            // The name of a composite's leaf contains a dot. Text and data have the key `length`.
            if entity.attributes.contains(where: { $0.name == parts.joined(separator: ".") }) { return }
            if entity.attribute(named: name) != nil { return }
            guard let relationship = entity.relationship(named: name) else { throw unknown(name, entity, path) }
            parts.removeFirst()
            guard parts.isEmpty ? !isOrder : !relationship.isToMany else {
                throw GranaryError(
                    .usage,
                    "\(entity.name): the key path \"\(Diagnostic.shortened(path))\" "
                        + (parts.isEmpty
                            ? "ends at objects; sort by one of their attributes"
                            : "continues after the to-many relationship \(name), which has many values"))
            }
            entity = schema.entities[relationship.destination]
        }
    }

    /// - Throws: ``GranaryError`` with code `usage` for an unknown relationship.
    static func checkRelationships(_ path: String, entity: Schema.Entity, schema: Schema) throws(GranaryError) {
        var entity = entity
        for name in path.split(separator: ".").map(String.init) {
            guard let relationship = relationship(named: name, from: entity, schema: schema) else {
                throw unknown(name, entity, path)
            }
            entity = schema.entities[relationship.destination]
        }
    }

    /// Returns the relationship of an entity or of one of its subentities.
    static func relationship(named name: String, from entity: Schema.Entity, schema: Schema) -> Schema.Relationship? {
        entity.family.lazy.compactMap { schema.entities[$0].relationship(named: name) }.first
    }

    private static func unknown(_ name: String, _ entity: Schema.Entity, _ path: String) -> GranaryError {
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        return GranaryError(
            .usage,
            "\(entity.name) has no property \"\(Diagnostic.shortened(name))\" for the key path "
                + "\"\(Diagnostic.shortened(path))\"\(NearestText.hint(for: name, in: names))")
    }

    /// Returns the value at the end of a path over to-one relationships; nil if a relationship on the path is NULL.
    static func value(_ path: String, of object: ManagedObject) throws -> AttributeValue? {
        var current = object
        var parts = path.split(separator: ".").map(String.init)[...]
        if parts.first == "SELF" { parts.removeFirst() }
        while let name = parts.first {
            let rest = parts.joined(separator: ".")
            if current.entity.attribute(named: rest) != nil { return try current.value(forKey: rest) }
            guard parts.count > 1 else { return nil }
            guard let next = try current.object(forKey: name) else { return nil }
            current = next
            parts.removeFirst()
        }
        return nil
    }

    /// Compares two values. NULL is first.
    static func order(_ left: AttributeValue?, _ right: AttributeValue?) -> Int {
        switch (left, right) {
        case (nil, nil): 0
        case (nil, _): -1
        case (_, nil): 1
        case (let left?, let right?): left.order(to: right) ?? 0
        }
    }
}

/// Keeps an error during the evaluation of a predicate, because subjects cannot throw.
final class SubjectFailure {
    var error: (any Error)?
}

/// Evaluates predicates on an object with its unsaved changes.
struct ObjectSubject: PredicateSubject {
    let object: ManagedObject
    let failure: SubjectFailure

    var predicateSelf: PredicateOperand? { .subject(self) }

    func predicateValue(forKey key: String) -> PredicateOperand? {
        do {
            switch object.entity.property(named: key) {
            case .attribute?: return try object.value(forKey: key).map(PredicateOperand.value)
            case .relationship(let index)? where object.layout.relationships[index].isToMany:
                return .list(
                    try object.objects(forKey: key).map { .subject(ObjectSubject(object: $0, failure: failure)) })
            case .relationship?:
                return try object.object(forKey: key).map { .subject(ObjectSubject(object: $0, failure: failure)) }
            case nil:
                let isComposite = object.entity.attributes.contains { $0.name.hasPrefix(key + ".") }
                return isComposite
                    ? .subject(CompositeSubject(object: object, prefix: key + ".", failure: failure)) : nil
            }
        } catch {
            failure.error = error
            return nil
        }
    }
}

/// Evaluates predicates on a composite attribute of an object.
private struct CompositeSubject: PredicateSubject {
    let object: ManagedObject
    let prefix: String
    let failure: SubjectFailure

    var predicateSelf: PredicateOperand? { .subject(self) }

    func predicateValue(forKey key: String) -> PredicateOperand? {
        let name = prefix + key
        if object.entity.attribute(named: name) == nil {
            return .subject(CompositeSubject(object: object, prefix: name + ".", failure: failure))
        }
        return ObjectSubject(object: object, failure: failure).predicateValue(forKey: name)
    }
}

/// Evaluates predicates on a stored row without creating its object.
struct StoredSubject: PredicateSubject {
    let row: StoredRow
    let context: ManagedObjectContext
    let failure: SubjectFailure

    var predicateSelf: PredicateOperand? { .subject(self) }

    func predicateValue(forKey key: String) -> PredicateOperand? {
        guard let attribute = row.layout.entity.attribute(named: key) else {
            return ObjectSubject(object: context.object(for: row), failure: failure).predicateValue(forKey: key)
        }
        return row.value(at: attribute.slot).attribute.map(PredicateOperand.value)
    }
}
