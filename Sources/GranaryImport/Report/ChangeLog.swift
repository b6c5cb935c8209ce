import GranaryBase
import GranaryCoordination
import GranaryModel

/// The changes of an import other than new rows: the first changes, and the number of all.
struct ChangeLog {
    private struct Change {
        let action: ImportChange.Action
        let entity: Int
        var properties: [String]
        var values: [ImportChange.Value]
        /// The natural key of a deleted object.
        let key: String?
        let place: RecordLocation?
    }

    private let limit: Int
    /// The changes in order.
    private var changes: [(id: MergeID, change: Change)] = []
    private var places: [MergeID: Int] = [:]
    /// The objects in ``changes``.
    private var known: Set<RowID> = []
    private(set) var count = 0

    init(limit: Int) { self.limit = limit }

    /// Adds a change, or adds properties to the change of the same object and record.
    ///
    /// - Parameter isNew: whether the record has no change of the object yet.
    mutating func note(
        _ action: ImportChange.Action, _ row: RowID, entity: Int, _ properties: [String], at place: RecordLocation?,
        isNew: Bool = true, key: String? = nil, values: [ImportChange.Value] = []
    ) {
        let id = Self.id(row, place)
        if let index = places[id] {
            let old = changes[index].change.properties
            changes[index].change.properties += properties.filter { !old.contains($0) }
            changes[index].change.values += values
            return
        }
        guard isNew else { return }
        let isKnown = known.contains(row)
        if !isKnown { count += 1 }
        guard changes.count < limit || isKnown else { return }
        known.insert(row)
        places[id] = changes.count
        changes.append(
            (
                id,
                Change(
                    action: action, entity: entity, properties: properties, values: values, key: key, place: place)
            ))
    }

    private static func id(_ row: RowID, _ place: RecordLocation?) -> MergeID {
        MergeID(row: row, record: place.map { RecordID($0) } ?? RecordID(file: -1, record: 0))
    }

    /// Whether the log keeps more changes. Beyond its limit it only counts them.
    var hasRoom: Bool { changes.count < limit }

    /// The changes for the report: one for each object, with the properties of all its records and the place of the
    /// first.
    ///
    /// - Parameter store: the store from which the natural keys of stored objects are read.
    func report(_ schema: Schema, files: [String], _ store: any StoreBackend) throws -> [ImportChange] {
        let keys = try keyIndexes(schema, store)
        var result: [ImportChange] = []
        var known: [RowID: Int] = [:]
        for (id, change) in changes {
            if let index = known[id.row] {
                result[index].properties = Set(result[index].properties + change.properties).sorted()
                for value in change.values {
                    if let place = result[index].values?.firstIndex(where: { $0.property == value.property }) {
                        result[index].values?[place].new = value.new
                    } else {
                        result[index].values?.append(value)
                    }
                }
                continue
            }
            known[id.row] = result.count
            let place = change.place
            result.append(
                ImportChange(
                    change.action, entity: schema.entities[change.entity].name,
                    id: schema.objectName(entity: change.entity, key: id.row.key), key: change.key ?? keys[id.row],
                    file: place.flatMap { files.indices.contains(Int($0.file)) ? files[Int($0.file)] : nil },
                    line: place?.line, properties: change.properties.sorted(),
                    values: change.action == .create || change.action == .delete ? nil : change.values))
        }
        return result
    }

    private func keyIndexes(_ schema: Schema, _ store: any StoreBackend) throws -> [RowID: String] {
        let text = ChangeText(schema: schema)
        var found: [RowID: String] = [:]
        let present = changes.filter { $0.change.action != .delete }.map(\.id.row)
        for (root, rows) in Dictionary(grouping: present, by: \.root) {
            var rest = Set(rows.map(\.key)).sorted()[...]
            while !rest.isEmpty {
                let stored = try store.read(root: root, keys: Array(rest.prefix(RowWriter.lookupRows)))
                rest = rest.dropFirst(RowWriter.lookupRows)
                for row in stored.rows.indices {
                    found[RowID(root: root, key: stored.rows[row].key)] = text.key(row: row, of: stored)
                }
            }
        }
        return found
    }
}
