package import GranaryBase

/// One record of a source: a CSV row, a JSON object, a property-list dictionary.
///
/// A reader refills the same value: one buffer of bytes and one list of fields that point into it, so that a record
/// costs no allocation. Columns are indexes into ``RecordReader/columns``.
public struct Record: Sendable {
    /// How the source wrote a field.
    package enum Kind: UInt8, Sendable {
        /// Bare text, which may mean NULL: an unquoted CSV field.
        case text
        /// Text that is never NULL: a quoted CSV field, a JSON or property-list string.
        case quoted
        /// A number's digits, exactly as in the source.
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
        /// An object: `start` and `end` are both its index in ``Record/nested``.
        case object
        /// A list inside a list, such as one composite key of several: its JSON text without white space, with numbers
        /// as in the source.
        case array
        /// An object or a list that is one value (``MemberContent/json``): its JSON text exactly as in the source, so
        /// that offsets in it are offsets in ``Record/raw``.
        case json
    }

    package struct Field: Sendable {
        package var kind: Kind
        /// Whether it is one element of a list in this column.
        package var isElement: Bool
        /// The index of its column in the reader's columns.
        package var column: Int32
        /// The range of its decoded bytes in ``Record/bytes``; see ``range``.
        package var start: Int32
        package var end: Int32
        /// The offset of its source text in ``Record/raw`` (of the quote for a quoted field); in a record without raw
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

        /// The range of its decoded bytes in ``Record/bytes``; empty for an object.
        package var range: Range<Int> { kind == .object ? 0..<0 : Int(start)..<Int(end) }
    }

    /// An object nested in the record: the value of a member, or an element of a member's list.
    package struct Nested: Sendable {
        /// The index in ``Record/nested`` of the object that contains it; -1 for the record itself.
        package var parent: Int32
        /// The parent's member that holds it, as an index into the reader's columns, which all objects share.
        package var column: Int32
        /// Whether it is an element of a list.
        package var isElement: Bool
        /// The range of its fields in ``Record/nestedFields``.
        package var fieldsStart: Int32
        package var fieldsEnd: Int32
        /// The offset of its beginning, as ``Field/rawStart``.
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

    /// The position of a field in a source whose bytes are not kept.
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
    /// The nested objects in the order of their beginnings, so parents come before children; empty for nearly all
    /// records.
    package var nested: [Nested] = []
    /// The fields of the nested objects; the fields of one object are contiguous.
    package var nestedFields: [Field] = []
    /// The record's bytes after conversion to UTF-8, without the line end; empty for property lists.
    /// ``TextEncoding/encode(_:into:)`` converts them back to the source's bytes.
    package var raw: [UInt8] = []
    /// The positions of the fields of a record without ``raw``; otherwise empty.
    package var places: [Place] = []
    /// The record's number in the source, from 1.
    package var number = 0
    /// The physical line and the byte column (both from 1) and the byte offset (from 0) of the first byte of ``raw``.
    /// The offset is -1 for sources without byte offsets: XML property lists.
    package var line = 1
    package var column = 1
    package var byteOffset = 0
    /// The index of its entity in the reader's entities; -1 if the source names no entities.
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

    /// Removes the fields and the nested objects; bytes and places stay.
    mutating func removeFields() {
        fields.removeAll(keepingCapacity: true)
        if !nested.isEmpty { nested.removeAll(keepingCapacity: true) }
        if !nestedFields.isEmpty { nestedFields.removeAll(keepingCapacity: true) }
    }

    /// The progress of counting lines in ``raw``, so that positions in ascending order cost one pass together.
    package struct Cursor: Sendable {
        fileprivate var offset = 0
        fileprivate var line = 0
        fileprivate var column = 0

        package init() {}
    }

    /// The source position of the byte at an offset of ``raw``; computed only for reports.
    package func position(ofRaw offset: Int, file: String) -> SourcePosition {
        var cursor = Cursor()
        return position(ofRaw: offset, file: file, &cursor)
    }

    /// As ``position(ofRaw:file:)``, continuing to count from `cursor`.
    package func position(ofRaw offset: Int, file: String, _ cursor: inout Cursor) -> SourcePosition {
        let end = min(max(offset, 0), raw.count)
        if cursor.line == 0 || cursor.offset > end { (cursor.offset, cursor.line, cursor.column) = (0, line, column) }
        var line = cursor.line
        var column = cursor.column
        for index in cursor.offset..<end {
            let byte = raw[index]
            // CR LF counts once, at its LF; a lone CR is a line end.
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
