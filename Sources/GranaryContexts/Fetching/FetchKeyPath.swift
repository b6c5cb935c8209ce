import GranaryBase
import GranaryCoordination
import GranaryModel

/// Key paths of prefetches: `department.company`.
enum FetchKeyPath {
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
        let names = entity.relationships.map(\.name)
        return GranaryError(
            .usage,
            "\(entity.name) has no relationship \"\(Diagnostic.shortened(name))\" for the key path "
                + "\"\(Diagnostic.shortened(path))\"\(NearestText.hint(for: name, in: names))")
    }
}
