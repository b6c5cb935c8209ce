package import GranaryBase

/// One record of a source, whatever its format: a CSV row, a JSON object, a property-list dictionary.
///
/// A reader fills the same value again and again: one buffer of bytes and one list of fields that point into
/// it, so that a record costs no allocation. Columns are numbers into the reader's ``RecordReader/columns``.
public struct Record: Sendable {
    /// How the source wrote a field.
    package enum Kind: UInt8, Sendable {
        /// Bare text, which may stand for NULL: an unquoted CSV field.
        case text
        /// Text that is text: a quoted CSV field, a JSON or property-list string.
        case quoted
        /// A number's digits, exactly as the source has them.
        case number
        /// The bytes `true` or `false`.
        case boolean
        /// A property list's date: seconds since 2001-01-01 00:00:00 UTC, in digits.
        case date
        /// A property list's data, in Base64.
        case data
        /// JSON's `null`.
        case null
        /// A list without elements. A list with elements is a run of fields with ``Field/isElement`` set.
        case emptyList
        /// An object: `start` and `end` are its index in ``Record/nested``.
        case object
        /// A list that is itself an element of a list, such as one composite key of several: its JSON text without
        /// white space, numbers as the source has them.
        case array
        /// An object or a list that is a value of its own (``MemberContent/json``): its JSON text as the source has it, so
        /// that places in it are places in ``Record/raw``.
        case json
    }

    package struct Field: Sendable {
        package var kind: Kind
        /// Whether it is one element of a list that stands in this column.
        package var isElement: Bool
        /// Which of the reader's columns it is in.
        package var column: Int32
        /// Its decoded bytes in ``Record/bytes``; see ``range``.
        package var start: Int32
        package var end: Int32
        /// Where its source text begins in ``Record/raw`` (for a quoted field the quote); in a record without raw
        /// bytes, its index in ``Record/places``.
        package var rawStart: Int32

        package init(kind: Kind, column: Int32, start: Int32, end: Int32, rawStart: Int32, isElement: Bool = false) {
            self.kind = kind
            self.isElement = isElement
            self.column = column
            self.start = start
            self.end = end
            self.rawStart = rawStart
        }

        /// Where its decoded bytes stand in ``Record/bytes``: nowhere for an object.
        package var range: Range<Int> { kind == .object ? 0..<0 : Int(start)..<Int(end) }
    }

    /// An object that stands inside the record: the value, or an element of the list, of one of its members.
    package struct Nested: Sendable {
        /// The index in ``Record/nested`` of the object around it; -1: the record itself.
        package var parent: Int32
        /// Which member of the parent holds it: one of the reader's columns, which all objects share.
        package var column: Int32
        /// Whether it stands in a list.
        package var isElement: Bool
        /// Its own fields in ``Record/nestedFields``.
        package var fieldsStart: Int32
        package var fieldsEnd: Int32
        /// Where it begins, as ``Field/rawStart``.
        package var rawStart: Int32

        package init(
            parent: Int32, column: Int32, isElement: Bool, fieldsStart: Int32, fieldsEnd: Int32, rawStart: Int32
        ) {
            self.parent = parent
            self.column = column
            self.isElement = isElement
            self.fieldsStart = fieldsStart
            self.fieldsEnd = fieldsEnd
            self.rawStart = rawStart
        }
    }

    /// Where a field stands in a source whose bytes are not at hand.
    package struct Place: Sendable {
        package var line: Int
        package var column: Int
        package var byteOffset: Int?

        package init(line: Int, column: Int, byteOffset: Int?) {
            self.line = line
            self.column = column
            self.byteOffset = byteOffset
        }
    }

    /// The decoded bytes of all fields, one after the other; valid UTF-8.
    package var bytes: [UInt8] = []
    package var fields: [Field] = []
    /// The objects inside, in the order in which they begin, so parents before children; empty for nearly all records.
    package var nested: [Nested] = []
    /// The fields of the objects inside, those of one object together.
    package var nestedFields: [Field] = []
    /// The record's own bytes as the source has them once it is UTF-8, its line end left out; empty for property lists.
    /// ``TextEncoding/encode(_:into:)`` makes the source's bytes of them.
    package var raw: [UInt8] = []
    /// Where the fields stand, for a record without ``raw``; otherwise empty.
    package var places: [Place] = []
    /// The data record's number, from 1.
    package var number = 0
    /// The physical line and the byte column (both from 1) and the byte offset (from 0) of `raw`'s first byte.
    /// The offset is -1 where the source is not addressed by bytes: an XML property list.
    package var line = 1
    package var column = 1
    package var byteOffset = 0
    /// Which of the reader's entities it belongs to, or -1 where the source names none.
    package var entity: Int32 = -1

    /// An empty record, for a reader to fill.
    public init() {}

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        removeFields()
        raw.removeAll(keepingCapacity: true)
        if !places.isEmpty { places.removeAll(keepingCapacity: true) }
        entity = -1
    }

    /// Removes the fields and the objects inside; bytes and places stay.
    mutating func removeFields() {
        fields.removeAll(keepingCapacity: true)
        if !nested.isEmpty { nested.removeAll(keepingCapacity: true) }
        if !nestedFields.isEmpty { nestedFields.removeAll(keepingCapacity: true) }
    }

    /// How far the counting of lines has come in ``raw``, so that places asked for in order cost one pass together.
    package struct Cursor: Sendable {
        fileprivate var offset = 0
        fileprivate var line = 0
        fileprivate var column = 0

        package init() {}
    }

    /// Where the byte at an offset of ``raw`` stands in the source; worked out only when something is reported.
    package func position(ofRaw offset: Int, file: String) -> SourcePosition {
        var cursor = Cursor()
        return position(ofRaw: offset, file: file, &cursor)
    }

    /// As ``position(ofRaw:file:)``, counting on from where `cursor` has come to in this record.
    package func position(ofRaw offset: Int, file: String, _ cursor: inout Cursor) -> SourcePosition {
        let end = min(max(offset, 0), raw.count)
        if cursor.line == 0 || cursor.offset > end { (cursor.offset, cursor.line, cursor.column) = (0, line, column) }
        var line = cursor.line
        var column = cursor.column
        for index in cursor.offset..<end {
            let byte = raw[index]
            // CR LF counts once, at its LF; a CR alone is a line end of its own.
            let endsLine = byte == 0x0A || (byte == 0x0D && (index + 1 >= raw.count || raw[index + 1] != 0x0A))
            if endsLine {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        (cursor.offset, cursor.line, cursor.column) = (end, line, column)
        return SourcePosition(
            file: file, line: line, column: column, byteOffset: byteOffset < 0 ? nil : byteOffset + max(offset, 0),
            record: number)
    }

    package func position(of field: Field, file: String) -> SourcePosition {
        var cursor = Cursor()
        return position(of: field, file: file, &cursor)
    }

    package func position(of field: Field, file: String, _ cursor: inout Cursor) -> SourcePosition {
        position(ofStart: field.rawStart, file: file, &cursor)
    }

    package func position(of object: Nested, file: String, _ cursor: inout Cursor) -> SourcePosition {
        position(ofStart: object.rawStart, file: file, &cursor)
    }

    private func position(ofStart rawStart: Int32, file: String, _ cursor: inout Cursor) -> SourcePosition {
        guard places.indices.contains(Int(rawStart)) else {
            return position(ofRaw: Int(rawStart), file: file, &cursor)
        }
        let place = places[Int(rawStart)]
        return SourcePosition(
            file: file, line: place.line, column: place.column, byteOffset: place.byteOffset, record: number)
    }
}
