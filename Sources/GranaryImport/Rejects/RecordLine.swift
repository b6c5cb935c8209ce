import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// Writes a record that has no JSON text of its own as a JSON object: a row of an SQLite database, a record of a reader
/// outside Granary, an entry of a property list, a term.
///
/// Bytes and dates become texts if the property can be imported from such a text. Otherwise they become the objects
/// `{"$data": "Qf8="}` and `{"$date": "2001-01-01T00:00:00Z"}`, which no attribute accepts: as a text, the value would
/// be imported as something that the source does not have.
struct RecordLine {
    /// The reader of the records. Its columns can grow.
    private let reader: any RecordReader
    private let properties: RejectedProperties?
    /// Whether the fields of a malformed record are all that its source has. Other malformed records get the member
    /// `$record`, and an import rejects records with it.
    private let areMalformedWhole: Bool

    init(_ reader: any RecordReader, _ properties: RejectedProperties?) {
        self.reader = reader
        self.properties = properties
        areMalformedWhole = reader is DatabaseReader
    }

    func append(_ record: borrowing Record, isMalformed: Bool, to bytes: inout [UInt8]) {
        let entities = reader.entities
        let index = Int(record.entity)
        let entity = entities.indices.contains(index) ? entities[index] : nil
        var text = RecordText(record: copy record, columns: reader.columns, bytes: bytes)
        if let properties {
            text.form = { name, kind in
                isMalformed ? .object : Self.form(of: kind, properties.member(name, entity: entity))
            }
            text.isNull = { name, bytes in properties.member(name, entity: entity).isNull(bytes) }
        } else if isMalformed {
            text.form = { _, _ in .object }
        }
        text.begin()
        if let entity, !reader.columns.contains(RecordTable.entityColumn) {
            text.append(name: Array(RecordTable.entityColumn.utf8))
            JSONText.append(entity, to: &text.bytes)
        }
        text.appendMembers(record.fields[...])
        if isMalformed, !areMalformedWhole {
            text.append(name: Array(RejectsTableColumns.record.utf8))
            let raw = String(decoding: record.raw, as: UTF8.self)
            JSONText.append(raw.isEmpty ? RejectsTableColumns.unreadable : raw, to: &text.bytes)
        }
        text.end()
        bytes = text.bytes
    }

    /// How bytes or a date of a member are written.
    private static func form(of kind: Record.Kind, _ member: RejectedProperties.Member) -> RecordText.Form {
        switch (kind, member.role) {
        case (_, .other), (_, .ignored), (.date, .attribute(.date)): .text
        case (.data, .attribute(.binary)), (.data, .attribute(.transformable)): member.isHex ? .hex : .text
        default: .object
        }
    }
}

/// The JSON text of a record.
private struct RecordText {
    enum Form { case text, hex, object }

    let record: Record
    let columns: [String]
    var bytes: [UInt8]
    /// How bytes and dates of the record's own members are written.
    var form: (_ name: [UInt8], _ kind: Record.Kind) -> Form = { _, _ in .text }
    /// Whether a bare text of a member is NULL.
    var isNull: (_ name: [UInt8], _ text: [UInt8]) -> Bool = { _, text in text.isEmpty }
    private var isFirst = true

    init(record: Record, columns: [String], bytes: [UInt8]) {
        self.record = record
        self.columns = columns
        self.bytes = bytes
    }

    mutating func begin() {
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
    }

    mutating func end() {
        bytes.append(UInt8(ascii: "}"))
        isFirst = false
    }

    mutating func append(name: [UInt8]) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        JSONText.append(String(decoding: name, as: UTF8.self), to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func appendMembers(_ fields: ArraySlice<Record.Field>, isNested: Bool = false) {
        var next = fields.startIndex
        while next < fields.endIndex {
            let first = fields[next]
            next += 1
            guard columns.indices.contains(Int(first.column)) else { continue }
            let name = Array(columns[Int(first.column)].utf8)
            append(name: name)
            let isSpecial = first.kind == .data || first.kind == .date
            let form = isNested || !isSpecial ? Form.text : form(name, first.kind)
            guard first.isElement else {
                if first.kind == .text, isNull(name, Array(record.bytes[first.range])) {
                    bytes.append(contentsOf: "null".utf8)
                } else {
                    append(first, form)
                }
                continue
            }
            bytes.append(UInt8(ascii: "["))
            append(first, form)
            while next < fields.endIndex, fields[next].isElement, fields[next].column == first.column {
                bytes.append(UInt8(ascii: ","))
                append(fields[next], form)
                next += 1
            }
            bytes.append(UInt8(ascii: "]"))
        }
    }

    private mutating func append(_ field: Record.Field, _ form: Form) {
        let value = record.bytes[field.range]
        switch field.kind {
        case .number where !Self.isNumber(value): append(text: value)
        case .number, .boolean, .array, .json: bytes.append(contentsOf: value)
        case .date: appendDate(value, form)
        case .data: appendData(value, form)
        case .text, .quoted: append(text: value)
        case .emptyList: bytes.append(contentsOf: "[]".utf8)
        case .null: bytes.append(contentsOf: "null".utf8)
        case .object:
            guard record.nested.indices.contains(Int(field.start)) else { return bytes.append(contentsOf: "null".utf8) }
            let object = record.nested[Int(field.start)]
            begin()
            appendMembers(record.nestedFields[Int(object.fieldsStart)..<Int(object.fieldsEnd)], isNested: true)
            end()
        }
    }

    private mutating func append(text: ArraySlice<UInt8>) {
        JSONText.append(String(decoding: text, as: UTF8.self), to: &bytes)
    }

    private mutating func appendDate(_ seconds: ArraySlice<UInt8>, _ form: Form) {
        var date: [UInt8] = []
        let value = Double(String(decoding: seconds, as: UTF8.self)) ?? .nan
        let text = DateText.append(value, to: &date) ? date[...] : seconds
        append(text, form, objectName: "$date")
    }

    private mutating func appendData(_ base64: ArraySlice<UInt8>, _ form: Form) {
        guard form == .hex else { return append(base64, form, objectName: "$data") }
        var data: [UInt8] = []
        let isDecoded = base64.withUnsafeBufferPointer { text in
            do throws(ValueTextError) {
                try Base64Text.decode(text, into: &data)
                return true
            } catch {
                return false
            }
        }
        guard isDecoded else { return append(base64, .object, objectName: "$data") }
        var hex: [UInt8] = []
        data.withUnsafeBufferPointer { HexText.encode($0, into: &hex) }
        append(text: hex[...])
    }

    private mutating func append(_ text: ArraySlice<UInt8>, _ form: Form, objectName: String) {
        guard form == .object else { return append(text: text) }
        begin()
        append(name: Array(objectName.utf8))
        append(text: text)
        end()
    }

    /// Whether a number is written as in JSON.
    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        (try? /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/.wholeMatch(in: String(decoding: text, as: UTF8.self)))
            .flatMap { $0 } != nil
    }
}
