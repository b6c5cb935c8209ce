import Foundation
package import GranaryBase
package import GranaryFormats
package import GranarySQLite

/// Reads the rows of a table or of a query of an SQLite database, which is not changed.
///
/// A row is a record. In positions the line is the number of the row and the column that of the column, both from 1.
package final class DatabaseReader: ReaderAbilities {
    package let sourceName: String
    package private(set) var columns: [String] = []
    private let content: DatabaseContent
    private let options: Options
    /// A connection of the caller; nil to open one.
    private let given: Connection?
    private var connection: Connection?
    /// Nil before ``readHeader()`` and after the last row.
    private var statement: Statement?
    private var isOpen = false
    private var number = 0

    package struct Options: Sendable {
        package var allowsNUL = false
        package var busyTimeout = Duration.seconds(5)
        /// The maximum size of the texts and blobs of a row.
        package var maximumRecordBytes = 64 << 20

        package init() {}
    }

    /// - Parameter connection: the open database; nil to open the file.
    package init(
        path: String, _ content: DatabaseContent, options: Options = Options(), connection: Connection? = nil
    ) {
        sourceName = path
        self.content = content
        self.options = options
        given = connection
    }

    package func readHeader() throws(GranaryError) {
        guard !isOpen else { return }
        isOpen = true
        let connection: Connection
        if let given {
            connection = given
        } else {
            do throws(SQLiteError) {
                connection = try Connection.reading(path: sourceName, busyTimeout: options.busyTimeout, once: true)
            } catch { throw error.granaryError }
            self.connection = connection
        }
        let sql =
            switch content {
            case .table(let name): try DatabaseFile.selection(ofTable: name, in: connection, file: sourceName)
            case .query(let sql): sql
            }
        do throws(SQLiteError) { statement = try connection.prepareQuery(sql) } catch { throw refusal(of: error) }
        try readColumns()
    }

    private func readColumns() throws(GranaryError) {
        guard let statement else { return }
        columns = (0..<statement.columnCount).map { statement.columnName(at: $0) ?? "" }
        var seen: Set<String> = []
        for (index, name) in columns.enumerated() where !seen.insert(name).inserted {
            throw GranaryError(
                Diagnostic(
                    .headerDuplicate,
                    "the query has two columns with the name \"\(Diagnostic.shortened(name))\"; rename one with AS",
                    at: headerPosition(ofColumn: index), field: name))
        }
    }

    package func headerPosition(ofColumn index: Int?) -> SourcePosition? {
        index.map { SourcePosition(file: sourceName, line: 1, column: $0 + 1) }
    }

    package func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        try readHeader()
        guard let statement else { return .end }
        do throws(SQLiteError) {
            guard try statement.step() else {
                // Ends the lock on the file.
                self.statement = nil
                try? connection?.close()
                return .end
            }
        } catch { throw refusal(of: error) }
        number += 1
        record.begin(number: number, line: number)
        var problem: Diagnostic?
        for column in columns.indices {
            let found = try append(statement, column, to: &record)
            problem = problem ?? found
        }
        if let problem { return .malformed(problem) }
        return .record
    }

    /// Appends the value of a column. Returns what is wrong with it.
    private func append(_ statement: Statement, _ column: Int, to record: inout Record) throws(GranaryError)
        -> Diagnostic?
    {
        let start = record.bytes.count
        var kind: Record.Kind
        var problem: Diagnostic?
        switch statement.type(at: column) {
        case .null: kind = .null
        case .integer:
            IntegerText.append(statement.integer(at: column), to: &record.bytes)
            kind = .number
        case .real:
            let value = statement.double(at: column)
            FloatingText.append(value, to: &record.bytes)
            kind = value.isFinite ? .number : .quoted
        case .text:
            let text: UnsafeBufferPointer<UInt8>
            do throws(SQLiteError) { text = try statement.text(at: column) } catch { throw error.granaryError }
            kind = .quoted
            if isTooLong(text.count, record) {
                (kind, problem) = (.data, tooLong(column))
            } else if let place = UTF8Text.firstInvalid(in: text) {
                // A rejects file can have the bytes only so.
                Base64Text.encode(text, into: &record.bytes)
                kind = .data
                problem = diagnostic(
                    .encodingInvalid,
                    "the text is not valid UTF-8 from its byte \(place + 1) on; the database contains bytes of another "
                        + "encoding", column)
            } else {
                record.bytes.append(contentsOf: text)
                if !options.allowsNUL, text.contains(0) {
                    problem = diagnostic(.encodingInvalid, "U+0000 inside text", column, help: "--allow-nul")
                }
            }
        case .blob:
            let blob: UnsafeBufferPointer<UInt8>
            do throws(SQLiteError) { blob = try statement.blob(at: column) } catch { throw error.granaryError }
            kind = .data
            if isTooLong(blob.count, record) {
                (kind, problem) = (.data, tooLong(column))
            } else {
                Base64Text.encode(blob, into: &record.bytes)
            }
        }
        guard let from = Int32(exactly: start), let to = Int32(exactly: record.bytes.count) else {
            throw GranaryError(Diagnostic(.limitExceeded, "row \(number) has more than 2 GiB", at: position(column)))
        }
        record.fields.append(
            Record.Field(
                kind: kind, column: Int32(truncatingIfNeeded: column), start: from, end: to,
                rawStart: Int32(truncatingIfNeeded: record.places.count)))
        record.places.append(Record.Place(line: number, column: column + 1, byteOffset: nil))
        return problem
    }

    private func isTooLong(_ count: Int, _ record: borrowing Record) -> Bool {
        count > options.maximumRecordBytes - min(record.bytes.count, options.maximumRecordBytes)
    }

    private func tooLong(_ column: Int) -> Diagnostic {
        diagnostic(.limitExceeded, "a row of more than \(options.maximumRecordBytes) bytes, the limit", column)
    }

    private func position(_ column: Int) -> SourcePosition {
        SourcePosition(file: sourceName, line: number, column: column + 1, record: number)
    }

    private func diagnostic(
        _ code: Diagnostic.Code, _ message: String, _ column: Int, help: String? = nil
    ) -> Diagnostic {
        Diagnostic(code, message, at: position(column), field: columns[column], help: help)
    }

    /// The error of the user's query, or of the file.
    private func refusal(of error: SQLiteError) -> GranaryError {
        switch error.code {
        case .authorization:
            return GranaryError(
                .usage, "\(sourceName): only one query that reads is allowed (SELECT, WITH … SELECT or VALUES)",
                underlying: error)
        case .error, .misuse, .mismatch, .range, .tooBig:
            let place = number > 0 ? " after row \(number)" : ""
            return GranaryError(
                number > 0 ? .refused : .usage, "\(sourceName): the query fails\(place): \(error.message)",
                underlying: error)
        default: return error.granaryError
        }
    }
}
