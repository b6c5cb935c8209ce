import GranaryBase
import GranaryCoordination
import GranarySQLite

extension Statement {
    /// Binds a cell of a row. Text and bytes are borrowed: `bytes` must be valid until the statement has run.
    ///
    /// - Parameter isTagged: whether binary data is stored with the tag byte of external storage.
    /// - Throws: ``CellRefusal`` or ``SQLiteError``.
    func bind(_ cell: StoredCell, _ bytes: UnsafeBufferPointer<UInt8>, isTagged: Bool, at index: Int) throws {
        switch cell {
        case .null: try bindNull(at: index)
        case .integer(let value): try bind(value, at: index)
        case .real(let value):
            guard value.isFinite else { throw CellRefusal.notFinite(value) }
            try bind(value, at: index)
        case .text(let start, let count): try bindBorrowedText(bytes.slice(start, count), at: index)
        case .blob(let start, let count):
            let span = bytes.slice(start, count)
            guard isTagged else { return try bindBorrowedBlob(span, at: index) }
            var tagged: [UInt8] = []
            tagged.reserveCapacity(span.count + 1)
            tagged.append(ExternalData.inlineTag)
            tagged.append(contentsOf: span)
            try bind(blob: tagged, at: index)
        case .file(let start, let count):
            // A copy from a store that leaves large values in files, into a column whose values stay in the table.
            let path = String(decoding: bytes.slice(start, count), as: UTF8.self)
            var value = isTagged ? [ExternalData.inlineTag] : []
            value += try ByteSource(path: path).readAll(limit: RowBatch.fileLimit)
            try bind(blob: value, at: index)
        case .decimal(let start, let count):
            throw CellRefusal.rounded(String(decoding: bytes.slice(start, count), as: UTF8.self))
        case .reference(let key, _): try bind(key, at: index)
        }
    }

    /// Binds a blob.
    func bind(blob: [UInt8], at index: Int) throws {
        try blob.withUnsafeBufferPointer { try bindBlob($0, at: index) }
    }

    /// Binds an integer; nil is NULL.
    func bind(_ value: Int64?, at index: Int) throws {
        if let value { try bind(value, at: index) } else { try bindNull(at: index) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes of a cell. ``RowBatch`` appends them when it makes the cell, so the range is inside the buffer.
    func slice(_ start: UInt32, _ count: UInt32) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[Int(start)..<Int(start) + Int(count)])
    }
}

extension Connection {
    /// Runs a statement with integer parameters; nil is NULL.
    func run(_ sql: String, _ parameters: [Int64?]) throws {
        try withStatement(sql) { statement in
            for (index, parameter) in parameters.enumerated() { try statement.bind(parameter, at: index + 1) }
            try statement.run()
        }
    }

    /// The first column of a query with one integer parameter.
    func integers(_ sql: String, _ parameter: Int64) throws -> [Int64] {
        try withStatement(sql) { statement in
            try statement.bind(parameter, at: 1)
            var found: [Int64] = []
            while try statement.step() { found.append(statement.integer(at: 0)) }
            return found
        }
    }

    /// The first column of the first row of a query with one integer parameter; nil for NULL and without a row.
    func integer(_ sql: String, _ parameter: Int64) throws -> Int64? {
        try withStatement(sql) { statement in
            try statement.bind(parameter, at: 1)
            guard try statement.step(), !statement.isNull(at: 0) else { return nil }
            return statement.integer(at: 0)
        }
    }
}
