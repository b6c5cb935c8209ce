/// Builds the B-tree of a table from its rows in the order of their rowids: "B-tree Pages" and "Representation Of SQL
/// Tables", https://www.sqlite.org/fileformat2.html#b_tree_pages.
///
/// The table must be empty. Its root page keeps its number.
package final class TablePages {
    private let file: PageFile
    private let format: PageFormat
    private let root: UInt32
    /// The leaf being filled.
    @exclusivity(unchecked) private var leaf: TreePage
    /// The full leaves, with the last rowid of each.
    private var children: [Child] = []
    @exclusivity(unchecked) private var lastRowID: Int64 = .min
    @exclusivity(unchecked) private var isEmpty = true
    /// The first overflow pages of the leaf's cells. Their parent is the leaf, whose number is not known yet.
    private var overflows: [UInt32] = []
    /// The values of a row for the indexes.
    @exclusivity(unchecked) private var values: [IndexRecord.Value] = []

    private struct Child {
        let page: UInt32
        let last: Int64
    }

    let indexes: [TableIndex]
    /// The number of leading columns that contain all indexed columns.
    private var indexedColumns = 0

    init(root: UInt32, indexes: [LoadedIndex], in file: PageFile) {
        self.root = root
        self.file = file
        format = file.format
        leaf = TreePage(.tableLeaf, size: format.pageSize)
        self.indexes = indexes.map { TableIndex($0, in: file) }
        indexedColumns = (indexes.flatMap { $0.columns.map(\.place) }.max() ?? -1) + 1
    }

    /// Whether a row with this rowid can be appended: whether it is larger than the last rowid.
    package func canAppend(_ rowID: Int64) -> Bool { isEmpty || rowID > lastRowID }

    /// Appends rows. Their rowids must be ascending and larger than the last rowid.
    package func append(_ batch: borrowing RecordBatch) throws(LoadError) {
        for row in batch.rows.indices { try append(batch, row, rowID: batch.rows[row].rowID) }
    }

    /// Appends one row of a batch with a rowid, which must be larger than the last rowid.
    package func append(_ batch: borrowing RecordBatch, _ row: Int, rowID: Int64) throws(LoadError) {
        let place = batch.rows[row]
        let record = UnsafeBufferPointer(rebasing: batch.records.all[place.start..<place.end])
        if !indexes.isEmpty { try index(record, rowID) }
        let local = format.local(record.count, limit: format.tableLeafLimit)
        let size = TreePage.rowSize(record.count, local: local, rowID: rowID)
        if !leaf.hasRoom(for: size) { try cutLeaf() }
        var overflow: UInt32 = 0
        if local < record.count {
            overflow = try OverflowChain.add(record, from: local, to: file)
            overflows.append(overflow)
        }
        leaf.addRow(record, size: size, local: local, rowID: rowID, overflow: overflow)
        lastRowID = rowID
        isEmpty = false
    }

    private func cutLeaf() throws(LoadError) {
        let page = try leaf.withBytes { bytes throws(LoadError) in try file.add(bytes, .tree, parent: 0) }
        children.append(Child(page: page, last: lastRowID))
        for overflow in overflows { file.setParent(page, of: overflow) }
        overflows.removeAll(keepingCapacity: true)
        leaf.removeAll()
    }

    /// Adds the entries of a row to the indexes.
    private func index(_ record: UnsafeBufferPointer<UInt8>, _ rowID: Int64) throws(LoadError) {
        IndexRecord.values(record, count: indexedColumns, into: &values)
        for index in indexes { try index.add(record, values, rowID: rowID) }
    }

    /// Builds the interior pages. The root page is replaced when the file is finished.
    func finish() throws(LoadError) {
        guard !isEmpty else { return }
        if children.isEmpty {
            for overflow in overflows { file.setParent(root, of: overflow) }
            file.replace(root, by: leaf.array)
            return
        }
        try cutLeaf()
        var level = children
        var cell = Bytes(capacity: 16)
        while true {
            let groups = Self.groups(level, room: format.pageSize - 12)
            var above: [Child] = []
            for group in groups {
                var page = TreePage(.tableInterior, size: format.pageSize)
                for child in level[group].dropLast() {
                    cell.removeAll()
                    cell.appendBigEndian(UInt64(child.page), bytes: 4)
                    cell.appendVarint(UInt64(bitPattern: child.last))
                    page.addCell(cell.all, size: cell.count)
                }
                guard let last = level[group].last else { continue }
                page.rightChild = last.page
                let number: UInt32
                if groups.count == 1 {
                    number = root
                    file.replace(root, by: page.array)
                } else {
                    number = try page.withBytes { bytes throws(LoadError) in try file.add(bytes, .tree, parent: 0) }
                }
                for child in level[group] { file.setParent(number, of: child.page) }
                above.append(Child(page: number, last: last.last))
            }
            if groups.count == 1 { return }
            level = above
        }
    }

    /// Divides children into pages. A page has a cell for each child except the last one, and at least one cell.
    private static func groups(_ children: [Child], room: Int) -> [Range<Int>] {
        var groups: [Range<Int>] = []
        var start = 0
        var used = 0
        for index in children.indices {
            // The size of the child's cell and its pointer.
            let size = 6 + Bytes.varintLength(UInt64(bitPattern: children[index].last))
            if used + size > room {
                groups.append(start..<index + 1)
                start = index + 1
                used = 0
            } else {
                used += size
            }
        }
        if start < children.count { groups.append(start..<children.count) }
        // A page of one child would have no cell.
        if let last = groups.last, last.count == 1, groups.count > 1 {
            let before = groups[groups.count - 2]
            groups[groups.count - 2] = before.lowerBound..<before.upperBound - 1
            groups[groups.count - 1] = before.upperBound - 1..<last.upperBound
        }
        return groups
    }
}
