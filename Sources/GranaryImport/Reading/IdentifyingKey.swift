import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryRecords

/// The properties that identify the object of a row: attributes, and to-one relationships whose objects are known while
/// rows are read.
struct IdentifyingKey {
    /// The entity whose objects the key distinguishes.
    let owner: Int
    let slots: [Int]
    let names: [String]

    /// The default key of an entity: its natural key, or otherwise its first uniqueness constraint that contains
    /// relationships and can be a key.
    init?(of entity: Schema.Entity, _ options: ImportOptions, _ schema: Schema) {
        if let natural = NaturalKey(of: entity, allowsSeveral: true),
            let constraint = entity.uniquenessConstraints.first(where: { $0.names == natural.attributes.map(\.name) })
        {
            owner = constraint.owner
            slots = natural.attributes.map(\.slot)
            names = constraint.names
            return
        }
        for constraint in entity.uniquenessConstraints {
            let found = constraint.names.map { Self.slot(of: $0, in: entity, options, schema) }
            let slots = found.compactMap { try? $0.get() }
            guard !slots.isEmpty, slots.count == found.count else { continue }
            owner = constraint.owner
            self.slots = slots
            names = constraint.names
            return
        }
        return nil
    }

    /// The reason why a property cannot be part of a key.
    struct Problem: Error {
        let message: String
        var help: String?

        /// The problem as a usage error.
        ///
        /// - Parameter prefix: the beginning of its message.
        func usage(_ prefix: String = "") -> GranaryError {
            var error = GranaryError(.usage, prefix + message)
            error.help = help
            return error
        }
    }

    /// The slot of a property that can be part of a key.
    static func slot(
        of name: String, in entity: Schema.Entity, _ options: ImportOptions, _ schema: Schema
    ) -> Result<Int, Problem> {
        if let attribute = entity.attribute(named: name), attribute.isPersistent { return .success(attribute.slot) }
        guard let relationship = entity.relationship(named: name), relationship.isPersistent else {
            let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
            return .failure(
                Problem(
                    message: "\(entity.name) has no attribute or relationship \"\(name)\""
                        + NearestText.hint(for: name, in: names)))
        }
        if relationship.isToMany {
            return .failure(Problem(message: "\(entity.name).\(name) is a to-many relationship"))
        }
        // Its object can change as long as records are read.
        if schema.isOneToOne(relationship) {
            return .failure(Problem(message: "\(entity.name).\(name) is a one-to-one relationship"))
        }
        if options.linkRelationship != nil {
            return .failure(
                Problem(message: "\(entity.name).\(name) is a relationship, and link files find objects by attributes"))
        }
        if (options.missingPolicies[name] ?? options.onMissing) == .null {
            return .failure(
                Problem(
                    message: "\(entity.name).\(name) cannot be left out if its object is missing",
                    help: "--on-missing \(name)=error"))
        }
        return .success(relationship.slot)
    }

    /// Why an entity has no default key, with the option that gives it one.
    static func missing(
        _ entity: Schema.Entity, _ options: ImportOptions, _ schema: Schema, help: String
    ) -> Problem {
        let constraint = entity.uniquenessConstraints.first
        let problem = constraint?.names.lazy.compactMap { name -> Problem? in
            guard case .failure(let problem) = slot(of: name, in: entity, options, schema) else { return nil }
            return problem
        }.first
        guard let constraint, let problem else {
            return Problem(
                message: "\(entity.name) has no uniqueness constraint, so its rows need a key to find their objects; "
                    + "$id is the key of the rows of an export",
                help: help)
        }
        let names = constraint.names.joined(separator: ", ")
        return Problem(
            message: "the uniqueness constraint of \(entity.name) (\(names)) cannot be the key of its rows: "
                + problem.message, help: problem.help ?? help)
    }
}
