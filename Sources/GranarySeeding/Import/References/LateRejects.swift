import GranaryBase
import GranaryModel

/// Records that turned out bad only when all were read: because of other records, or of the store.
struct LateRejects {
    private(set) var records: Set<RecordID> = []
    /// The records in the order of their refusal.
    private(set) var inOrder: [RecordID] = []
    /// Rows that refused records have made: they go, and who refers to them is refused.
    private(set) var rows: Set<RowID> = []
    /// What refused records have changed of rows that others have made: it is taken back.
    private(set) var merges: [MergeID] = []
    /// Rows that nobody has followed up yet.
    private var open: [RowID] = []
    let groups: RowGroups
    private let places: RowPlaces

    init(groups: RowGroups, places: RowPlaces) {
        self.groups = groups
        self.places = places
    }

    /// Refuses a record with all its rows; does nothing for one that was refused already.
    ///
    /// - Parameter row: the record's own object; nil for a link.
    mutating func reject(_ record: RecordID, row: RowID?) {
        guard records.insert(record).inserted else { return }
        inOrder.append(record)
        guard let row else { return }
        for row in groups.rows(of: record) ?? [row] {
            if isMade(row, by: record) {
                if rows.insert(row).inserted { open.append(row) }
            } else {
                merges.append(MergeID(row: row, record: record))
            }
        }
    }

    /// Whether the record has made the row, and not found it.
    func isMade(_ row: RowID, by record: RecordID) -> Bool {
        places[row].map { RecordID(file: $0.file, record: $0.record) == record } ?? false
    }

    /// Whether the row will not be there.
    func contains(_ row: RowID) -> Bool { rows.contains(row) }

    /// Whether what a reference of an object says does not count.
    func refuses(_ reference: ReferenceTable.Reference, owner: RowID) -> Bool {
        reference.isRejected || rows.contains(owner) || records.contains(RecordID(reference.place))
    }

    mutating func next() -> RowID? { open.popLast() }
}

/// Rows that come from one record: it and the objects nested in it, the record's own first.
struct RowGroups {
    private var groups: [RecordID: [RowID]] = [:]

    mutating func add(_ rows: [RowID], of record: RecordID) { groups[record] = rows }

    /// Nil for a record without nested objects.
    func rows(of record: RecordID) -> [RowID]? { groups[record] }
}
