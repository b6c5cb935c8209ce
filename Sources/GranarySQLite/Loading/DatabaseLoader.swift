import Foundation

/// Fills empty tables of a database file page by page, without SQLite. This is faster than INSERT.
///
/// SQLite creates the file and its tables, and closes it. No other process may use the file. Rows are appended in the
/// order of their rowids. After ``finish()`` SQLite can open the file as any other database.
///
/// ```swift
/// let loader = try DatabaseLoader(path: "new.sqlite")
/// let table = loader.table(root: rootPage)    // SELECT rootpage FROM sqlite_schema WHERE name = 'T'
/// var rows = RecordBatch()
/// rows.addNull()                              // the INTEGER PRIMARY KEY
/// rows.add(text: name)
/// rows.endRow(rowID: 1)
/// try table.append(rows)
/// try loader.finish()
/// ```
///
/// Existing pages are not changed before ``finish()``: new pages are written after the last page, and ``discard()``
/// truncates them. Comments in the code refer to the sections of "Database File Format"
/// (https://www.sqlite.org/fileformat2.html).
package final class DatabaseLoader {
    private let file: PageFile
    private var tables: [TablePages] = []

    /// - Parameter indexMemory: the maximum size of the entries of each index in memory; more are written to a
    ///   temporary file.
    /// - Throws: ``LoadError`` if the file cannot be opened, is not a database, has a write-ahead log, has reserved
    ///   bytes in its pages, or has another size than its header specifies.
    package init(path: String, indexMemory: Int = TableIndex.memoryLimit(indexes: 4)) throws(LoadError) {
        file = try PageFile(path: path, indexMemory: indexMemory)
    }

    /// Returns the empty table with a root page.
    package func table(root: UInt32, indexes: [LoadedIndex] = []) -> TablePages {
        let table = TablePages(root: root, indexes: indexes, in: file)
        tables.append(table)
        return table
    }

    /// Writes the remaining pages and the indexes. The file is not synced.
    package func finish() throws(LoadError) {
        for table in tables { try table.finish() }
        try buildIndexes()
        try file.finish()
    }

    /// Builds the indexes in sequence, while two other threads sort the entries of the following indexes.
    private func buildIndexes() throws(LoadError) {
        let indexes = tables.flatMap(\.indexes)
        guard indexes.reduce(0, { $0 + $1.count }) > Self.entriesWithoutThreads else {
            for index in indexes { try index.build { body throws(LoadError) in try index.forEach(body) } }
            return
        }
        let group = DispatchGroup()
        let sortings = (0..<2).map { number in
            Sorting(indexes: stride(from: number, to: indexes.count, by: 2).map { indexes[$0] })
        }
        for sorting in sortings {
            group.enter()
            let thread = Thread {
                sorting.run()
                group.leave()
            }
            thread.start()
        }
        defer {
            for sorting in sortings { sorting.entries.stop() }
            group.wait()
        }
        for (number, index) in indexes.enumerated() {
            let entries = sortings[number % 2].entries
            try index.build { body throws(LoadError) in try entries.forEach(body) }
        }
    }

    /// Up to this number of entries, sorting takes less time than starting threads.
    private static let entriesWithoutThreads = 1_000

    /// The work of one sorting thread: every second index.
    ///
    /// `@unchecked Sendable` is safe: the building thread does not use the sorters of these indexes, and waits for the
    /// end of the sorting thread.
    private struct Sorting: @unchecked Sendable {
        let indexes: [TableIndex]
        let entries = SortedEntries()

        func run() {
            entries.run(indexes.count) { index, body throws(LoadError) in try indexes[index].forEach(body) }
        }
    }

    /// Whether the file is unusable because ``finish()`` failed while it changed existing pages.
    var isBroken: Bool { file.hasChangedPages }

    /// Removes the new pages. Call it instead of ``finish()``.
    package func discard() { file.discard() }
}
