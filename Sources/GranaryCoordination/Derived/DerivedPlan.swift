package import GranaryModel

/// The derived attributes of a model that triggers compute.
package struct DerivedPlan {
    package struct Item {
        /// The entity that declares the attribute.
        package let entity: Schema.Entity
        package let attribute: Schema.Attribute
        package let source: DerivedSource
    }

    /// The computed attributes, in the order of entities and attributes.
    package let computed: [Item]
    /// The attributes whose columns stay NULL.
    package let uncomputed: [(entity: Schema.Entity, attribute: Schema.Attribute)]

    /// The largest number of derived attributes in a chain, each derived from the next. A change fires as many nested
    /// triggers, and SQLite limits the nesting depth.
    package static let chainLimit = 32

    private struct Key: Hashable {
        let owner: Int
        let slot: Int

        init(_ attribute: Schema.Attribute) {
            owner = attribute.owner
            slot = attribute.slot
        }
    }

    package init(schema: Schema, layout: some DerivedLayout) {
        let derived = schema.entities.flatMap { entity in
            entity.attributes.filter {
                $0.owner == entity.index && $0.isPersistent && $0.description.derivationExpression != nil
            }.map { (entity: entity, attribute: $0) }
        }
        var items: [Key: Item] = [:]
        for (entity, attribute) in derived {
            guard let source = DerivedSource.resolve(attribute, of: entity, schema: schema, layout: layout) else {
                continue
            }
            items[Key(attribute)] = Item(entity: entity, attribute: attribute, source: source)
        }
        let lengths = Self.chainLengths(items)
        func item(_ attribute: Schema.Attribute) -> Item? {
            lengths[Key(attribute), default: .max] <= Self.chainLimit ? items[Key(attribute)] : nil
        }
        computed = derived.compactMap { item($0.attribute) }
        uncomputed = derived.filter { item($0.attribute) == nil }
    }

    /// For each attribute, the number of derived attributes in its chain, itself included; `Int.max` if it is derived
    /// from itself or from an attribute that is not computed.
    private static func chainLengths(_ items: [Key: Item]) -> [Key: Int] {
        var lengths: [Key: Int] = [:]
        for start in items.keys {
            var chain: [Key] = []
            var visited: Set<Key> = []
            var next = start
            var length = 0
            while true {
                if let known = lengths[next] {
                    length = known
                    break
                }
                guard let item = items[next], visited.insert(next).inserted else {
                    length = .max
                    break
                }
                chain.append(next)
                guard let source = item.source.attribute, source.description.derivationExpression != nil else { break }
                next = Key(source)
            }
            for key in chain.reversed() {
                length = length >= chainLimit ? .max : length + 1
                lengths[key] = length
            }
        }
        return lengths
    }
}
