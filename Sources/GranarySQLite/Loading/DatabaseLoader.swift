import Foundation

/// Fills empty tables of a database file that nobody else uses, page by page, without SQLite, which is faster than INSERT.
///
/// SQLite makes the file and its tables, and closes it. Rows go in, in the order of their rowids. After ``finish()`` the file is
/// a database like any other, which SQLite opens.
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
/// Nothing that is in the file is changed before ``finish()``: the new pages lie behind the others, and a file that is closed
/// before has bytes behind its last page, which ``discard()`` cuts off. The parts of the format are named in the code by the
/// sections of "Database File Format" (https://www.sqlite.org/fileformat2.html).
package final class DatabaseLoader {
    private let file: PageFile
    private var tables: [TablePages] = []

    /// - Throws: ``LoadError`` for a file that cannot be opened or is no database; one with a write-ahead log or reserved bytes in
    ///   its pages; and one whose header does not describe it.
    /// - Parameter indexMemory: how many bytes of entries each index may keep in memory; more go to a temporary file.
    package init(path: String, indexMemory: Int = TableIndex.memoryLimit(indexes: 4)) throws(LoadError) {
        file = try PageFile(path: path, indexMemory: indexMemory)
    }

    /// An empty table, by its root page, with its indexes.
    package func table(root: UInt32, indexes: [LoadedIndex] = []) -> TablePages {
        let table = TablePages(root: root, indexes: indexes, in: file)
        tables.append(table)
        return table
    }

    /// Writes all that is left. The file is not synced.
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
    /// Proof of `@unchecked`: the thread that builds the indexes does not use their sorters, and waits for the end of this one.
    private struct Sorting: @unchecked Sendable {
        let indexes: [TableIndex]
        let entries = SortedEntries()

        func run() {
            entries.run(indexes.count) { index, body throws(LoadError) in try indexes[index].forEach(body) }
        }
    }

    /// Whether the file cannot be used any more: ``finish()`` has failed while it changed pages that were there before.
    var isBroken: Bool { file.hasChangedPages }

    /// Takes back what was written, before ``finish()``.
    package func discard() { file.discard() }
}
