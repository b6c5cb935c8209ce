import GranaryCoordination
import GranaryModel

/// The record that names each object: the one that created it or changed it last.
///
/// It is computed on first use. Most imports never use it, and it has an entry for each row.
final class RecordsByObject {
    /// The indexes after all records are read; nil once ``places`` is computed.
    private var keys: KeyIndexes?
    private var places: [RowID: RecordLocation] = [:]

    /// The `$id` of objects, if it is a key.
    private let identifiers: NaturalKeyIndex?
    private let schema: Schema

    init(_ keys: KeyIndexes?, _ identifiers: NaturalKeyIndex?, _ schema: Schema) {
        self.keys = keys
        self.identifiers = identifiers
        self.schema = schema
    }

    subscript(row: RowID) -> RecordLocation? {
        if let keys {
            places = keys.recordsByObject()
            for entry in (0..<(identifiers?.count ?? 0)).lazy.compactMap({ self.identifiers?[$0] }) {
                guard let place = entry.place, !entry.isRejected else { continue }
                places[RowID(root: schema.entities[Int(entry.entity)].root, key: entry.key)] = place
            }
            self.keys = nil
        }
        return places[row]
    }
}
