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

        /// An array of objects, dates in ISO 8601, binary data in Base64.
        package init() {}
    }

    let output: ByteOutput
    let options: Options
    private var entity = ""
    private var columns: [String] = []
    /// Each column's name as JSON text, with the colon after it.
    private var names: [[UInt8]] = []
    private var tables = TableNames()
    private var isFirstRow = true
    private var isFirstMember = true
    private var isFirstElement = true
    private var listColumn = -1
    /// The columns of objects in rows.
    private var objectColumns: [ObjectColumns] = []
    /// The state of the objects around the current one.
    private var around: [Surroundings] = []

    private struct ObjectColumns {
        let entity: String
        let columns: [String]
        let names: [[UInt8]]
    }

    private struct Surroundings {
        let columns: ObjectColumns
        let listColumn: Int
    }

    /// Writes to `output`, which ``finish(model:)`` also finishes.
    package init(_ output: ByteOutput, options: Options = Options()) {
        self.output = output
        self.options = options
    }

    /// - Throws: ``GranaryError`` with code `usage` for a second table if the shape allows only one, and for an entity
    ///   that was already written.
    package func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        try tables.begin(entity, allowsSeveral: options.shape == .document)
        self.entity = entity
        self.columns = columns
        names = Self.names(columns)
        objectColumns.removeAll()
        isFirstRow = true
        switch options.shape {
        case .lines: break
        case .array: output.append("[")
        case .document:
            output.append(tables.count == 1 ? "{\n\"entities\": {\n" : ",\n")
            JSONText.append(entity, to: &output.buffer)
            output.append(": [")
        }
    }

    /// The columns' names as JSON text, with the colon after them.
    private static func names(_ columns: [String]) -> [[UInt8]] {
        columns.map { column in
            var name: [UInt8] = []
            JSONText.append(column, to: &name)
            return name + [UInt8(ascii: ":")]
        }
    }

    /// Starts an object.
    package func beginRow() throws(GranaryError) {
        if options.shape != .lines { output.append(isFirstRow ? "\n" : ",\n") }
        isFirstRow = false
        isFirstMember = true
        output.buffer.append(UInt8(ascii: "{"))
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
        output.buffer.append(UInt8(ascii: "["))
    }

    /// - Throws: as ``write(_:column:)``.
    package func writeElement(_ value: BorrowedValue) throws(GranaryError) {
        if !isFirstElement { output.buffer.append(UInt8(ascii: ",")) }
        isFirstElement = false
        try append(value, column: listColumn)
    }

    /// Ends the array; it may be empty.
    package func endList() throws(GranaryError) {
        output.buffer.append(UInt8(ascii: "]"))
    }

    /// Ends the object. A column that was not written has no member.
    package func endRow() throws(GranaryError) {
        output.buffer.append(UInt8(ascii: "}"))
        if options.shape == .lines { output.buffer.append(UInt8(ascii: "\n")) }
        try output.flushIfFull()
    }

    /// Ends the entity's array, except in JSON Lines.
    package func endTable() throws(GranaryError) {
        switch options.shape {
        case .lines: break
        case .array: output.append(isFirstRow ? "]\n" : "\n]\n")
        case .document: output.append(isFirstRow ? "]" : "\n]")
        }
        try output.flushIfFull()
    }

    /// Ends the file. Only a document of several entities contains the model; other shapes omit it.
    package func finish(model: [UInt8]?) throws(GranaryError) {
        switch options.shape {
        case .lines: break
        case .array: if tables.count == 0 { output.append("[]\n") }
        case .document:
            output.append(tables.count == 0 ? "{\n\"entities\": {}" : "\n}")
            if let model {
                output.append(",\n\"model\": ")
                output.buffer.append(contentsOf: model)
            }
            output.append("\n}\n")
        }
        try output.finish()
    }

    func beginMember(_ column: Int) throws(GranaryError) {
        guard names.indices.contains(column) else {
            throw GranaryError(.internalDefect, "\(output.name): the table \(entity) has no column number \(column)")
        }
        if !isFirstMember { output.buffer.append(UInt8(ascii: ",")) }
        isFirstMember = false
        output.buffer.append(contentsOf: names[column])
    }

    func append(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        let isString: Bool
        switch value {
        case .text(let bytes), .uri(let bytes): return JSONText.append(bytes, to: &output.buffer)
        case .null: return output.append("null")
        case .uuid, .binary: isString = true
        case .date(let seconds): isString = options.dates == .iso8601 || !seconds.isFinite
        case .boolean, .integer, .decimal: isString = false
        case .float, .double: isString = options.nonFinite == .text && ValueText.nonFiniteText(value) != nil
        }
        if isString { output.buffer.append(UInt8(ascii: "\"")) }
        do throws(GranaryError) {
            try ValueText.append(
                value, dates: options.dates, binary: options.binary, nonFinite: options.nonFinite, to: &output.buffer)
        } catch {
            throw error.about(entity: entity, property: columns.indices.contains(column) ? columns[column] : nil)
        }
        if isString { output.buffer.append(UInt8(ascii: "\"")) }
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
        output.buffer.append(contentsOf: json)
    }

    package func write(archive: UnsafeBufferPointer<UInt8>, json: [UInt8], column: Int) throws(GranaryError) {
        try beginMember(column)
        output.append("{")
        JSONText.append(ArchiveMember.archive, to: &output.buffer)
        output.append(":")
        try append(.binary(archive), column: column)
        output.append(",")
        JSONText.append(ArchiveMember.value, to: &output.buffer)
        output.append(":")
        output.buffer.append(contentsOf: json)
        output.append("}")
    }
}

extension JSONWriter: NestingWriter {
    package func addObjectColumns(
        _ columns: [String], entity: String, columnsNeedingNull: Set<Int>
    ) throws(GranaryError) -> Int {
        objectColumns.append(ObjectColumns(entity: entity, columns: columns, names: Self.names(columns)))
        return objectColumns.count - 1
    }

    package func beginObject(_ number: Int, column: Int?) throws(GranaryError) {
        guard objectColumns.indices.contains(number) else {
            throw GranaryError(.internalDefect, "\(output.name): there are no columns with the number \(number)")
        }
        if let column {
            try beginMember(column)
        } else {
            if !isFirstElement { output.buffer.append(UInt8(ascii: ",")) }
        }
        around.append(
            Surroundings(
                columns: ObjectColumns(entity: entity, columns: columns, names: names), listColumn: listColumn))
        let inner = objectColumns[number]
        (entity, columns, names) = (inner.entity, inner.columns, inner.names)
        isFirstMember = true
        output.buffer.append(UInt8(ascii: "{"))
    }

    package func endObject() throws(GranaryError) {
        guard let outer = around.popLast() else {
            throw GranaryError(.internalDefect, "\(output.name): no object is open")
        }
        (entity, columns, names) = (outer.columns.entity, outer.columns.columns, outer.columns.names)
        listColumn = outer.listColumn
        // The object was a member or an element.
        (isFirstMember, isFirstElement) = (false, false)
        output.buffer.append(UInt8(ascii: "}"))
        try output.flushIfFull()
    }
}
