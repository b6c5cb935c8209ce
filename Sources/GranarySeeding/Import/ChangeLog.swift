import GranaryBase
import GranaryModel
import GranaryPersistence

/// What an import has changed beside the rows that it has made: the first changes, and how many there are.
struct ChangeLog {
    private struct Change {
        let action: ImportChange.Action
        let row: RowID
        let entity: Int
        var properties: [String]
        let place: RecordPlace?
    }

    private let limit: Int
    private var changes: [Change] = []
    private var places: [RowID: Int] = [:]
    private(set) var count = 0

    init(limit: Int) { self.limit = limit }

    /// - Parameter isNew: whether nothing was noted of the object before.
    mutating func note(
        _ action: ImportChange.Action, _ row: RowID, entity: Int, _ properties: [String], at place: RecordPlace?,
        isNew: Bool = true
    ) {
        if let known = places[row] {
            changes[known].properties += properties.filter { !changes[known].properties.contains($0) }
            return
        }
        guard isNew else { return }
        count += 1
        guard changes.count < limit else { return }
        places[row] = changes.count
        changes.append(Change(action: action, row: row, entity: entity, properties: properties, place: place))
    }

    /// A change that was noted was taken back.
    mutating func forget(_ row: RowID) {
        places[row] = nil
        count -= 1
    }

    func report(_ schema: Schema, files: [String]) -> [ImportChange] {
        changes.indices.compactMap { index -> ImportChange? in
            let change = changes[index]
            guard places[change.row] == index else { return nil }
            let place = change.place
            return ImportChange(
                change.action, entity: schema.entities[change.entity].name,
                id: schema.objectName(entity: change.entity, key: change.row.key),
                file: place.flatMap { files.indices.contains(Int($0.file)) ? files[Int($0.file)] : nil },
                line: place?.line, properties: change.properties.sorted())
        }
    }
}
