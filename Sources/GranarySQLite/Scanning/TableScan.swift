internal import GranaryCSQLite
internal import GranaryBase

/// Reads all rows of a table from the pages of the database file, in the order of their rowids.
///
/// It is several times as fast as a statement, but reads only plain cases: the database file contains all data of the
/// transaction (``init(_:table:columns:)``), and pages and records have the form of
/// https://www.sqlite.org/fileformat2.html. A scan that meets anything else, such as a damaged page, ends with
/// ``Step/stopped``, and the caller continues with a statement, which reports the error. The statement must read the
/// whole table again and leave out the rows that the scan has read: a seek to the next key would jump over a damaged
/// page.
package final class TableScan {
    /// The result of ``next()``.
    package enum Step: Sendable {
        /// There is a row: ``rowID`` and ``read(into:)``.
        case row
        /// There are no more rows.
        case end
        /// The scan cannot read the next row; a statement must read it.
        case stopped
    }

    /// An interior page of the table's tree.
    private struct Level {
        var page: ScannedPage
        /// The child that is visited next.
        var next = 0
    }

    // `@exclusivity(unchecked)` is safe: no method calls itself indirectly while it changes a property.
    private let file: ScannedFile
    private var levels: [Level] = []
    @exclusivity(unchecked) private var leaf: ScannedPage?
    /// The cell of the leaf that is read next.
    @exclusivity(unchecked) private var nextCell = 0
    /// The root page; 0 after it was visited.
    private var root: UInt32
    /// The number of pages that were visited. A tree has at most as many pages as the file.
    private var visited: UInt32 = 0
    /// The cell of the current row.
    @exclusivity(unchecked) private var cell: ScannedPage.Cell?
    private let record: ScannedRecord
    /// The whole record of the current row after ``read(into:)``; valid until the next call of ``next()``.
    @exclusivity(unchecked) package private(set) var payload = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

    /// The rowid of the current row.
    @exclusivity(unchecked) package private(set) var rowID = Int64.min
    /// The number of rows that were read, the current one included.
    @exclusivity(unchecked) package private(set) var rowCount = 0
    private var hasStopped = false

    /// Begins a scan in the connection's read transaction.
    ///
    /// - Parameters:
    ///   - key: the name of the column that must be the rowid (`INTEGER PRIMARY KEY`), so that the rows are in the
    ///     order of this column.
    ///   - columns: the names of the columns that ``read(into:)`` reads; `key` is one of them.
    /// - Returns: nil if the table cannot be scanned: outside a read transaction, in a database in memory, with rows in
    ///   a write-ahead log, in a database with UTF-16 texts, for a virtual table, for a table with another primary key,
    ///   and for a table with generated columns or with default values, which old rows can lack.
    package init?(
        _ connection: Connection, table: String, key: String, columns: [String]
    ) throws(SQLiteError) {
        guard connection.isInTransaction, connection.load == nil else { return nil }
        let database = try connection.open
        // The statement takes the lock that keeps the file unchanged.
        guard let root = try Self.rootPage(of: table, connection),
            let columns = try ScannedColumns(connection, table: table, key: key, columns: columns),
            sqlite3_txn_state(database, "main") == SQLITE_TXN_READ,
            let file = ScannedFile(database, isImmutable: connection.access == .immutable)
        else { return nil }
        self.root = root
        record = ScannedRecord(columns)
        self.file = file
    }

    private static func rootPage(of table: String, _ connection: Connection) throws(SQLiteError) -> UInt32? {
        let statement = try connection.prepare(
            "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?")
        try statement.bind(table, at: 1)
        guard try statement.step() else { return nil }
        let page = UInt32(clamping: statement.integer(at: 0))
        return page > 0 ? page : nil
    }

    /// Moves to the next row. After ``Step/stopped`` and ``Step/end``, the result stays the same.
    package func next() -> Step {
        while !hasStopped {
            if let leaf, nextCell < leaf.cellCount {
                nextCell &+= 1
                if moveToCell(nextCell &- 1, of: leaf) { return .row }
                (hasStopped, cell) = (true, nil)
                return .stopped
            }
            (leaf, cell) = (nil, nil)
            switch nextPage() {
            case .row: break
            case .end: return .end
            case .stopped: hasStopped = true
            }
        }
        return .stopped
    }

    /// Reads the columns of the current row. The values are valid until the next call of ``next()``.
    ///
    /// - Parameter values: as many as there are columns.
    /// - Returns: false if the record is not valid; the caller then reads the row with a statement.
    package func read(into values: UnsafeMutableBufferPointer<ColumnValue>) -> Bool {
        guard let cell else { return false }
        if let first = cell.overflow {
            guard let whole = file.payload(cell.local, size: cell.size, overflow: first) else { return false }
            payload = whole
        } else {
            payload = cell.local
        }
        return record.read(payload, rowID: rowID, into: values)
    }

    /// Whether the current row continues on overflow pages, which ``read(into:)`` reads.
    package var hasOverflow: Bool { cell?.overflow != nil }

    /// An integer of the current row, without reading overflow pages; nil if it is another value or not at the start of
    /// the row.
    ///
    /// - Parameter column: the index of the column.
    package func integer(_ column: Int) -> Int64? { cell.flatMap { record.integer(column, in: $0.local) } }

    /// Moves to the next page of the tree: a leaf, or an interior page.
    private func nextPage() -> Step {
        if root != 0 {
            defer { root = 0 }
            return descend(to: root) ? .row : .stopped
        }
        while let last = levels.indices.last {
            guard let child = levels[last].page.child(levels[last].next) else {
                levels.removeLast()
                continue
            }
            levels[last].next &+= 1
            return descend(to: child) ? .row : .stopped
        }
        return .end
    }

    private func descend(to number: UInt32) -> Bool {
        // SQLite reads trees of at most 20 levels. Of the largest files they have fewer.
        guard levels.count < 20, visited < file.pageCount, let page = file.page(number) else { return false }
        // Only the root of an empty table has no cells.
        guard page.cellCount > 0 || page.isLeaf && visited == 0 else { return false }
        visited &+= 1
        if page.isLeaf { (leaf, nextCell) = (page, 0) } else { levels.append(Level(page: page)) }
        return true
    }

    private func moveToCell(_ index: Int, of leaf: ScannedPage) -> Bool {
        guard let cell = leaf.cell(index, usableSize: file.usableSize), rowCount == 0 || cell.rowID > rowID
        else { return false }
        rowID = cell.rowID
        rowCount &+= 1
        self.cell = cell
        return true
    }
}
