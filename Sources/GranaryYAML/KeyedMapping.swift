/// The members of a mapping by key.
package struct KeyedMapping<Key: TreeKey> {
    package let node: Int
    private var members: [Key: PlacedTree.Member] = [:]

    package init(node: Int) { self.node = node }

    /// The node of a key's value.
    package subscript(key: Key) -> Int? { members[key]?.value }

    /// The node of the key itself.
    package func keyNode(_ key: Key) -> Int? { members[key]?.key }

    package mutating func set(_ key: Key, _ member: PlacedTree.Member) { members[key] = member }
}
