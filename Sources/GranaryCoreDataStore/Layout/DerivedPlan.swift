import GranaryCoordination
import GranaryModel

/// Which derived attributes of a model triggers keep.
struct DerivedPlan {
    struct Item {
        /// The entity that declares the attribute.
        let entity: Schema.Entity
        let attribute: Schema.Attribute
        let source: DerivedSource
    }

    /// In the order of entities and attributes.
    let computed: [Item]
    /// Those whose columns stay NULL.
    let uncomputed: [(entity: Schema.Entity, attribute: Schema.Attribute)]

    /// How many derived attributes may be derived one from the other. A change runs through as many triggers, and a
    /// connection lets triggers start triggers to a limited depth.
    static let chainLimit = 32

    private struct Key: Hashable {
        let owner: Int
        let slot: Int

        init(_ attribute: Schema.Attribute) {
            owner = attribute.owner
            slot = attribute.slot
        }
    }

    init(schema: Schema, layout: StoreLayout) {
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

    /// For each attribute how many derived ones, itself included, lie between it and plain ones; `Int.max` where it is
    /// derived from itself, or from one that is not computed.
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
