package import GranaryBase

/// Reads records from JSON (RFC 8259) or JSON Lines, with memory for one record at a time.
///
/// The document is one of:
/// - an array of objects, each a record;
/// - JSON Lines (``Options/lines``), one object a line;
/// - `{"entities": {NAME: [object, ...], ...}, "model": {...}}`, the export of several entities;
/// - any document with the records in ``Options/places``;
/// - a single object: one record. An object is a document of several entities if its first member is `entities` or
///   `model` and holds an object.
///
/// A member's string, number, boolean or null is a field; an array of them is a list. An object in a member or in a
/// list is a related object with its own fields; an array inside an array is a key of several values. In members that
/// the importer declares as JSON values (Transformable attributes), an object or an array is one value with its JSON
/// text. Numbers keep their text. A duplicate member or invalid text makes one record malformed, and reading continues
/// after it. Invalid syntax ends the reading, except in JSON Lines, where it affects only its line.
///
/// ```swift
/// let reader = JSONReader(try ByteSource(url: file))
/// var record = Record()
/// while case .record = try reader.next(into: &record) { ... }
/// ```
package final class JSONReader: RecordReader {
    enum State {
        case start
        case lines
        /// Inside an array of records.
        case elements(isFirst: Bool)
        /// Inside the object of entities.
        case tables(isFirst: Bool)
        /// Inside the outermost object of a document of several entities.
        case members(isFirst: Bool)
        /// Before the object that is the whole document and the only record.
        case single
        /// In a document with places, between two of them.
        case search
        /// Inside the object of a place whose members are records.
        case keyed(isFirst: Bool)
        /// After the document's value.
        case tail
        case end
    }

    /// The file's path, or the name of the bytes.
    package let sourceName: String
    /// The file's bytes.
    package var source: ByteSource? { window.source }
    /// The member names of all records so far, in the order of their first occurrence.
    package var columns: [String] { parser.assembler.columns.names }
    /// The entities found so far in a document of several entities; otherwise empty.
    package internal(set) var entities: [String] = []
    /// The bytes of the document's `model` member, once reading has passed it.
    package internal(set) var model: [UInt8]?

    package let options: Options
    /// Tells which members hold JSON values; nil if none does. Set it before reading the first record.
    package var guide: (any MemberGuide)? {
        get { parser.contents.guide }
        set { parser.contents.guide = newValue }
    }
    var window: ByteWindow
    var parser: JSONRecordParser
    var state = State.start
    /// Whether the source is a document of several entities.
    package internal(set) var isDocument = false
    /// Whether the source begins with a byte order mark; known after the header is read.
    package internal(set) var hasByteOrderMark = false
    /// The places of possible records in a document that is one object; known after the header is read.
    package internal(set) var wrappedRecords: [WrappedRecords] = []
    /// The search for the places of records; nil if the options name none.
    var search: RecordPlaceSearch?
    /// The index of the current place's entity in ``entities``; −1 if it names none.
    var placeEntity: Int32 = -1
    /// The name of the member that the current record is, in a place whose members are records.
    var nameBytes: [UInt8] = []
    var hasEntities = false
    /// The position of each entity's name, by its bytes.
    var entityPlaces: [[UInt8]: TextPlace] = [:]
    private var recordCount = 0

    /// Reads a source of bytes.
    package init(_ source: ByteSource, options: Options = Options()) {
        var options = options
        // Fields hold 32-bit offsets into their record.
        options.maximumRecordBytes = min(options.maximumRecordBytes, Int(Int32.max) - 1)
        self.options = options
        sourceName = source.name
        // JSON begins with ASCII and contains no bare U+0000, so a U+0000 means UTF-16 or UTF-32.
        source.decodeText(as: options.encoding, allowsNUL: false)
        window = ByteWindow(source, chunkSize: options.chunkSize)
        parser = JSONRecordParser(limits: options)
        if !options.places.isEmpty { search = RecordPlaceSearch(options.places) }
    }

    /// Reads up to the first record. ``columns`` may still be empty afterwards.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if the source is not such a document, or as reading the bytes
    ///   throws.
    package func readHeader() throws(GranaryError) {
        guard case .start = state else { return }
        do throws(GranaryError) {
            try begin()
        } catch {
            state = .end
            throw error
        }
    }

    /// Reads the next record. A malformed record is skipped if the format allows it.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if reading cannot continue, or as reading the bytes throws.
    package func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        do throws(GranaryError) {
            while true {
                switch state {
                case .start: try begin()
                case .lines: return try nextLine(into: &record)
                case .elements(let isFirst):
                    if try nextElement(isFirst: isFirst) { return try readElement(into: &record) }
                case .keyed(let isFirst):
                    if try nextNamedRecord(isFirst: isFirst) { return try readElement(into: &record) }
                case .search: try nextPlace()
                case .tables(let isFirst): try nextTable(isFirst: isFirst)
                case .members(let isFirst): try nextMember(isFirst: isFirst)
                case .single:
                    state = search == nil ? .tail : .search
                    return try readElement(into: &record)
                case .tail: try readTail()
                case .end: return .end
                }
            }
        } catch {
            state = .end
            throw error
        }
    }

    // MARK: Records

    /// Starts a record at the first unread byte.
    func start(_ record: inout Record) {
        recordCount += 1
        record.removeAll()
        record.number = recordCount
        record.line = window.place.line
        record.column = window.place.column
        record.byteOffset = window.place.offset
        record.entity = isDocument ? Int32(truncatingIfNeeded: entities.count) - 1 : placeEntity
        let name = entities.indices.contains(Int(record.entity)) ? entities[Int(record.entity)] : nil
        parser.contents.beginRecord(entity: record.entity, name: name)
    }

    /// Reads the value at the first unread byte as a record.
    private func readElement(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        do throws(GranaryError) {
            return try scanElement(into: &record)
        } catch {
            throw placed(error)
        }
    }

    /// The error with the place of the records, if it says that a document of one object is too large for a record.
    private func placed(_ error: GranaryError) -> GranaryError {
        guard error.diagnostics.first?.code == .limitExceeded else { return error }
        var error = error
        wrappedRecords.advise(&error.diagnostics[0])
        error.message = error.diagnostics[0].message
        return error
    }

    private func scanElement(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        start(&record)
        let depth = depthAround
        let isObject = window.first == UInt8(ascii: "{")
        var raw = record.raw
        record.raw = []
        try scan(limit: options.maximumRecordBytes, record: recordCount) { cursor throws(JSONFault) in
            if isObject {
                try parser.parse(&cursor, depth: depth, into: &record)
            } else {
                try cursor.skipValue(depth: depth)
            }
            raw.append(contentsOf: UnsafeBufferPointer(rebasing: cursor.bytes[..<cursor.position]))
        }
        record.raw = raw
        if !isObject { return malformed(.fault(JSONFault(.notAnObject, at: 0), field: nil), &record) }
        if let problem = parser.problem { return malformed(problem, &record) }
        if case .keyed = state, let problem = addName(to: &record) { return .malformed(problem) }
        return .record
    }

    /// The number of objects and arrays that are open around a record.
    private var depthAround: Int {
        let levels = search?.levels.count ?? 0
        return switch state {
        case .tail: 0
        case .search: levels
        case .keyed: levels + 1
        default: isDocument ? 3 : levels + 1
        }
    }

    /// The outcome for a malformed record whose end is known.
    func malformed(_ problem: JSONRecordParser.Problem, _ record: inout Record) -> ReadOutcome {
        record.removeFields()
        let position = record.position(ofRaw: problem.offset, file: sourceName)
        switch problem {
        case .fault(let fault, let field):
            let (code, message) = record.raw.withUnsafeBufferPointer { words(for: fault, in: $0) }
            var diagnostic = Diagnostic(code, message, at: position, field: field, help: fault.help)
            if code == .limitExceeded { wrappedRecords.advise(&diagnostic) }
            return .malformed(diagnostic)
        case .duplicate(let name, let first, _):
            return .malformed(
                Diagnostic(
                    .headerDuplicate, "the member \"\(Diagnostic.shortened(name))\" occurs twice in one object",
                    at: position, field: name, related: [record.position(ofRaw: first, file: sourceName)]))
        }
    }

    // MARK: Scanning

    /// Runs `body` on the unread bytes, again with more bytes while it needs more, and consumes the scanned bytes.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of bytes to scan.
    ///   - record: the record's number, for errors.
    func scan<Result>(
        limit: Int, record: Int? = nil, _ body: (inout JSONCursor) throws(JSONFault) -> Result
    ) throws(GranaryError) -> Result {
        while true {
            var position = 0
            var hasLineEnd = false
            let result: Result
            do throws(JSONFault) {
                result = try window.withBytes { bytes throws(JSONFault) in
                    var cursor = JSONCursor(bytes, isFinal: window.isFinal, limits: options)
                    let result = try body(&cursor)
                    guard cursor.position <= limit else { throw JSONFault(.valueTooLong(limit: limit), at: 0) }
                    position = cursor.position
                    hasLineEnd = cursor.hasLineEnd
                    return result
                }
            } catch {
                guard error.kind == .needsMore else { throw refusal(error, record: record) }
                guard window.count <= limit else {
                    throw refusal(JSONFault(.valueTooLong(limit: limit), at: 0), record: record)
                }
                try window.fill()
                continue
            }
            window.consume(position, hasLineEnd: hasLineEnd)
            return result
        }
    }

    /// Skips white space and returns the next byte; nil at the end.
    func peek() throws(GranaryError) -> UInt8? {
        while true {
            if let byte = window.first, byte > 0x20 { return byte }
            var position = 0
            var hasLineEnd = false
            window.withBytes { bytes in
                var cursor = JSONCursor(bytes, isFinal: true, limits: options)
                cursor.skipWhitespace()
                (position, hasLineEnd) = (cursor.position, cursor.hasLineEnd)
            }
            window.consume(position, hasLineEnd: hasLineEnd)
            if let byte = window.first { return byte }
            guard !window.isFinal else { return nil }
            try window.fill()
        }
    }

    /// Consumes the byte that ``peek()`` returned.
    func skip() { window.consume(1, hasLineEnd: false) }

    // MARK: Errors

    /// The error for a fault at an offset from the first unread byte.
    func refusal(_ fault: JSONFault, record: Int? = nil) -> GranaryError {
        let (code, message) = window.withBytes { words(for: fault, in: $0) }
        return refusal(code, message, at: fault.offset, record: record, help: fault.help)
    }

    /// The code and the message for a fault. Bytes that are invalid in the source's encoding take precedence over any
    /// other fault.
    private func words(
        for fault: JSONFault, in bytes: UnsafeBufferPointer<UInt8>
    ) -> (code: Diagnostic.Code, message: String) {
        let encoding = window.encoding
        if fault.kind == .invalidUTF8 || encoding.isEscape(in: bytes, at: fault.offset) {
            return (.encodingInvalid, encoding.problem(in: bytes, at: fault.offset))
        }
        let found = bytes.indices.contains(fault.offset) ? bytes[fault.offset] : nil
        return (fault.code, fault.message(found: found, limits: options))
    }

    func refusal(
        _ code: Diagnostic.Code, _ message: String, at offset: Int = 0, record: Int? = nil, help: String? = nil
    ) -> GranaryError {
        let position = window.place(after: offset).position(file: sourceName, record: record)
        return GranaryError(Diagnostic(code, message, at: position, help: help))
    }

    /// The error for an unexpected first unread byte.
    func unexpected(_ kind: JSONFault.Kind) -> GranaryError {
        refusal(JSONFault(window.first == UInt8(ascii: "/") ? .comment : kind, at: 0))
    }
}

extension JSONReader: ReaderAbilities {
    package var nests: Bool { true }

    package func take(_ hints: ReaderHints) { guide = hints.guide }
}
