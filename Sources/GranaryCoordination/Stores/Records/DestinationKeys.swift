import GranaryBase
import GranaryModel

/// The keys of objects that rows refer to, looked up a batch at a time.
///
/// Memory is bounded: past ``limit`` keys all are forgotten and looked up anew.
struct DestinationKeys {
    /// How many keys are remembered.
    static let limit = 100_000

    let store: any PersistentStore
    let key: NaturalKey
    /// The destination's hierarchy.
    let root: Int
    /// By the objects' keys in the store; `Optional.none` for an object whose key is NULL.
    private var values: [Int64: AttributeValue?] = [:]

    init(store: any PersistentStore, key: NaturalKey, root: Int) {
        self.store = store
        self.key = key
        self.root = root
    }

    /// What is known of an object's key.
    enum Lookup {
        case value(AttributeValue)
        case null
        case missing
    }

    subscript(object: Int64) -> Lookup {
        switch values[object] {
        case .some(.some(let value)): .value(value)
        case .some(.none): .null
        case .none: .missing
        }
    }

    /// Looks up the objects of one batch of rows.
    mutating func load(_ objects: [Int64]) throws {
        if values.count > Self.limit { values.removeAll(keepingCapacity: true) }
        let unknown = Set(objects).filter { values[$0] == nil }.sorted()
        var rest = unknown[...]
        while !rest.isEmpty {
            let batch = try store.read(root: root, keys: Array(rest.prefix(512)))
            rest = rest.dropFirst(512)
            for row in batch.rows.indices {
                values.updateValue(try value(row, in: batch), forKey: batch.rows[row].key)
            }
        }
    }

    private func value(_ row: Int, in batch: borrowing RowBatch) throws -> AttributeValue? {
        var parts: [AttributeValue] = []
        for attribute in key.attributes {
            // A URI's text, since Foundation may spell it anew.
            let value = try batch.withCheckedValue(row: row, of: attribute, store.schema) { value in
                if case .uri(let bytes) = value { AttributeValue(.text(bytes)) } else { AttributeValue(value) }
            }
            guard let value else { return nil }
            parts.append(value)
        }
        return parts.count == 1 ? parts[0] : .string(try KeyText.text(of: parts))
    }
}
