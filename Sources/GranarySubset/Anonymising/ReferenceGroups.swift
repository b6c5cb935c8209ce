import GranaryBase
import GranaryModel

/// The groups of attributes that virtual references connect: equal values get equal replacements, so that a value names
/// the same object afterwards.
struct ReferenceGroups {
    private struct Name: Hashable {
        let owner: Int
        let slot: Int
    }

    struct Found {
        /// The same for all attributes of the group.
        let name: String
        /// Whether texts are replaced as the UUIDs that they are.
        let comparesUUIDs: Bool
    }

    private var numbers: [Name: Int] = [:]
    private var withUUIDs: Set<Int> = []

    /// - Throws: ``GranaryError`` with code `usage`.
    init(_ references: [SubsetOptions.Reference], _ schema: Schema) throws(GranaryError) {
        for (index, reference) in references.enumerated() {
            let found = try VirtualReference(reference, index: index, schema)
            let ends = [found.attribute, found.target].map { Name(owner: $0.owner, slot: $0.slot) }
            // A reference to an attribute of another reference joins the two groups.
            let joined = Set(ends.compactMap { numbers[$0] })
            for (name, number) in numbers where joined.contains(number) { numbers[name] = index }
            for name in ends { numbers[name] = index }
            if found.comparesUUIDs || !joined.isDisjoint(with: withUUIDs) { withUUIDs.insert(index) }
        }
    }

    func group(of attribute: Schema.Attribute) -> Found? {
        numbers[Name(owner: attribute.owner, slot: attribute.slot)].map {
            Found(name: "reference \($0)", comparesUUIDs: withUUIDs.contains($0))
        }
    }
}
