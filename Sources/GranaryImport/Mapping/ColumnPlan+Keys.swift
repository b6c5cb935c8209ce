import GranaryBase
import GranaryModel
import GranaryRecords

/// The keys of references: attributes of the destination, and attributes of objects to which the destination refers.
extension ColumnPlan {
    /// The part of a relationship's key that a column has whose property is a path, such as `stop.number`; nil for other
    /// properties.
    func part(_ property: String) -> (relationship: Schema.Relationship, name: String)? {
        guard let dot = property.firstIndex(of: "."),
            let relationship = entity.relationship(named: String(property[..<dot])), relationship.isPersistent
        else { return nil }
        return (relationship, String(property[property.index(after: dot)...]))
    }

    /// The parts of a relationship's key that columns have, in the order of the destination's uniqueness constraint if
    /// they are all of it. Empty if no column has one.
    func parts(of relationship: Schema.Relationship) -> [String] {
        let start = relationship.name + "."
        var names = Set(options.columnMap.values.filter { $0.utf8.starts(with: start.utf8) })
        names = Set(names.map { String($0.dropFirst(start.count)) })
        guard !names.isEmpty else { return [] }
        let first = { (name: String) in String(name.prefix { $0 != "." }) }
        for constraint in schema.entities[relationship.destination].uniquenessConstraints
        where constraint.names.count == names.count && Set(constraint.names) == Set(names.map(first)) {
            return constraint.names.compactMap { name in names.first { first($0) == name } }
        }
        return names.sorted()
    }

    /// The names of the key by which the objects of a relationship are found; empty for `$id`.
    func keyNames(
        _ relationship: Schema.Relationship, _ destination: Schema.Entity
    ) throws(GranaryError) -> [String] {
        let parts = parts(of: relationship)
        if !parts.isEmpty {
            guard options.lookups[relationship.name] == nil else {
                throw GranaryError(
                    .usage,
                    "the columns of \(parts.map { "\"\(relationship.name).\($0)\"" }.joined(separator: ", ")) are the lookup of "
                        + "\"\(relationship.name)\", which has another one")
            }
            return parts
        }
        switch options.lookups[relationship.name] {
        case .attribute(let name)?: return [name]
        case .attributes(let list)?: return list
        case .identifier?: return []
        case nil: break
        }
        if let nested = options.nestedKeys[relationship.name] ?? entityKey(of: destination) { return nested }
        return NaturalKey(of: destination, allowsSeveral: true)?.attributes.map { $0.name } ?? []
    }

    /// The key that the options set for an entity, if it consists of attributes.
    private func entityKey(of other: Schema.Entity) -> [String]? {
        let applied = jobOptions.applied(to: other, in: schema)
        guard applied.hasEntityKey, let key = applied.key else { return nil }
        return key.allSatisfy { other.attribute(named: $0)?.isPersistent ?? false } ? key : nil
    }

    /// How the attribute in `line.code` is found through the destination's relationship `line`; nil if the name is no
    /// such path.
    func keyOwner(
        _ name: String, _ relationship: Schema.Relationship, _ destination: Schema.Entity, _ keys: inout KeyIndexes
    ) throws(GranaryError) -> (KeyOwner, Schema.Attribute)? {
        guard let dot = name.firstIndex(of: "."),
            let inner = destination.relationship(named: String(name[..<dot])), inner.isPersistent
        else { return nil }
        let attributeName = String(name[name.index(after: dot)...])
        let owner = schema.entities[inner.destination]
        let problem = "the lookup of \"\(relationship.name)\": "
        guard let attribute = owner.attribute(named: attributeName), attribute.isPersistent else {
            throw GranaryError(
                .usage,
                problem + "\(owner.name) has no attribute \"\(attributeName)\""
                    + NearestText.hint(for: attributeName, in: owner.attributes.map(\.name)))
        }
        guard !inner.isToMany, !schema.isOneToOne(inner) else {
            throw GranaryError(
                .usage,
                problem
                    + "\(destination.name).\(inner.name) is a \(inner.isToMany ? "to-many" : "one-to-one") relationship, "
                    + "which cannot be part of a key")
        }
        guard (options.missingPolicies[relationship.name] ?? options.onMissing) == .error else {
            throw GranaryError(
                .usage,
                problem
                    + "an object that is found through \(destination.name).\(inner.name) cannot be left out or created "
                    + "if it is missing", help: "--on-missing \(relationship.name)=error")
        }
        let indexNumber = keys.track(
            owner: owner.index, slots: [attribute.slot], names: [attributeName], isUnique: false)
        return (KeyOwner(relationship: inner, indexNumber: indexNumber), attribute)
    }
}
