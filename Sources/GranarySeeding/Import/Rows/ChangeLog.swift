import GranaryBase
import GranaryModel
import GranaryPersistence

/// What an import has changed beside the rows that it has made: the first changes, and how many there are.
struct ChangeLog {
    private struct Change {
        let action: ImportChange.Action
        let entity: Int
        var properties: [String]
        let place: RecordPlace?
    }

    private let limit: Int
    /// What records have changed, in order; nil where it was taken back.
    private var changes: [(id: MergeID, change: Change?)] = []
    private var places: [MergeID: Int] = [:]
    /// How many records have changed an object that is among the first.
    private var records: [RowID: Int] = [:]
    private(set) var count = 0

    init(limit: Int) { self.limit = limit }

    /// - Parameter isNew: whether nothing was noted of the record before.
    mutating func note(
        _ action: ImportChange.Action, _ row: RowID, entity: Int, _ properties: [String], at place: RecordPlace?,
        isNew: Bool = true
    ) {
        let id = Self.id(row, place)
        if let known = places[id] {
            let old = changes[known].change?.properties ?? []
            changes[known].change?.properties += properties.filter { !old.contains($0) }
            return
        }
        guard isNew else { return }
        let others = records[row] ?? 0
        if others == 0 { count += 1 }
        guard changes.count < limit || others > 0 else { return }
        records[row] = others + 1
        places[id] = changes.count
        changes.append((id, Change(action: action, entity: entity, properties: properties, place: place)))
    }

    /// What a record has changed was taken back.
    mutating func forget(_ merge: MergeID) {
        guard let known = places.removeValue(forKey: merge) else {
            count -= 1
            return
        }
        changes[known].change = nil
        let others = (records[merge.row] ?? 1) - 1
        records[merge.row] = others > 0 ? others : nil
        if others == 0 { count -= 1 }
    }

    private static func id(_ row: RowID, _ place: RecordPlace?) -> MergeID {
        MergeID(row: row, record: place.map { RecordID($0) } ?? RecordID(file: -1, record: 0))
    }

    /// One change an object, with all that its records have changed; the first record's place.
    func report(_ schema: Schema, files: [String]) -> [ImportChange] {
        var result: [ImportChange] = []
        var known: [RowID: Int] = [:]
        for (id, change) in changes {
            guard let change else { continue }
            if let index = known[id.row] {
                result[index].properties = Set(result[index].properties + change.properties).sorted()
                continue
            }
            known[id.row] = result.count
            let place = change.place
            result.append(
                ImportChange(
                    change.action, entity: schema.entities[change.entity].name,
                    id: schema.objectName(entity: change.entity, key: id.row.key),
                    file: place.flatMap { files.indices.contains(Int($0.file)) ? files[Int($0.file)] : nil },
                    line: place?.line, properties: change.properties.sorted()))
        }
        return result
    }
}
