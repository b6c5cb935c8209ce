package import GranaryBase

/// Writes one column as a constant table, `Blunt Trauma%Burn%C-Spine`, that ``TermsReader`` reads back exactly; or several
/// with a delimiter of their own, `A=Airway%B=Breathing`.
///
/// One line, and a line end. A term that could not be read back is refused with its row: one that is empty or NULL, has
/// an empty part, or holds a delimiter or a line end.
package final class TermsWriter: ValueWriter {
    private let output: ByteOutput
    private let delimiter: [UInt8]
    private let delimiterText: String
    /// Nil where a term is one column.
    private let fieldDelimiter: String?
    private let dates: DateStyle
    private let binary: BinaryStyle
    private var hasTable = false
    private var isInRow = false
    private var columnCount = 1
    private var rowCount = 0
    private var term: [UInt8] = []
    /// Where the parts stand in `term`.
    private var parts: [Range<Int>] = []

    /// - Parameter fieldDelimiter: what stands between the columns of a term; nil for tables of one column.
    /// - Throws: ``GranaryError`` with code `usage` for an empty delimiter.
    package init(
        _ output: ByteOutput, delimiter: String, fieldDelimiter: String? = nil, dates: DateStyle = .iso8601,
        binary: BinaryStyle = .base64
    ) throws(GranaryError) {
        // How many columns there are is known with the table.
        let problem = TermsText.problem(
            delimiter: delimiter, fieldDelimiter: fieldDelimiter, columns: fieldDelimiter == nil ? 1 : 2)
        if let problem { throw GranaryError(.usage, problem) }
        self.output = output
        self.delimiter = Array(delimiter.utf8)
        delimiterText = delimiter
        self.fieldDelimiter = fieldDelimiter
        self.dates = dates
        self.binary = binary
    }

    /// - Throws: ``GranaryError`` with code `usage` for a second table, for no column, and for several where there is no
    ///   field delimiter, or one where there is.
    package func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        guard !hasTable else {
            throw GranaryError(.usage, "\(output.name): a constant table holds one entity; write \(entity) on its own")
        }
        guard fieldDelimiter != nil || columns.count == 1 else {
            throw GranaryError(
                .usage,
                "\(entity): a constant table holds one column, not \(columns.count); choose one, or name a field delimiter"
            )
        }
        let problem = TermsText.problem(
            delimiter: delimiterText, fieldDelimiter: fieldDelimiter, columns: columns.count)
        if let problem { throw GranaryError(.usage, "\(entity): \(problem)") }
        hasTable = true
        columnCount = columns.count
    }

    /// Starts a term.
    package func beginRow() throws(GranaryError) {
        guard hasTable, !isInRow else { throw misuse() }
        isInRow = true
        rowCount += 1
        parts.removeAll(keepingCapacity: true)
        term.removeAll(keepingCapacity: true)
    }

    /// Adds a part of the term. Each column once a row, from the first to the last.
    ///
    /// - Throws: ``GranaryError`` with code `refused` (`value.range`) for a value without a text, such as NaN.
    package func write(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        guard isInRow, column == parts.count, column < columnCount else { throw misuse() }
        if column > 0, let fieldDelimiter { term.append(contentsOf: fieldDelimiter.utf8) }
        let start = term.count
        try ValueText.append(value, dates: dates, binary: binary, to: &term)
        parts.append(start..<term.count)
    }

    /// Always refuses: a constant table has no lists.
    ///
    /// - Throws: ``GranaryError`` with code `usage`.
    package func beginList(column: Int) throws(GranaryError) {
        throw GranaryError(.usage, "\(output.name): a constant table cannot hold lists")
    }

    /// Always throws `internalDefect`: no list can have been started.
    package func writeElement(_ value: BorrowedValue) throws(GranaryError) { throw misuse() }

    /// Always throws `internalDefect`: no list can have been started.
    package func endList() throws(GranaryError) { throw misuse() }

    /// Writes the term, behind the delimiter where it is not the first.
    ///
    /// - Throws: ``GranaryError`` with code `refused` (`terms.syntax`) for a term that could not be read back.
    package func endRow() throws(GranaryError) {
        guard isInRow else { throw misuse() }
        isInRow = false
        if let reason = refusal() {
            let text = Diagnostic.shortened(String(decoding: term, as: UTF8.self))
            throw GranaryError(
                Diagnostic(.termsSyntax, "row \(rowCount): the term \"\(text)\" \(reason)", value: text))
        }
        if rowCount > 1 { output.buffer.append(contentsOf: delimiter) }
        output.buffer.append(contentsOf: term)
        try output.flushIfFull()
    }

    /// Ends the table; the file stays open until ``finish(model:)``.
    package func endTable() throws(GranaryError) {
        guard hasTable, !isInRow else { throw misuse() }
    }

    /// Ends the line and the file. A constant table has no place for a model; it is left out.
    package func finish(model: [UInt8]?) throws(GranaryError) {
        if rowCount > 0 { output.buffer.append(0x0A) }
        try output.finish()
    }

    /// Why the term cannot stand in this table; nil where it can.
    private func refusal() -> String? {
        if term.isEmpty { return "is empty or NULL; a constant table cannot hold it" }
        if parts.count < columnCount || parts.contains(where: \.isEmpty) {
            return "has a part that is empty or NULL; a constant table cannot hold it"
        }
        if term.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            return "holds a line end; a constant table is one line"
        }
        if rowCount == 1, term.starts(with: [0xEF, 0xBB, 0xBF]) {
            return "begins the file with a byte order mark, which would be passed over"
        }
        // A term that only ends as the delimiter begins ("a" before "aa") is cut in the wrong place too.
        let found = (term + delimiter).withUnsafeBufferPointer { TermsText.firstDelimiter(delimiter, in: $0, from: 0) }
        guard found == term.count else { return "holds the delimiter; choose another one" }
        guard let fieldDelimiter else { return nil }
        // What is read back has to be these parts, at these places.
        let readBack = term.withUnsafeBufferPointer {
            TermsText.parts(of: $0, by: Array(fieldDelimiter.utf8), limit: columnCount + 1)
        }
        return readBack == parts ? nil : "holds the field delimiter; choose another one"
    }

    private func misuse() -> GranaryError {
        GranaryError(.internalDefect, "\(output.name): the calls that write a constant table do not nest")
    }
}
