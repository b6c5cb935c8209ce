package import Foundation
package import GranaryBase

/// Writes records as JSON: one array, JSON Lines, or a document of several entities.
///
/// Each object stands on a line of its own, so that two exports compare line by line, and the same records give
/// the same bytes. Numbers keep all their digits, NULL is `null`, and text is escaped only where RFC 8259 says so.
/// What it writes, ``JSONReader`` reads back. NaN and the infinities have no JSON and are refused.
package final class JSONWriter: ValueWriter {
    /// What the file as a whole is.
    package enum Shape: Sendable {
        /// An array of objects: one entity.
        case array
        /// One object a line: one entity.
        case lines
        /// `{"entities": {NAME: [object, ...], ...}, "model": {...}}`: any number of entities.
        case document
    }

    /// How JSON is written.
    package struct Options: Sendable {
        /// What the file as a whole is; an array of objects by default.
        package var shape = Shape.array
        /// How dates are written: ISO 8601 as a string (the default), seconds as a number.
        package var dates = DateStyle.iso8601
        /// How binary data is written, always as a string; Base64 by default.
        package var binary = BinaryStyle.base64

        /// An array of objects, dates in ISO 8601, binary data in Base64.
        package init() {}
    }

    let output: ByteOutput
    let options: Options
    private var entity = ""
    private var columns: [String] = []
    /// Each column's name as JSON text, the colon behind it.
    private var names: [[UInt8]] = []
    private var tables = TableNames()
    private var isFirstRow = true
    private var isFirstMember = true
    private var isFirstElement = true
    private var listColumn = -1

    /// Writes to `output`, which ``finish(model:)`` finishes too.
    package init(_ output: ByteOutput, options: Options = Options()) {
        self.output = output
        self.options = options
    }

    /// Writes to a file, which gets its name when all is written.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable` when it cannot be made, or exists and may not be replaced.
    package convenience init(
        url: URL, replacing: Bool = false, options: Options = Options()
    ) throws(GranaryError) {
        self.init(
            try ByteOutput.file(url.path(percentEncoded: false), replacing: replacing), options: options)
    }

    /// - Throws: ``GranaryError`` with code `usage` for a second table where the shape has room for one, and for
    ///   an entity that was written already.
    package func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        try tables.begin(entity, allowsSeveral: options.shape == .document)
        self.entity = entity
        self.columns = columns
        names = columns.map { column in
            var name: [UInt8] = []
            JSONText.append(column, to: &name)
            return name + [UInt8(ascii: ":")]
        }
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

    /// Starts an object.
    package func beginRow() throws(GranaryError) {
        if options.shape != .lines { output.append(isFirstRow ? "\n" : ",\n") }
        isFirstRow = false
        isFirstMember = true
        output.buffer.append(UInt8(ascii: "{"))
    }

    /// - Throws: ``GranaryError`` with code `refused` and `value.range` for what JSON cannot hold: NaN, infinities, and
    ///   dates outside the years that ISO 8601 has.
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

    /// Ends the entity's array; JSON Lines have nothing to end.
    package func endTable() throws(GranaryError) {
        switch options.shape {
        case .lines: break
        case .array: output.append(isFirstRow ? "]\n" : "\n]\n")
        case .document: output.append(isFirstRow ? "]" : "\n]")
        }
        try output.flushIfFull()
    }

    /// Ends the file. Only a document of several entities holds the model; elsewhere it is left out.
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
        case .date: isString = options.dates == .iso8601
        case .boolean, .integer, .float, .double, .decimal: isString = false
        }
        if isString { output.buffer.append(UInt8(ascii: "\"")) }
        do throws(GranaryError) {
            try ValueText.append(value, dates: options.dates, binary: options.binary, to: &output.buffer)
        } catch {
            throw error.about(entity: entity, property: columns.indices.contains(column) ? columns[column] : nil)
        }
        if isString { output.buffer.append(UInt8(ascii: "\"")) }
    }
}

extension GranaryError {
    /// The same, its diagnostics about a property that a writer could not write.
    func about(entity: String, property: String?) -> GranaryError {
        var copy = self
        copy.diagnostics = diagnostics.map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.entity = entity
            diagnostic.property = property
            return diagnostic
        }
        return copy
    }
}

/// Values that are JSON themselves.
extension JSONWriter: JSONValueWriter {
    package func write(json: [UInt8], column: Int) throws(GranaryError) {
        try beginMember(column)
        output.buffer.append(contentsOf: json)
    }

    package func write(
        archive: UnsafeBufferPointer<UInt8>, json: [UInt8], column: Int
    ) throws(GranaryError) {
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
