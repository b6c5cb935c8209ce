/// The sources of the properties of one entity's objects. (`NSEntityMapping`)
package struct EntityMapping: Sendable {
    /// Where the value of a property comes from.
    package enum Source: Sendable {
        /// The older entity has no such property.
        case none
        /// An attribute of the older entity; the value is converted if the types differ.
        case attribute(Schema.Attribute)
        /// A relationship of the older entity.
        case relationship(Schema.Relationship)
    }

    /// The index of the older entity.
    package let old: Int
    /// The index of the newer entity.
    package let new: Int
    /// The source of each slot of the newer entity.
    package let sources: [Source]
    /// The attributes of the older entity that no newer attribute continues.
    package let droppedAttributes: [Schema.Attribute]
    /// Those of ``droppedAttributes`` that a newer attribute of another type continues, so that code can convert them.
    package let unconvertedAttributes: [Schema.Attribute]
    /// The relationships of the older entity that no newer relationship continues.
    package let droppedRelationships: [Schema.Relationship]

    init(from old: Schema.Entity, of oldSchema: Schema, to new: Schema.Entity, of newSchema: Schema) {
        let pairs = RenamePairs(
            old: Self.items(of: old, in: oldSchema), new: Self.items(of: new, in: newSchema))
        var sources = [Source](repeating: .none, count: new.slotCount)
        var used: Set<Int> = []
        var unconverted: [Schema.Attribute] = []
        for (place, found) in pairs.oldOfNew.enumerated() {
            guard let found else { continue }
            switch (place < new.attributes.count, found < old.attributes.count) {
            case (true, true):
                let (attribute, source) = (new.attributes[place], old.attributes[found])
                guard attribute.isPersistent, source.isPersistent else { continue }
                guard Self.converts(source.type, attribute.type) else {
                    unconverted.append(source)
                    continue
                }
                sources[attribute.slot] = .attribute(source)
                used.insert(source.slot)
            case (false, false):
                let relationship = new.relationships[place - new.attributes.count]
                let source = old.relationships[found - old.attributes.count]
                guard relationship.isPersistent, source.isPersistent else { continue }
                sources[relationship.slot] = .relationship(source)
                used.insert(source.slot)
            default: continue
            }
        }
        self.old = old.index
        self.new = new.index
        self.sources = sources
        unconvertedAttributes = unconverted
        droppedAttributes = old.attributes.filter {
            $0.isPersistent && $0.description.derivationExpression == nil && !used.contains($0.slot)
        }
        droppedRelationships = old.relationships.filter { $0.isPersistent && !used.contains($0.slot) }
    }

    /// Whether values of one type become values of another.
    private static func converts(_ from: AttributeType, _ to: AttributeType) -> Bool {
        from == to || from.isNumeric && to.isNumeric
    }

    /// The attributes and relationships of an entity with their renaming identifiers, attributes first.
    private static func items(of entity: Schema.Entity, in schema: Schema) -> [RenamePairs.Item] {
        entity.attributes.map { RenamePairs.Item($0.name, identifier(of: $0, in: schema)) }
            + entity.relationships.map { RenamePairs.Item($0.name, $0.description.renamingIdentifier) }
    }

    /// The renaming identifier of an attribute; that of a composite's leaf begins with the composite's.
    private static func identifier(of attribute: Schema.Attribute, in schema: Schema) -> String? {
        guard let dot = attribute.name.firstIndex(of: ".") else { return attribute.description.renamingIdentifier }
        let name = attribute.name[..<dot]
        let composite = schema.entities[attribute.owner].description.attributes.first { $0.name == name }
        let start = composite?.renamingIdentifier ?? String(name)
        let rest = attribute.name[attribute.name.index(after: dot)...]
        guard !rest.contains("."), let leaf = attribute.description.renamingIdentifier else {
            return start + "." + rest
        }
        return start + "." + leaf
    }
}
