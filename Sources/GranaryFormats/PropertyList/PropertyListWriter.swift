import Foundation
package import GranaryBase
package import GranaryPropertyLists

/// Writes records as a property list, XML or binary: one array of dictionaries, or a document of several entities.
///
/// Integers, booleans, dates, data and text are written as the property list's types, doubles and floats as reals.
/// Other values are strings: decimals, UUIDs and URIs, and in XML also dates with fractions of a second, which `<date>`
/// cannot express, in ISO 8601. There is no NULL, so a row's NULL columns are named in an array under the key `$null`.
/// Text with characters that XML cannot contain (control characters, U+FFFE, U+FFFF) is refused in XML lists.
///
/// Both forms are streamed. A binary list keeps 8 bytes for each object in memory until the end.
package final class PropertyListWriter: ValueWriter, NullNamingWriter {
    /// The shape of the list.
    package enum Shape: Sendable {
        /// An array of dictionaries: one entity.
        case array
        /// `{entities: {NAME: [dictionary, ...], ...}, model: {...}}`: any number of entities. An archive store adds
        /// `metadata: {...}`.
        case document
    }

    /// Options for writing property lists.
    package struct Options: Sendable {
        /// XML or binary; XML by default.
        package var encoding = PropertyListEncoding.xml
        /// The shape of the list; an array of dictionaries by default.
        package var shape = Shape.array
        /// The form of infinities and NaN; nil for `<real>`, which an archive store can contain.
        package var nonFinite: NonFiniteStyle?

        /// An array of dictionaries in XML.
        package init() {}
    }

    /// The columns of the current table whose NULLs are named under `$null`; nil for all columns. For a column without
    /// a default, an omitted key means the same. Reset for each table.
    package var columnsNeedingNull: Set<Int>?

    /// The entries of a document's `metadata`, which an archive store writes after the model. If empty, the key is
    /// omitted.
    package var metadata: [PropertyListEntry] = []

    private let output: ByteOutput
    private let options: Options
    private var writer: PropertyListStreamWriter
    private var entity = ""
    private var columns: [String] = []
    private var nullColumns: [Int] = []
    private var listColumn = -1
    /// The columns of dictionaries in rows.
    private var objectColumns: [ObjectColumns] = []
    /// The state of the dictionaries around the current one.
    private var around: [Surroundings] = []
    private var tables = TableNames()

    private struct ObjectColumns {
        let entity: String
        let columns: [String]
        let needingNull: Set<Int>?
    }

    private struct Surroundings {
        let columns: ObjectColumns
        let nullColumns: [Int]
        let listColumn: Int
    }

    /// Writes to `output`, which ``finish(model:)`` also finishes.
    package init(_ output: ByteOutput, options: Options = Options()) {
        self.output = output
        self.options = options
        writer = PropertyListStreamWriter(options.encoding == .xml ? .xml : .binary)
    }

    /// - Throws: ``GranaryError`` with code `usage` for a second table if the shape allows only one, and for an entity
    ///   that was already written.
    package func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        try tables.begin(entity, allowsSeveral: options.shape == .document)
        self.entity = entity
        self.columns = columns
        columnsNeedingNull = nil
        objectColumns.removeAll()
        if options.shape == .document {
            if tables.count == 1 { try beginDocument() }
            try write(.key(entity))
        }
        try write(.beginArray)
    }

    /// Starts a dictionary.
    package func beginRow() throws(GranaryError) {
        nullColumns.removeAll(keepingCapacity: true)
        try write(.beginDictionary)
    }

    /// - Throws: ``GranaryError`` with code `refused` and a diagnostic with entity and column, for text that XML cannot
    ///   contain and for a date that is not finite.
    package func write(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        try checkColumn(column)
        if case .null = value {
            if columnsNeedingNull?.contains(column) ?? true { nullColumns.append(column) }
            return
        }
        try write(.key(columns[column]))
        try writeValue(value, column: column)
    }

    /// Starts an array under the key of this column.
    package func beginList(column: Int) throws(GranaryError) {
        try checkColumn(column)
        listColumn = column
        try write(.key(columns[column]))
        try write(.beginArray)
    }

    /// - Throws: as ``write(_:column:)``, and for NULL, which property-list arrays cannot contain.
    package func writeElement(_ value: BorrowedValue) throws(GranaryError) {
        try writeValue(value, column: listColumn)
    }

    /// Ends the array; it may be empty.
    package func endList() throws(GranaryError) { try write(.endArray) }

    /// Ends the dictionary and names its NULL columns under `$null`. A column that was not written has no key.
    package func endRow() throws(GranaryError) {
        if !nullColumns.isEmpty {
            try write(.key("$null"))
            try write(.beginArray)
            for column in nullColumns { try write(.string(columns[column])) }
            try write(.endArray)
        }
        try write(.endDictionary)
    }

    /// Ends the entity's array.
    package func endTable() throws(GranaryError) { try write(.endArray) }

    /// Ends the list and the file. Only a document of several entities contains the model; other shapes omit it.
    package func finish(model: [UInt8]?) throws(GranaryError) {
        switch options.shape {
        case .array:
            if tables.count == 0 {
                try write(.beginArray)
                try write(.endArray)
            }
        case .document:
            if tables.count == 0 { try beginDocument() }
            try write(.endDictionary)
            if let model {
                try write(.key("model"))
                try JSONPropertyListWriter.forEachEvent(of: model) { (event) throws(GranaryError) in try write(event) }
            }
            if !metadata.isEmpty {
                try write(.key("metadata"))
                try PropertyListValue.dictionary(metadata).forEachEvent { (event) throws(GranaryError) in
                    try write(event)
                }
            }
            try write(.endDictionary)
        }
        try writer.finish(output)
        try output.finish()
    }

    private func beginDocument() throws(GranaryError) {
        try write(.beginDictionary)
        try write(.key("entities"))
        try write(.beginDictionary)
    }

    private func write(_ event: PropertyListEvent) throws(GranaryError) {
        try writer.write(event, to: output)
    }

    /// Writes the key of a column.
    func beginMember(_ column: Int) throws(GranaryError) {
        try checkColumn(column)
        try write(.key(columns[column]))
    }

    func write(dataOf source: ByteSource) throws(GranaryError) { try writer.write(dataOf: source, to: output) }

    private func checkColumn(_ column: Int) throws(GranaryError) {
        guard columns.indices.contains(column) else {
            throw GranaryError(.internalDefect, "\(output.name): the table \(entity) has no column number \(column)")
        }
    }

    private func writeValue(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        if options.nonFinite == .error, let text = ValueText.nonFiniteText(value) {
            throw GranaryError(
                Diagnostic(
                    .valueRange, "\(text) is not a finite number", value: text, help: "--non-finite text")
            )
            .about(entity: entity, property: columns.indices.contains(column) ? columns[column] : nil)
        }
        do throws(GranaryError) {
            try write(try event(for: value))
        } catch {
            var error = error.about(entity: entity, property: columns.indices.contains(column) ? columns[column] : nil)
            if options.encoding == .xml, error.code == .refused, error.diagnostics.first?.code != .valueMissing {
                error.message += "; write JSON or a binary property list"
                for index in error.diagnostics.indices {
                    error.diagnostics[index].message = error.message
                    error.diagnostics[index].help = "--plist-encoding binary"
                }
            }
            throw error
        }
    }

    private func event(for value: BorrowedValue) throws(GranaryError) -> PropertyListEvent {
        if options.nonFinite == .text, let text = ValueText.nonFiniteText(value) { return .string(text) }
        switch value {
        case .null: throw GranaryError(Diagnostic(.valueMissing, "a property-list array cannot contain NULL"))
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .float(let value):
            // The double nearest to the float's shortest text has the same text, which reads back as the same float.
            return .real(options.encoding == .xml ? Double(value.description) ?? Double(value) : Double(value))
        case .double(let value): return .real(value)
        case .decimal(let value): return .string(text { DecimalText.append(value, to: &$0) })
        case .date(let seconds): return try event(forDate: seconds)
        case .text(let bytes), .uri(let bytes): return .string(String(decoding: bytes, as: UTF8.self))
        case .uuid(let value): return .string(value.uuidString)
        case .binary(let bytes): return .data(Array(bytes))
        }
    }

    private func event(forDate seconds: Double) throws(GranaryError) -> PropertyListEvent {
        guard seconds.isFinite else { throw unwritable("\(seconds) seconds is not a date") }
        guard options.encoding == .xml, !XMLPropertyListWriter.canHold(.date(seconds)) else { return .date(seconds) }
        var isWritten = false
        let text = text { isWritten = DateText.append(seconds, to: &$0) }
        guard isWritten else {
            throw unwritable("a date \(seconds) seconds from 2001 is outside the years 0000 to 9999 of ISO 8601")
        }
        return .string(text)
    }

    private func text(_ body: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        body(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func unwritable(_ message: String) -> GranaryError {
        GranaryError(Diagnostic(.valueRange, message))
    }
}

extension PropertyListWriter: NestingWriter {
    package func addObjectColumns(
        _ columns: [String], entity: String, columnsNeedingNull: Set<Int>
    ) throws(GranaryError) -> Int {
        objectColumns.append(ObjectColumns(entity: entity, columns: columns, needingNull: columnsNeedingNull))
        return objectColumns.count - 1
    }

    package func beginObject(_ number: Int, column: Int?) throws(GranaryError) {
        guard objectColumns.indices.contains(number) else {
            throw GranaryError(.internalDefect, "\(output.name): there are no columns with the number \(number)")
        }
        if let column {
            try checkColumn(column)
            try write(.key(columns[column]))
        }
        around.append(
            Surroundings(
                columns: ObjectColumns(entity: entity, columns: columns, needingNull: columnsNeedingNull),
                nullColumns: nullColumns, listColumn: listColumn))
        let inner = objectColumns[number]
        (entity, columns, columnsNeedingNull) = (inner.entity, inner.columns, inner.needingNull)
        try beginRow()
    }

    package func endObject() throws(GranaryError) {
        guard let outer = around.popLast() else {
            throw GranaryError(.internalDefect, "\(output.name): no dictionary is open")
        }
        try endRow()
        (entity, columns) = (outer.columns.entity, outer.columns.columns)
        columnsNeedingNull = outer.columns.needingNull
        (nullColumns, listColumn) = (outer.nullColumns, outer.listColumn)
    }
}
