import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryRecords

/// The texts of links to objects: the values of the uniqueness constraint, or else of the attribute `name` or `title`, or
/// else the name of the object, `Patient/p57`.
struct ObjectLabels {
    /// The maximum number of scalars of a label.
    private static let length = 60
    /// Rows are read in small parts, because each can have large values.
    private static let readCount = 8

    private let store: any StoreBackend
    private let zone: ReaderZone
    private var labels: [ObjectPlace: String] = [:]
    private var attributes: [Int: [Schema.Attribute]] = [:]

    init(_ store: any StoreBackend, zone: ReaderZone) {
        self.store = store
        self.zone = zone
    }

    /// Reads the labels of objects that are not known yet.
    mutating func load(_ places: [ObjectPlace]) throws {
        let schema = store.schema
        let unknown = Set(places.filter { labels[$0] == nil && schema.entities.indices.contains($0.entity) })
        for (root, part) in Dictionary(grouping: unknown, by: { schema.entities[$0.entity].root }) {
            var keys = Set(part.map(\.key)).sorted()[...]
            while !keys.isEmpty {
                let batch = try store.read(root: root, keys: Array(keys.prefix(Self.readCount)))
                keys = keys.dropFirst(Self.readCount)
                for row in batch.rows.indices {
                    let place = ObjectPlace(entity: Int(batch.rows[row].entity), key: batch.rows[row].key)
                    let text = label(of: batch, row: row)
                    // A reference can name the superentity.
                    for known in part where known.key == place.key { labels[known] = text }
                    labels[place] = text
                }
            }
        }
    }

    /// The label of an object; nil if it does not exist, or was not loaded.
    subscript(_ place: ObjectPlace) -> String? { labels[place] }

    /// The label of a row.
    mutating func label(of batch: borrowing RowBatch, row: Int) -> String {
        let entity = Int(batch.rows[row].entity)
        var parts: [String] = []
        for attribute in attributes(of: entity) {
            switch ShownValue(batch, row: row, of: attribute, limit: Self.length) {
            case .number(let text), .plain(let text): parts.append(text)
            case .boolean(let flag): parts.append(flag ? "true" : "false")
            case .date(let seconds): parts.append(zone.text(seconds))
            case .text(let text, _) where !text.text.isEmpty: parts.append(text.text + (text.isCut ? "…" : ""))
            case .null, .text, .binary, .unreadable: break
            }
        }
        return parts.isEmpty
            ? store.schema.objectName(entity: entity, key: batch.rows[row].key) : parts.joined(separator: ", ")
    }

    private mutating func attributes(of index: Int) -> [Schema.Attribute] {
        if let known = attributes[index] { return known }
        let entity = store.schema.entities[index]
        let named = entity.attributes.first {
            $0.isPersistent && $0.type == .string && ["name", "title"].contains($0.name.lowercased())
        }
        let found = NaturalKey(of: entity, allowsSeveral: true)?.attributes ?? named.map { [$0] } ?? []
        attributes[index] = found
        return found
    }
}
