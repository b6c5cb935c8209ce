import GranaryPersistence

/// Rows on their way from the reading thread to the writing one.
struct ImportBatch {
    /// A row whose object the store has already.
    struct Merge {
        /// An index into ``rows``.
        let row: Int
        /// The properties that it sets.
        let filled: SlotMask
        /// Whether defaults are among them.
        let replaces: Bool
        /// Whether it is a record of its own, and not an object nested in one.
        let isRecord: Bool
        /// Whether another record of the run has made or changed the object.
        let isShared: Bool
        /// Whether references of it are set at the end: only then is it known whether it changes the object.
        let waits: Bool
        let place: RecordPlace
    }

    var rows = RowBatch()
    var merges: [Merge] = []
    /// Which job of the run the rows are of.
    var job = 0

    var isEmpty: Bool { rows.isEmpty }

    mutating func removeAll() {
        rows.removeAll()
        merges.removeAll(keepingCapacity: true)
    }

    /// Takes back all rows from one on: those of a record that was refused.
    mutating func removeRows(from first: Int) {
        while rows.rows.count > first { rows.removeLastRow() }
        while let last = merges.last, last.row >= first { merges.removeLast() }
    }
}

/// A record of an import.
struct RecordID: Hashable {
    let file: Int32
    let record: Int

    init(_ place: RecordPlace) {
        file = place.file
        record = place.record
    }

    init(file: Int32, record: Int) {
        self.file = file
        self.record = record
    }
}
