import GranaryBase
import GranaryFormats
import GranaryImport
import GranaryRecords

/// The members of a mapping by key.
struct PlanMapping<Key: PlanKey> {
    let node: Int
    private var members: [Key: PlanTree.Member] = [:]

    init(node: Int) { self.node = node }

    /// The node of a key's value.
    subscript(key: Key) -> Int? { members[key]?.value }

    /// The node of the key itself.
    func keyNode(_ key: Key) -> Int? { members[key]?.key }

    mutating func set(_ key: Key, _ member: PlanTree.Member) { members[key] = member }
}
