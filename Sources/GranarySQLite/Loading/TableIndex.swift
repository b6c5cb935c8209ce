/// The entries of one index of a table being filled.
package final class TableIndex {
    private let index: LoadedIndex
    private let file: PageFile
    private let sorter: IndexSorter
    /// The places of the columns in a row.
    private let places: [Int]

    /// The maximum size of the entries of each of `count` indexes in memory, in bytes.
    package static func memoryLimit(indexes count: Int) -> Int {
        min(16 << 20, max(1 << 20, (64 << 20) / max(1, count)))
    }

    init(_ index: LoadedIndex, in file: PageFile) {
        self.index = index
        self.file = file
        places = index.columns.map(\.place)
        sorter = IndexSorter(
            descending: index.columns.map(\.isDescending), folder: file.folder, limit: file.indexMemory)
    }

    /// Adds the entry of a row: the values of the columns, and the rowid.
    func add(
        _ row: UnsafeBufferPointer<UInt8>, _ values: [IndexRecord.Value], rowID: Int64
    ) throws(LoadError) {
        try sorter.add(row, values, columns: places, rowID: rowID)
    }

    /// The number of entries.
    var count: Int { sorter.total }

    /// Calls `body` for each entry in order. It can be called once.
    func forEach(_ body: (UnsafeBufferPointer<UInt8>, Bool) throws(LoadError) -> Void) throws(LoadError) {
        try sorter.forEach(body)
    }

    /// Builds the pages of the index from its sorted entries.
    func build(
        _ forEach: ((UnsafeBufferPointer<UInt8>, Bool) throws(LoadError) -> Void) throws(LoadError) -> Void
    ) throws(LoadError) {
        let pages = IndexPages(root: index.root, in: file)
        var last: [UInt8] = []
        try forEach { record, mayRepeat throws(LoadError) in
            if index.isUnique {
                let isDuplicate =
                    mayRepeat
                    && last.withUnsafeBufferPointer {
                        IndexRecord.haveEqualKeys($0, record, columns: index.columns.count)
                    }
                guard !isDuplicate else {
                    throw LoadError(
                        path: file.path, "UNIQUE constraint failed: \(index.columnNames.joined(separator: ", "))",
                        isUnique: true)
                }
                last.removeAll(keepingCapacity: true)
                last.append(contentsOf: record)
            }
            try pages.append(record)
        }
        try pages.finish()
    }
}
