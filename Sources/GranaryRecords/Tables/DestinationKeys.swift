import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// The natural keys of objects that rows refer to, looked up in batches.
///
/// Memory is bounded: above ``limit`` keys, all are discarded and looked up again.
struct DestinationKeys {
    /// The maximum number of cached keys.
    static let limit = 100_000

    let store: any StoreBackend
    let key: NaturalKey
    /// The destination's hierarchy.
    let root: Int
    /// Values by the objects' primary keys; `Optional.none` for an object whose key is NULL.
    private var values: [Int64: AttributeValue?] = [:]

    init(store: any StoreBackend, key: NaturalKey, root: Int) {
        self.store = store
        self.key = key
        self.root = root
    }

    /// The result of looking up an object's natural key.
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

    /// Looks up objects by their primary keys.
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
            // The text of a URI, because Foundation may spell it differently.
            // Irregular keys are reported with the objects that have them.
            let value = try batch.withCheckedValue(
                row: row, of: attribute, store.schema, irregular: IrregularValues()
            ) { value in
                if case .uri(let bytes) = value { AttributeValue(.text(bytes)) } else { AttributeValue(value) }
            }
            guard let value else { return nil }
            parts.append(value)
        }
        return parts.count == 1 ? parts[0] : .string(try KeyText.text(of: parts))
    }
}
