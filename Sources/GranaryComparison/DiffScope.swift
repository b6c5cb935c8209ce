import GranaryBase
import GranaryModel

/// The entities whose objects are compared.
struct DiffScope {
    /// The names of the entities; nil for all.
    private let names: Set<String>?

    /// - Parameters:
    ///   - entities: the entities that are asked for, which stand for their subentities too; empty for all.
    ///   - limits: for each side that is an export of some entities, their names.
    /// - Throws: ``GranaryError`` with code `usage` for an unknown entity, and if nothing is left to compare.
    init(_ entities: [String], limits: [Set<String>], _ a: Schema, _ b: Schema) throws(GranaryError) {
        var parts = limits
        if !entities.isEmpty {
            var asked: Set<String> = []
            for name in entities {
                let found = [a, b].compactMap { schema in schema.entity(named: name).map { (schema, $0) } }
                guard !found.isEmpty else {
                    let known = Set((a.entities + b.entities).map(\.name)).sorted()
                    throw GranaryError(
                        .usage, "neither model has an entity \"\(name)\"" + NearestText.hint(for: name, in: known))
                }
                for (schema, entity) in found { asked.formUnion(entity.family.map { schema.entities[$0].name }) }
            }
            parts.append(asked)
        }
        guard let first = parts.first else {
            names = nil
            return
        }
        let common = parts.dropFirst().reduce(first) { $0.intersection($1) }
        guard !common.isEmpty else {
            let texts = parts.map { $0.sorted().joined(separator: ", ") }.joined(separator: "; ")
            throw GranaryError(.usage, "A and B have no entity to compare in common: \(texts)")
        }
        names = common
    }

    func contains(_ entity: String) -> Bool { names?.contains(entity) ?? true }

    /// Whether all objects that a relationship can refer to are compared.
    func containsDestinations(of relationship: Schema.Relationship, in schema: Schema) -> Bool {
        schema.entities[relationship.destination].family.allSatisfy {
            schema.entities[$0].isAbstract || contains(schema.entities[$0].name)
        }
    }
}
