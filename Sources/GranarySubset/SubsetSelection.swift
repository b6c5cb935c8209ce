import GranaryCoordination
import GranaryModel
import GranaryRecords

/// The objects of a subset by their keys: which ones were asked for, and which ones exist.
struct SubsetSelection: Sendable {
    let schema: Schema
    /// The objects that exist, by the index of their concrete entity.
    private(set) var found: [KeySet]
    /// All keys that were asked for, by the index of the root entity.
    private(set) var requested: [KeySet]

    init(schema: Schema) {
        self.schema = schema
        found = Array(repeating: KeySet(), count: schema.entities.count)
        requested = found
    }

    /// The number of objects.
    var count: Int { found.reduce(0) { $0 + $1.count } }

    /// Returns whether the key is asked for for the first time.
    mutating func request(_ key: Int64, root: Int) -> Bool { requested[root].insert(key) }

    mutating func add(_ key: Int64, entity: Int) { found[entity].insert(key) }

    func contains(_ key: Int64, entity: Int) -> Bool { found[entity].contains(key) }

    /// The concrete entity of an object of the subset; nil if it has no such object of `family`.
    func entity(of key: Int64, in family: Range<Int>) -> Int? {
        family.first { found[$0].contains(key) }
    }
}
