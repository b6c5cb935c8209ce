import GranaryBase
import GranaryModel

/// Records that turned out bad only when all were read: because of other records, or of the store.
struct LateRejects {
    private(set) var records: Set<RecordID> = []
    /// The records in the order of their refusal, each with its own row; nil for a link.
    private(set) var inOrder: [(record: RecordID, row: RowID?)] = []
    private(set) var rows: Set<RowID> = []
    /// Rows that nobody has followed up yet: others may refer to them.
    private var open: [RowID] = []
    /// The rows of records with nested objects, the record's own first.
    let groups: RowGroups

    init(groups: RowGroups) { self.groups = groups }

    /// Refuses a record with all its rows; does nothing for one that was refused already.
    mutating func reject(_ record: RecordID, row: RowID?) {
        let rows = row.map { groups.rows(with: $0) } ?? []
        if records.insert(record).inserted { inOrder.append((record, rows.first)) }
        for row in rows where self.rows.insert(row).inserted { open.append(row) }
    }

    func contains(_ row: RowID) -> Bool { rows.contains(row) }

    mutating func next() -> RowID? { open.popLast() }
}

/// Rows that come from one record: it and the objects nested in it.
struct RowGroups {
    private var numbers: [RowID: Int] = [:]
    private var groups: [[RowID]] = []

    mutating func add(_ rows: [RowID]) {
        for row in rows { numbers[row] = groups.count }
        groups.append(rows)
    }

    /// All rows of the record that a row comes from, the record's own first.
    func rows(with row: RowID) -> [RowID] { numbers[row].map { groups[$0] } ?? [row] }
}
