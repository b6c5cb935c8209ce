package import GranaryBase

/// Writes a constant table that ``TermsReader`` reads back exactly: one column, `Blunt Trauma%Burn%C-Spine`, or several
/// columns with a field delimiter, `A=Airway%B=Breathing`.
///
/// The table is one line with a line end. A term that could not be read back is refused with its row: an empty or NULL
/// term or part, or a term that contains a delimiter or a line end.
package final class TermsWriter: ValueWriter {
    private let output: ByteOutput
    private let delimiter: [UInt8]
    private let delimiterText: String
    /// Nil if a term is one column.
    private let fieldDelimiter: String?
    private let dates: DateStyle
    private let binary: BinaryStyle
    private let nonFinite: NonFiniteStyle
    /// Formats the values that the form changes; nil if it changes none.
    private var texts: ValueTexts?
    private var entity = ""
    private var columns: [String] = []
    private var hasTable = false
    private var isInRow = false
    private var columnCount = 1
    private var rowCount = 0
    private var term: [UInt8] = []
    /// The ranges of the parts in `term`.
    private var parts: [Range<Int>] = []

    /// - Parameters:
    ///   - fieldDelimiter: the text between the columns of a term; nil for tables of one column.
    ///   - form: the form of dates, fractions and Booleans.
    ///   - rounded: counts dates that are not exact; nil if such a date is an error.
    /// - Throws: ``GranaryError`` with code `usage` for an empty delimiter.
    package init(
        _ output: ByteOutput, delimiter: String, fieldDelimiter: String? = nil, dates: DateStyle = .iso8601,
        binary: BinaryStyle = .base64, nonFinite: NonFiniteStyle = .error, form: TextForm = TextForm(),
        rounded: RoundedDates? = nil
    ) throws(GranaryError) {
        // The number of columns is known only in `beginTable`.
        let problem = TermsText.problem(
            delimiter: delimiter, fieldDelimiter: fieldDelimiter, columns: fieldDelimiter == nil ? 1 : 2)
        if let problem { throw GranaryError(.usage, problem) }
        self.output = output
        self.delimiter = Array(delimiter.utf8)
        delimiterText = delimiter
        self.fieldDelimiter = fieldDelimiter
        self.dates = dates
        self.binary = binary
        self.nonFinite = nonFinite
        texts = try ValueTexts(form, rounded: rounded)
    }

    /// - Throws: ``GranaryError`` with code `usage` for a second table, for no columns, for several columns without a
    ///   field delimiter, and for one column with a field delimiter.
    package func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        guard !hasTable else {
            throw GranaryError(
                .usage, "\(output.name): a constant table holds one entity; write \(entity) to another file")
        }
        guard fieldDelimiter != nil || columns.count == 1 else {
            throw GranaryError(
                .usage,
                "\(entity): a constant table holds one column, not \(columns.count); choose one, "
                    + "or name a field delimiter")
        }
        let problem = TermsText.problem(
            delimiter: delimiterText, fieldDelimiter: fieldDelimiter, columns: columns.count)
        if let problem { throw GranaryError(.usage, "\(entity): \(problem)") }
        hasTable = true
        columnCount = columns.count
        self.entity = entity
        self.columns = columns
    }

    /// Starts a term.
    package func beginRow() throws(GranaryError) {
        guard hasTable, !isInRow else { throw misuse() }
        isInRow = true
        rowCount += 1
        parts.removeAll(keepingCapacity: true)
        term.removeAll(keepingCapacity: true)
    }

    /// Adds a part of the term. Each row has each column once, in order.
    ///
    /// - Throws: ``GranaryError`` with code `refused` (`value.range`) for a value without a text form, such as NaN.
    package func write(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        guard isInRow, column == parts.count, column < columnCount else { throw misuse() }
        if column > 0, let fieldDelimiter { term.append(contentsOf: fieldDelimiter.utf8) }
        let start = term.count
        let changed = try texts?.append(value, to: &term, entity: entity, property: columns[column])
        if changed == nil {
            try ValueText.append(value, dates: dates, binary: binary, nonFinite: nonFinite, to: &term)
        }
        parts.append(start..<term.count)
    }

    /// Always refuses: a constant table has no lists.
    ///
    /// - Throws: ``GranaryError`` with code `usage`.
    package func beginList(column: Int) throws(GranaryError) {
        throw GranaryError(.usage, "\(output.name): a constant table cannot hold lists")
    }

    /// Always throws `internalDefect`, because no list can have been started.
    package func writeElement(_ value: BorrowedValue) throws(GranaryError) { throw misuse() }

    /// Always throws `internalDefect`, because no list can have been started.
    package func endList() throws(GranaryError) { throw misuse() }

    /// Writes the delimiter, unless it is the first term, and the term.
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

    /// Ends the line and the file. A constant table cannot contain a model, so it is omitted.
    package func finish(model: [UInt8]?) throws(GranaryError) {
        if rowCount > 0 { output.buffer.append(0x0A) }
        try output.finish()
    }

    /// The reason why the table cannot contain the term; nil if it can.
    private func refusal() -> String? {
        if term.isEmpty { return "is empty or NULL; a constant table cannot hold it" }
        if parts.count < columnCount || parts.contains(where: \.isEmpty) {
            return "has a part that is empty or NULL; a constant table cannot hold it"
        }
        if term.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            return "contains a line end; a constant table is one line"
        }
        if rowCount == 1, term.starts(with: [0xEF, 0xBB, 0xBF]) {
            return "begins the file with a byte order mark, which would be skipped"
        }
        // A term whose end is a prefix of the delimiter ("a" before "aa") would also be split in the wrong place.
        let found = (term + delimiter).withUnsafeBufferPointer { TermsText.firstDelimiter(delimiter, in: $0, from: 0) }
        guard found == term.count else { return "contains the delimiter; choose another delimiter" }
        guard let fieldDelimiter else { return nil }
        // Reading back must give the same parts at the same offsets.
        let readBack = term.withUnsafeBufferPointer {
            TermsText.parts(of: $0, by: Array(fieldDelimiter.utf8), limit: columnCount + 1)
        }
        return readBack == parts ? nil : "contains the field delimiter; choose another field delimiter"
    }

    private func misuse() -> GranaryError {
        GranaryError(.internalDefect, "\(output.name): the calls that write a constant table do not nest")
    }
}
