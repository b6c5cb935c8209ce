import Foundation
public import GranaryBase

/// Access to fields for readers outside Granary and for readers that wrap another one.
extension Record {
    /// Empties the record and starts another one.
    ///
    /// - Parameters:
    ///   - number: the number of the record in its source, from 1.
    ///   - line: the line where it begins, from 1, for diagnostics.
    ///   - column: the column where it begins, from 1.
    public mutating func begin(number: Int, line: Int = 1, column: Int = 1) {
        removeAll()
        self.number = number
        self.line = line
        self.column = column
        byteOffset = -1
    }

    /// Which of the reader's ``RecordReader/entities`` the record belongs to; nil if the source does not name entities.
    public var entityIndex: Int? {
        get { entity < 0 ? nil : Int(entity) }
        set { entity = newValue.flatMap { Int32(exactly: $0) } ?? -1 }
    }

    /// Adds a field.
    ///
    /// - Parameters:
    ///   - column: the index of its column in ``RecordReader/columns``. A record has at most one field of a column.
    ///   - position: the field's position in its source, for diagnostics; nil for the beginning of the record.
    /// - Throws: ``GranaryError``: `usage` for a negative column; `refused` for a date that is not finite and for a
    ///   record of 2 GiB.
    public mutating func append(
        _ field: RecordField, column: Int, at position: SourcePosition? = nil
    ) throws(GranaryError) {
        guard column >= 0, let column = Int32(exactly: column) else {
            throw GranaryError(.usage, "\(column) is not the index of a column")
        }
        let place = Place(
            line: position?.line ?? line, column: position?.column ?? self.column, byteOffset: position?.byteOffset)
        let placeIndex = Int32(truncatingIfNeeded: places.count)
        places.append(place)
        switch field {
        case .value(let value): try append(value, column, placeIndex, isElement: false)
        case .list(let values) where values.isEmpty:
            fields.append(Field(kind: .emptyList, column: column, start: 0, end: 0, rawStart: placeIndex))
        case .list(let values):
            for value in values { try append(value, column, placeIndex, isElement: true) }
        }
    }

    private mutating func append(
        _ value: RecordValue, _ column: Int32, _ place: Int32, isElement: Bool
    ) throws(GranaryError) {
        let start = bytes.count
        let kind: Kind
        switch value {
        case .null: kind = .null
        case .text(let text), .uri(let text): kind = append(text, .quoted)
        case .bareText(let text): kind = append(text, .text)
        case .number(let digits): kind = append(digits, .number)
        case .boolean(let flag): kind = append(flag ? "true" : "false", .boolean)
        case .integer(let number): kind = append("\(number)", .number)
        case .float(let number): kind = append("\(number)", number.isFinite ? .number : .quoted)
        case .double(let number): kind = append("\(number)", number.isFinite ? .number : .quoted)
        case .decimal(let number): kind = append("\(number)", .number)
        case .date(let date):
            let seconds = date.timeIntervalSinceReferenceDate
            guard seconds.isFinite else {
                throw GranaryError(Diagnostic(.valueRange, "a date whose seconds are \(seconds) cannot be imported"))
            }
            FloatingText.append(seconds, to: &bytes)
            kind = .date
        case .uuid(let uuid): kind = append(uuid.uuidString, .quoted)
        case .binary(let data): kind = append(data.base64EncodedString(), .data)
        }
        guard let from = Int32(exactly: start), let to = Int32(exactly: bytes.count) else {
            throw GranaryError(Diagnostic(.limitExceeded, "record \(number) has more than 2 GiB"))
        }
        fields.append(
            Field(kind: kind, column: column, start: from, end: to, rawStart: place, isElement: isElement))
    }

    private mutating func append(_ text: String, _ kind: Kind) -> Kind {
        bytes.append(contentsOf: text.utf8)
        return kind
    }

    /// The field of a column; nil if the record does not have it, or if it contains objects.
    public func field(column: Int) -> RecordField? {
        let own = fields.filter { Int($0.column) == column }
        guard let first = own.first else { return nil }
        if first.kind == .emptyList { return .list([]) }
        let values = own.compactMap(value)
        guard values.count == own.count else { return nil }
        return first.isElement ? .list(values) : .value(values[0])
    }

    /// The value of a field; nil for an object.
    private func value(of field: Field) -> RecordValue? {
        guard field.range.upperBound <= bytes.count else { return nil }
        let text = String(decoding: bytes[field.range], as: UTF8.self)
        switch field.kind {
        case .text: return .bareText(text)
        case .quoted, .array, .json: return .text(text)
        case .number: return .number(text)
        case .boolean: return .boolean(text == "true")
        case .date: return Double(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case .data: return Data(base64Encoded: text).map { .binary($0) }
        case .null: return .null
        case .object, .emptyList: return nil
        }
    }
}
