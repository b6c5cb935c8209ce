import GranaryBase
import GranaryModel

/// The properties that are not compared because an option names them: `PROPERTY`, or `ENTITY.PROPERTY` for an entity and
/// its subentities. A column of a file without a property can be ignored too.
struct DiffIgnored {
    private let names: [String]
    private let schemas: [Schema]

    /// - Parameter columns: the columns of files.
    /// - Throws: ``GranaryError`` with code `usage` for a name that neither model and no file has.
    init(_ names: [String], _ a: Schema, _ b: Schema, columns: Set<String>) throws(GranaryError) {
        self.names = names
        schemas = [a, b]
        for name in names where !columns.contains(name) { try check(name) }
    }

    /// The ignored names that are no properties of a schema, and so can only be columns of a file.
    static func columns(_ names: [String], in schema: Schema) -> Set<String> {
        let properties = Set(schema.entities.flatMap(Self.properties))
        return Set(names.filter { name in !properties.contains { Self.names($0, name) } && split(name, schema) == nil })
    }

    /// Whether a property of an entity, or an element of it, is ignored.
    func contains(_ property: String, of entity: String) -> Bool {
        names.contains { name in
            if Self.names(property, name) { return true }
            return schemas.contains { schema in
                guard let (owner, rest) = Self.split(name, schema), Self.names(property, rest) else { return false }
                return owner.family.contains { schema.entities[$0].name == entity }
            }
        }
    }

    /// Whether a name is that of a property, or of the composite attribute around it.
    private static func names(_ property: String, _ name: String) -> Bool {
        property == name || property.hasPrefix(name + ".")
    }

    /// The entity at the beginning of a name, and the rest of the name.
    private static func split(_ name: String, _ schema: Schema) -> (entity: Schema.Entity, property: String)? {
        guard let dot = name.firstIndex(of: "."), let entity = schema.entity(named: String(name[..<dot])) else {
            return nil
        }
        return (entity, String(name[name.index(after: dot)...]))
    }

    private func check(_ name: String) throws(GranaryError) {
        let parts = schemas.compactMap { schema in Self.split(name, schema).map { (schema, $0.entity, $0.property) } }
        let all = schemas.flatMap { $0.entities.flatMap(Self.properties) }
        if all.contains(where: { Self.names($0, name) }) { return }
        guard let (_, entity, rest) = parts.first else {
            let parts = name.split(separator: ".", maxSplits: 1)
            let hint =
                parts.count == 2
                ? NearestText.hint(for: String(parts[0]), in: Set(schemas.flatMap(\.entities).map(\.name)).sorted())
                : NearestText.hint(for: name, in: Set(all).sorted())
            throw GranaryError(.usage, "the ignored property \"\(name)\": neither model has it" + hint)
        }
        let own = parts.flatMap { schema, entity, _ in entity.family.flatMap { Self.properties(schema.entities[$0]) } }
        guard !own.contains(where: { Self.names($0, rest) }) else { return }
        throw GranaryError(
            .usage,
            "the ignored property \"\(name)\": \(entity.name) has no property \"\(rest)\""
                + NearestText.hint(for: rest, in: Set(own).sorted()))
    }

    private static func properties(_ entity: Schema.Entity) -> [String] {
        entity.attributes.map(\.name) + entity.relationships.map(\.name)
    }
}
