internal import GranaryCSQLite

/// Damage that statements do not report: a seek in a damaged table misses rows, and an index can disagree with its
/// table.
extension Connection {
    /// Counts the rows of a table without its indexes. It reads the header of each record, so that SQLite reports a
    /// header that contradicts the values. A condition on the first columns would not find such a row.
    package func countRecords(of table: String) throws(SQLiteError) -> Int64 {
        let last = try prepare("SELECT name FROM pragma_table_info(?) ORDER BY cid DESC LIMIT 1")
        try last.bind(table, at: 1)
        // For the type, SQLite reads no overflow pages.
        let types = try last.step() ? last.string(at: 0).map { ", COUNT(typeof(\(SQL.quoteIdentifier($0))))" } : nil
        last.reset()
        return try integer("SELECT COUNT(*)\(types ?? "") FROM \(SQL.quoteIdentifier(table)) NOT INDEXED") ?? 0
    }

    /// Checks the pages of a table and its indexes, without the content of the indexes. After that, statements that
    /// seek rows by their rowids find all of them.
    ///
    /// - Returns: the first problem; nil if there is none.
    package func problem(inPagesOf table: String) throws(SQLiteError) -> String? {
        try firstProblem("PRAGMA quick_check(\(SQL.quoteIdentifier(table)))")
    }

    /// Checks that the indexes of a table contain its rows. It takes a pass over the table and one over each index.
    ///
    /// - Returns: the first problem; nil if there is none.
    package func problem(inIndexesOf table: String) throws(SQLiteError) -> String? {
        let name = SQL.quoteIdentifier(table)
        var indexes: [(name: String, columns: [String])] = []
        let list = try prepare("SELECT name, partial FROM pragma_index_list(?) ORDER BY seq")
        try list.bind(table, at: 1)
        while try list.step() {
            guard let index = try list.string(at: 0) else { continue }
            guard list.integer(at: 1) == 0, let columns = try columns(ofIndex: index),
                columns.count <= Self.digestLimit
            else {
                // Partial indexes, those on expressions, and very wide ones. It takes much longer.
                return try firstProblem("PRAGMA integrity_check(\(name))")
            }
            indexes.append((index, columns))
        }
        guard !indexes.isEmpty else { return nil }
        try registerDigest()
        let digests = indexes.map { Self.digest(of: $0.columns) }.joined(separator: ", ")
        let whole = try prepare("SELECT COUNT(*), \(digests) FROM \(name) NOT INDEXED")
        guard try whole.step() else { return nil }
        for (place, index) in indexes.enumerated() {
            let query = "SELECT COUNT(*), \(Self.digest(of: index.columns)) FROM \(name)"
            guard let part = try usable("\(query) INDEXED BY \(SQL.quoteIdentifier(index.name))"), try part.step()
            else { continue }
            if part.integer(at: 0) != whole.integer(at: 0) || part.integer(at: 1) != whole.integer(at: place + 1) {
                return "the index \(index.name) does not contain the rows of the table"
            }
        }
        return nil
    }

    /// Prepares a statement. Returns nil if SQLite cannot use the index, for example because its collation is unknown,
    /// or because it is the primary key of a table WITHOUT ROWID and thus the table itself.
    private func usable(_ query: String) throws(SQLiteError) -> Statement? {
        do { return try prepare(query) } catch {
            guard error.code == .error else { throw error }
            return nil
        }
    }

    /// The most columns whose digest is computed; SQLite allows 127 arguments of a function in some versions.
    private static let digestLimit = 100

    private static func digest(of columns: [String]) -> String {
        "GRANARY_DIGEST(\(columns.joined(separator: ", ")))"
    }

    /// The columns of an index and the columns that identify a row, quoted; nil for an index on an expression.
    private func columns(ofIndex index: String) throws(SQLiteError) -> [String]? {
        let statement = try prepare("SELECT cid, name FROM pragma_index_xinfo(?) ORDER BY seqno")
        try statement.bind(index, at: 1)
        var columns: [String] = []
        while try statement.step() {
            switch (statement.integer(at: 0), try statement.string(at: 1)) {
            case (-1, _): columns.append("_rowid_")
            case (0..., let name?): columns.append(SQL.quoteIdentifier(name))
            default: return nil
            }
        }
        return columns.isEmpty ? nil : columns
    }

    /// The first problem of damage that a pragma finds.
    private func firstProblem(_ pragma: String) throws(SQLiteError) -> String? {
        do {
            let statement = try prepare(pragma)
            while try statement.step() {
                let text = String(decoding: try statement.text(at: 0), as: UTF8.self)
                for line in text.split(separator: "\n") where !Self.isNoDamage(line) { return String(line) }
            }
            return nil
        } catch {
            switch error.code {
            case .corrupt: return error.message
            // An index calls a function that does not exist. No statement can use it.
            case .error: return nil
            default: throw error
            }
        }
    }

    /// Whether a line is no problem, its heading, or about rules of the schema, which other programs' tables can have.
    private static func isNoDamage(_ line: Substring) -> Bool {
        line == "ok" || line.hasPrefix("*** in database") || line.contains(" value in ")
            || line.hasPrefix("CHECK constraint failed")
    }

    /// Registers the aggregate function `GRANARY_DIGEST(values…)`: a number of the rows' values that does not depend on
    /// the order of the rows.
    private func registerDigest() throws(SQLiteError) {
        try check(
            sqlite3_create_function_v2(
                try open, "GRANARY_DIGEST", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil, nil,
                { context, count, values in
                    guard let memory = sqlite3_aggregate_context(context, 8), let values else {
                        return sqlite3_result_error_nomem(context)
                    }
                    var hash = RowHash()
                    for index in 0..<Int(count) { hash.add(values[index]) }
                    let sum = memory.assumingMemoryBound(to: UInt64.self)
                    sum.pointee &+= hash.value
                },
                { context in
                    let memory = sqlite3_aggregate_context(context, 0)
                    let sum = memory?.assumingMemoryBound(to: UInt64.self).pointee ?? 0
                    sqlite3_result_int64(context, Int64(bitPattern: sum))
                }, nil))
    }
}

/// A hash of the values of a row.
private struct RowHash {
    private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func add(_ column: OpaquePointer?) {
        switch sqlite3_value_type(column) {
        case SQLITE_INTEGER: add(1, UInt64(bitPattern: sqlite3_value_int64(column)))
        case SQLITE_FLOAT:
            let number = sqlite3_value_double(column)
            // A column of the affinity REAL stores whole numbers as integers.
            if let whole = Int64(exactly: number) {
                add(1, UInt64(bitPattern: whole))
            } else {
                add(2, number.bitPattern)
            }
        case SQLITE_TEXT:
            let start = sqlite3_value_text(column)
            add(3, UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(column))))
        case SQLITE_BLOB:
            let start = sqlite3_value_blob(column)
            add(4, UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(column))))
        default: add(5, 0)
        }
    }

    private mutating func add(_ kind: UInt64, _ bits: UInt64) {
        let (high, low) = (value ^ bits).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93 &+ kind << 1)
        value = high ^ low ^ kind &+ bits.byteSwapped
    }

    private mutating func add(_ kind: UInt64, _ bytes: UnsafeRawBufferPointer) {
        add(kind, UInt64(bytes.count))
        var place = 0
        while place + 8 <= bytes.count {
            add(kind, bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
        }
        var rest: UInt64 = 0
        for byte in bytes[place...] { rest = rest << 8 | UInt64(byte) }
        add(kind, rest)
    }
}
