package import Foundation
package import GranaryBase
package import GranaryPropertyLists

/// Writes records as a property list, XML or binary: one array of dictionaries, or a document of several entities.
///
/// Integers, booleans, dates, data and text are the property list's own kinds, doubles and floats its reals. What it
/// has no kind for is written so that it comes back as it was: a decimal, a UUID and a URI as a string, and in XML
/// a date with a fraction of a second, which `<date>` cannot hold, as its ISO 8601 string. There is no NULL, so a
/// row's NULL columns are named in an array under the key `$null`. An XML list refuses text with characters that XML
/// cannot hold (control characters, U+FFFE, U+FFFF).
///
/// Both forms stream. For a binary list 8 bytes an object stay in memory until the end.
package final class PropertyListWriter: ValueWriter {
    /// What the list as a whole is.
    package enum Shape: Sendable {
        /// An array of dictionaries: one entity.
        case array
        /// `{entities: {NAME: [dictionary, ...], ...}, model: {...}}`: any number of entities. An archive store adds
        /// `metadata: {...}`.
        case document
    }

    /// How a property list is written.
    package struct Options: Sendable {
        /// XML or binary; XML by default.
        package var encoding = PropertyListEncoding.xml
        /// What the list as a whole is; an array of dictionaries by default.
        package var shape = Shape.array

        /// An array of dictionaries in XML.
        package init() {}
    }

    /// The columns of the table at hand whose NULLs are named under `$null`; nil for all of them. Where a column has
    /// no default, leaving it out says the same in fewer bytes. Starts anew with each table.
    package var columnsNeedingNull: Set<Int>?

    /// What a document says under `metadata`, behind the model; an archive store's words about itself. Where there is
    /// nothing to say, there is no such key.
    package var metadata: [PropertyListEntry] = []

    private let output: ByteOutput
    private let options: Options
    private var writer: PropertyListStreamWriter
    private var entity = ""
    private var columns: [String] = []
    private var nullColumns: [Int] = []
    private var listColumn = -1
    private var tables = TableNames()

    /// Writes to `output`, which ``finish(model:)`` finishes too.
    package init(_ output: ByteOutput, options: Options = Options()) {
        self.output = output
        self.options = options
        writer = PropertyListStreamWriter(options.encoding == .xml ? .xml : .binary)
    }

    /// Writes to a file, which gets its name when all is written.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable` when it cannot be made, or exists and may not be replaced.
    package convenience init(url: URL, replacing: Bool = false, options: Options = Options()) throws(GranaryError) {
        self.init(try ByteOutput.file(url.path(percentEncoded: false), replacing: replacing), options: options)
    }

    /// - Throws: ``GranaryError`` with code `usage` for a second table where the shape has room for one, and for
    ///   an entity that was written already.
    package func beginTable(entity: String, columns: [String]) throws(GranaryError) {
        try tables.begin(entity, allowsSeveral: options.shape == .document)
        self.entity = entity
        self.columns = columns
        columnsNeedingNull = nil
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

    /// - Throws: ``GranaryError`` with code `refused`, its diagnostic naming entity and column, for text that XML
    ///   cannot hold and for a date that is no number.
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

    /// - Throws: as ``write(_:column:)``, and for NULL, which no property-list array can hold.
    package func writeElement(_ value: BorrowedValue) throws(GranaryError) {
        try writeValue(value, column: listColumn)
    }

    /// Ends the array; it may be empty.
    package func endList() throws(GranaryError) { try write(.endArray) }

    /// Ends the dictionary; its NULL columns are named under `$null`. A column that was not written has no key.
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

    /// Ends the list and the file. Only a document of several entities holds the model; elsewhere it is left out.
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

    private func checkColumn(_ column: Int) throws(GranaryError) {
        guard columns.indices.contains(column) else {
            throw GranaryError(.internalDefect, "\(output.name): the table \(entity) has no column number \(column)")
        }
    }

    private func writeValue(_ value: BorrowedValue, column: Int) throws(GranaryError) {
        do throws(GranaryError) {
            try write(try event(for: value))
        } catch {
            var error = error.about(entity: entity, property: columns.indices.contains(column) ? columns[column] : nil)
            if options.encoding == .xml, error.code == .refused, error.diagnostics.first?.code != .valueMissing {
                error.message += "; write JSON or a binary list (--plist-encoding binary)"
                error.diagnostics = error.diagnostics.map { diagnostic in
                    var diagnostic = diagnostic
                    diagnostic.message = error.message
                    return diagnostic
                }
            }
            throw error
        }
    }

    private func event(for value: BorrowedValue) throws(GranaryError) -> PropertyListEvent {
        switch value {
        case .null: throw GranaryError(Diagnostic(.valueMissing, "a property-list array holds no NULL"))
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .float(let value):
            // The double next to the shortest text has that text too, and it reads back as the same float.
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
        guard seconds.isFinite else { throw unwritable("a date of \(seconds) seconds is none") }
        guard options.encoding == .xml, !XMLPropertyListWriter.canHold(.date(seconds)) else { return .date(seconds) }
        var isWritten = false
        let text = text { isWritten = DateText.append(seconds, to: &$0) }
        guard isWritten else {
            throw unwritable("a date \(seconds) seconds from 2001 lies outside the years 0000 to 9999 of ISO 8601")
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
