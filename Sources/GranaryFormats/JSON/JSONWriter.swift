package import GranaryBase

/// Writes records as JSON: one array, JSON Lines, or a document of several entities.
///
/// Each object is on its own line, so that exports can be compared line by line, and equal records give equal bytes.
/// Numbers keep all their digits, NULL is `null`, and text is escaped only where RFC 8259 requires it. ``JSONReader``
/// reads the output back. NaN and infinities are refused, because JSON has no form for them, or written as text.
package final class JSONWriter: ValueWriter {
    /// The shape of the file.
    package enum Shape: Sendable {
        /// An array of objects: one entity.
        case array
        /// One object for each line: one entity.
        case lines
        /// `{"entities": {NAME: [object, ...], ...}, "model": {...}}`: any number of entities.
        case document
    }

    /// Options for writing JSON.
    package struct Options: Sendable {
        /// The shape of the file; an array of objects by default.
        package var shape = Shape.array
        /// The form of dates: ISO 8601 as a string (the default), or seconds as a number.
        package var dates = DateStyle.iso8601
        /// The text form of binary data, which is always a string; Base64 by default.
        package var binary = BinaryStyle.base64
        /// The form of infinities and NaN, which JSON has no numbers for.
        package var nonFinite = NonFiniteStyle.error

        /// The form of dates, if it is not that of ``dates``. Numbers and Booleans have the forms of JSON.
        package var form = TextForm()
        /// Counts dates that are not exact; nil if such a date is an error.
        package var rounded: RoundedDates?

        /// An array of objects, dates in ISO 8601, binary data in Base64.
        package init() {}
    }

    let output: ByteOutput
    let options: Options
    private var entity = ""
    private var columns: [String] = []
    /// The names of the table's columns, and then of the columns of objects in rows, as JSON text: each after a comma
    /// and with the colon after it.
    @exclusivity(unchecked) private var names = ByteBuffer()
    /// The end of each column's name in ``names``.
    @exclusivity(unchecked) private var nameEnds: [Int] = []
    /// The first column of the current object in ``nameEnds``.
    @exclusivity(unchecked) private var firstName = 0
    @exclusivity(unchecked) private var columnCount = 0
    /// The columns of objects in rows.
    private var objectColumns: [ObjectColumns] = []
    /// The state of the objects around the current one.
    private var around: [Surroundings] = []

    private struct ObjectColumns {
        let entity: String
        let columns: [String]
        let firstName: Int
    }

    private struct Surroundings {
        let columns: ObjectColumns
        let listColumn: Int
    }

    private var tables = TableNames()
    /// What is not passed to the output yet.
    ///
    /// Here and above, `@exclusivity(unchecked)` is safe: no method calls itself indirectly while it changes a
    /// property.
    @exclusivity(unchecked) private var rows = ByteBuffer()
    /// Whether the rows are kept for ``append(rowsOf:)``.
    private var isPart = false
    @exclusivity(unchecked) private var isFirstRow = true
    @exclusivity(unchecked) private var isFirstMember = true
    @exclusivity(unchecked) private var isFirstElement = true
    @exclusivity(unchecked) private var listColumn = -1
    private let binary: BinaryStyle
    private let dates: DateStyle
    /// Formats dates in another form; nil if there is none.
    @exclusivity(unchecked) private var texts: ValueTexts?

    /// Writes to `output`, which ``finish(model:)`` also finishes.
    package init(_ output: ByteOutput, options: Options = Options()) {
        self.output = output
        self.options = options
        (binary, dates) = (options.binary, options.dates)
    }

    /// - Throws: ``GranaryError`` with code `usage` for a second table if the shape allows only one, for an entity that
    ///   was already written, and for a form of dates that is not valid.
    package func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        try tables.begin(entity, allowsSeveral: options.shape == .document)
        if texts == nil { texts = try ValueTexts(options.form, rounded: options.rounded) }
        self.entity = entity
        self.columns = columns
        names.removeAll()
        nameEnds.removeAll()
        objectColumns.removeAll()
        (firstName, columnCount) = (0, columns.count)
        addNames(columns)
        isFirstRow = true
        switch options.shape {
        case .lines: break
        case .array: rows.append("[")
        case .document:
            rows.append(tables.count == 1 ? "{\n\"entities\": {\n" : ",\n")
            var name = entity
            name.withUTF8 { JSONText.append($0, to: &rows) }
            rows.append(": [")
        }
    }

    private func addNames(_ columns: [String]) {
        for column in columns {
            var name = column
            names.append(UInt8(ascii: ","))
            name.withUTF8 { JSONText.append($0, to: &names) }
            names.append(UInt8(ascii: ":"))
            nameEnds.append(names.count)
        }
    }

    /// Starts an object.
    package func beginRow() throws(GranaryError) {
        if options.shape != .lines {
            if !isFirstRow { rows.append(UInt8(ascii: ",")) }
            rows.append(0x0A)
        }
        isFirstRow = false
        isFirstMember = true
        rows.append(UInt8(ascii: "{"))
    }

    /// - Throws: ``GranaryError`` with code `refused` and `value.range` for values that JSON cannot express: NaN,
    ///   infinities, and dates outside the years 0000 to 9999.
    package func write(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        try beginMember(column)
        try append(value, column: column)
    }

    /// Starts an array as the member of this column.
    package func beginList(column: Int) throws(GranaryError) {
        try beginMember(column)
        listColumn = column
        isFirstElement = true
        rows.append(UInt8(ascii: "["))
    }

    /// - Throws: as ``write(_:column:)``.
    package func writeElement(_ value: BorrowedValue) throws(GranaryError) {
        if !isFirstElement { rows.append(UInt8(ascii: ",")) }
        isFirstElement = false
        try append(value, column: listColumn)
    }

    /// Ends the array; it may be empty.
    package func endList() throws(GranaryError) {
        rows.append(UInt8(ascii: "]"))
    }

    /// Ends the object. A column that was not written has no member.
    package func endRow() throws(GranaryError) {
        rows.append(UInt8(ascii: "}"))
        if options.shape == .lines { rows.append(0x0A) }
        if !isPart, rows.count >= Self.capacity { try flushRows() }
    }

    /// The number of bytes that are passed to the output at once.
    private static let capacity = 1 << 16

    func flushRows() throws(GranaryError) {
        try output.append(rows.bytes)
        rows.removeAll()
    }

    /// Ends the entity's array, except in JSON Lines.
    package func endTable() throws(GranaryError) {
        switch options.shape {
        case .lines: break
        case .array: rows.append(isFirstRow ? "]\n" : "\n]\n")
        case .document: rows.append(isFirstRow ? "]" : "\n]")
        }
    }

    /// Ends the file. Only a document of several entities contains the model; other shapes omit it.
    package func finish(model: [UInt8]?) throws(GranaryError) {
        switch options.shape {
        case .lines: break
        case .array: if tables.count == 0 { rows.append("[]\n") }
        case .document:
            rows.append(tables.count == 0 ? "{\n\"entities\": {}" : "\n}")
            if let model {
                rows.append(",\n\"model\": ")
                rows.append(contentsOf: model)
            }
            rows.append("\n}\n")
        }
        try flushRows()
        try output.finish()
    }

    func beginMember(_ column: Int) throws(GranaryError) {
        guard column >= 0, column < columnCount else {
            throw GranaryError(.internalDefect, "\(output.name): the table \(entity) has no column number \(column)")
        }
        // The first member has no comma.
        let index = firstName &+ column
        let start = (index == 0 ? 0 : nameEnds[index &- 1]) &+ (isFirstMember ? 1 : 0)
        isFirstMember = false
        rows.append(contentsOf: UnsafeBufferPointer(rebasing: names.bytes[start..<nameEnds[index]]))
    }

    func append(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        switch value {
        case .text(let bytes), .uri(let bytes): return JSONText.append(bytes, to: &rows)
        case .null: return rows.append(contentsOf: Self.null)
        case .date where texts != nil: break
        case .date where dates == .iso8601, .uuid:
            let start = rows.count
            rows.append(UInt8(ascii: "\""))
            if ValueText.appendNumber(value, dates: dates, to: &rows) { return rows.append(UInt8(ascii: "\"")) }
            rows.truncate(to: start)
        case .integer, .boolean, .double, .float, .date:
            if ValueText.appendNumber(value, dates: dates, to: &rows) { return }
        case .decimal, .binary: break
        }
        try appendAny(value, column: column)
    }

    private static let null = [UInt8]("null".utf8)

    private func appendAny(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        if texts != nil, case .date(let seconds) = value, seconds.isFinite {
            return try appendDate(value, column: column)
        }
        let isString =
            switch value {
            case .uuid, .binary, .text, .uri: true
            case .date(let seconds): dates == .iso8601 || !seconds.isFinite
            case .boolean, .integer, .decimal, .null: false
            case .float, .double: options.nonFinite == .text && ValueText.nonFiniteText(value) != nil
            }
        var text: [UInt8] = []
        do throws(GranaryError) {
            try ValueText.append(value, dates: dates, binary: binary, nonFinite: options.nonFinite, to: &text)
        } catch {
            throw error.about(entity: entity, property: columns.indices.contains(column) ? columns[column] : nil)
        }
        if isString { rows.append(UInt8(ascii: "\"")) }
        rows.append(contentsOf: text)
        if isString { rows.append(UInt8(ascii: "\"")) }
    }
}

extension JSONWriter {
    /// Appends a date in another form: a number, or a string.
    private func appendDate(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        var text: [UInt8] = []
        let property = columns.indices.contains(column) ? columns[column] : nil
        do throws(GranaryError) {
            let written = try texts?.append(value, to: &text, entity: entity, property: property ?? "")
            if written == .number { return rows.append(contentsOf: text) }
            text.withUnsafeBufferPointer { JSONText.append($0, to: &rows) }
        } catch {
            throw error.about(entity: entity, property: property)
        }
    }
}

extension GranaryError {
    /// A copy whose diagnostics name an entity and a property.
    func about(entity: String, property: String?) -> GranaryError {
        var copy = self
        for index in copy.diagnostics.indices {
            copy.diagnostics[index].entity = entity
            copy.diagnostics[index].property = property
        }
        return copy
    }
}

extension JSONWriter: JSONValueWriter {
    package func write(json: [UInt8], column: Int) throws(GranaryError) {
        try beginMember(column)
        rows.append(contentsOf: json)
    }

    package func write(archive: UnsafeBufferPointer<UInt8>, json: [UInt8], column: Int) throws(GranaryError) {
        try beginMember(column)
        rows.append("{")
        appendName(ArchiveMember.archive)
        rows.append(":")
        try append(.binary(archive), column: column)
        rows.append(",")
        appendName(ArchiveMember.value)
        rows.append(":")
        rows.append(contentsOf: json)
        rows.append("}")
    }

    private func appendName(_ name: String) {
        var name = name
        name.withUTF8 { JSONText.append($0, to: &rows) }
    }
}

extension JSONWriter: NestingWriter {
    package func addObjectColumns(
        _ columns: [String], entity: String, columnsNeedingNull: Set<Int>
    ) throws(GranaryError) -> Int {
        objectColumns.append(ObjectColumns(entity: entity, columns: columns, firstName: nameEnds.count))
        addNames(columns)
        return objectColumns.count - 1
    }

    package func beginObject(_ number: Int, column: Int?) throws(GranaryError) {
        guard objectColumns.indices.contains(number) else {
            throw GranaryError(.internalDefect, "\(output.name): there are no columns with the number \(number)")
        }
        if let column { try beginMember(column) } else if !isFirstElement { rows.append(UInt8(ascii: ",")) }
        around.append(
            Surroundings(
                columns: ObjectColumns(entity: entity, columns: columns, firstName: firstName), listColumn: listColumn))
        set(objectColumns[number])
        isFirstMember = true
        rows.append(UInt8(ascii: "{"))
    }

    package func endObject() throws(GranaryError) {
        guard let outer = around.popLast() else {
            throw GranaryError(.internalDefect, "\(output.name): no object is open")
        }
        set(outer.columns)
        listColumn = outer.listColumn
        // The object was a member or an element.
        (isFirstMember, isFirstElement) = (false, false)
        rows.append(UInt8(ascii: "}"))
        if rows.count >= Self.capacity { try flushRows() }
    }

    private func set(_ object: ObjectColumns) {
        (entity, columns) = (object.entity, object.columns)
        (firstName, columnCount) = (object.firstName, object.columns.count)
    }
}

extension JSONWriter: SplitWriter {
    package func makePart(columns: [String]) throws(GranaryError) -> JSONWriter {
        let part = JSONWriter(.memory(), options: options)
        try part.beginTable(entity: entity, columns: columns)
        part.rows.removeAll()
        part.isPart = true
        part.isFirstRow = false
        return part
    }

    package func append(rowsOf part: JSONWriter) throws(GranaryError) {
        guard part.rows.count > 0 else { return }
        try flushRows()
        // The rows of a part follow others, so each begins with a comma.
        let hasComma = isFirstRow && options.shape != .lines
        try output.append(UnsafeBufferPointer(rebasing: part.rows.bytes[(hasComma ? 1 : 0)...]))
        part.rows.removeAll()
        isFirstRow = false
    }
}
