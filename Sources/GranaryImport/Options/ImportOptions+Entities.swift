import GranaryBase
import GranaryModel

/// Options for the objects of one entity: `Order.id` is the column, the property or the relationship `id` of the entity
/// `Order` and its subentities.
extension ImportOptions {
    /// The options for the objects of an entity. Those that name the entity, or one above it, have precedence over those
    /// that name none.
    func applied(to entity: Schema.Entity, in schema: Schema) -> ImportOptions {
        guard namesEntities else { return self }
        var result = self
        // A column can have a name with a dot, but a property cannot.
        result.constants = constants.filter { !$0.key.contains(".") }
        result.lookups = lookups.filter { !$0.key.contains(".") }
        result.missingPolicies = missingPolicies.filter { !$0.key.contains(".") }
        result.nestedKeys = nestedKeys.filter { !$0.key.contains(".") && !schema.isEntityKey($0.key) }
        for name in schema.names(above: entity) {
            let prefix = name + "."
            func merge<Value>(_ values: [String: Value], into target: inout [String: Value]) {
                for (key, value) in values where key.utf8.starts(with: prefix.utf8) {
                    target[String(key.dropFirst(prefix.count))] = value
                }
            }
            merge(columnMap, into: &result.columnMap)
            merge(columnOptions, into: &result.columnOptions)
            merge(constants, into: &result.constants)
            merge(lookups, into: &result.lookups)
            merge(missingPolicies, into: &result.missingPolicies)
            merge(nestedKeys, into: &result.nestedKeys)
            for key in constants.keys where key.utf8.starts(with: prefix.utf8) {
                result.entityConstants.insert(String(key.dropFirst(prefix.count)))
            }
            for column in ignoredColumns where column.utf8.starts(with: prefix.utf8) {
                result.ignoredColumns.insert(String(column.dropFirst(prefix.count)))
            }
            if schema.isEntityKey(name), let key = nestedKeys[name] {
                result.key = key
                result.hasEntityKey = true
            }
        }
        return result
    }

    /// Whether an option can name an entity.
    private var namesEntities: Bool {
        hasPaths || !nestedKeys.isEmpty || constants.keys.contains { $0.contains(".") }
            || lookups.keys.contains { $0.contains(".") } || missingPolicies.keys.contains { $0.contains(".") }
    }

    /// Checks the options that name properties of an entity.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for names that the model does not have.
    func checkEntities(in schema: Schema) throws(GranaryError) {
        let named = [
            ("constant for", Array(constants.keys), false), ("lookup of", Array(lookups.keys), true),
            ("policy for missing objects in", Array(missingPolicies.keys), true),
            ("key of objects in", Array(nestedKeys.keys), true),
        ]
        for (option, keys, isRelationship) in named {
            for key in keys.sorted() where key.contains(".") {
                let parts = key.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard let entity = schema.entity(named: parts[0]) else {
                    let hint = NearestText.hint(for: parts[0], in: schema.entities.map(\.name))
                    throw GranaryError(
                        .usage, "the \(option) \"\(key)\": the model has no entity \"\(parts[0])\"\(hint)")
                }
                let names = entity.relationships.map(\.name) + (isRelationship ? [] : entity.attributes.map(\.name))
                guard !names.contains(parts[1]) else { continue }
                throw GranaryError(
                    .usage,
                    "the \(option) \"\(key)\": \(entity.name) has no \(isRelationship ? "relationship" : "property") "
                        + "\"\(parts[1])\"" + NearestText.hint(for: parts[1], in: names)
                        + schema.owners(of: parts[1], besides: entity, areRelationships: isRelationship))
            }
        }
    }
}

extension Schema {
    /// The names of an entity and those above it, the entity's own last.
    fileprivate func names(above entity: Entity) -> [String] {
        var names = [entity.name]
        var next = entity.superentity
        while let index = next, entities.indices.contains(index), names.count <= entities.count {
            names.append(entities[index].name)
            next = entities[index].superentity
        }
        return names.reversed()
    }

    /// Whether a name of a key is that of an entity, not of a relationship.
    func isEntityKey(_ name: String) -> Bool {
        entity(named: name) != nil && entities.allSatisfy { $0.relationship(named: name) == nil }
    }

    /// `; Address and Customer have it`: the other entities that have a property. Empty if there are none, or many.
    func owners(of property: String, besides entity: Entity? = nil, areRelationships: Bool = false) -> String {
        let owners = entities.filter { other in
            guard other.index != entity?.index else { return false }
            return areRelationships
                ? other.relationship(named: property) != nil : other.property(named: property) != nil
        }
        guard let last = owners.last, owners.count <= 6 else { return "" }
        guard owners.count > 1 else { return "; \(last.name) has it" }
        return "; \(owners.dropLast().map(\.name).joined(separator: ", ")) and \(last.name) have it"
    }

    /// The rest of a name that begins with that of an entity: `id` for `Order.id`; nil for other names.
    func nameInEntity(_ name: String) -> String? {
        guard let dot = name.firstIndex(of: "."), entity(named: String(name[..<dot])) != nil else { return nil }
        return String(name[name.index(after: dot)...])
    }
}
