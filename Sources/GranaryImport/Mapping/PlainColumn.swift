import GranaryBase
import GranaryCoordination
import GranaryModel

/// Parses fields of an attribute without options directly into cells.
///
/// The result is nil for a field that may be invalid. ``FieldParser`` and the validator then read it and report its
/// problems.
struct PlainColumn {
    private enum Kind {
        case integer, boolean, double, date, text
    }

    let slot: Int
    /// Whether the values are numbers.
    var isNumber: Bool { kind == .integer || kind == .double }
    var isBoolean: Bool { kind == .boolean }
    var allowsNull: Bool { validator.allowsNull }
    private let kind: Kind
    private let validator: AttributeValidator
    private var dates: DateTextReader

    /// Returns nil for a column that only ``FieldParser`` can read.
    init?(_ parser: FieldParser) {
        guard parser.isPlain, !parser.attribute.validator.hasPredicates else { return nil }
        switch parser.type {
        case .integer16, .integer32, .integer64: kind = .integer
        case .boolean: kind = .boolean
        case .double: kind = .double
        case .date: kind = .date
        case .string: kind = .text
        default: return nil
        }
        slot = parser.attribute.slot
        validator = parser.attribute.validator
        dates = parser.dates
    }

    /// Returns the cell of a field. A text is appended to `bytes`.
    @inline(__always)
    mutating func read(
        _ text: UnsafeBufferPointer<UInt8>, isQuoted: Bool, into bytes: inout [UInt8]
    ) -> StoredCell? {
        if text.isEmpty, !isQuoted { return validator.allowsNull ? .null : nil }
        switch kind {
        case .text:
            guard validator.keepsRules(text: text) else { return nil }
            let start = UInt32(truncatingIfNeeded: bytes.count)
            bytes.append(contentsOf: text)
            return .text(start: start, count: UInt32(truncatingIfNeeded: text.count))
        case .integer:
            guard let number = try? IntegerText.parse(text), validator.keepsRules(integer: number) else { return nil }
            return .integer(number)
        case .boolean:
            guard let value = try? BooleanText.parse(text) else { return nil }
            return .integer(value ? 1 : 0)
        case .double:
            guard let number = try? FloatingText.parse(text), validator.keepsRules(double: number) else { return nil }
            return .real(number + 0)
        case .date:
            guard let seconds = try? dates.parse(text), validator.keepsRules(date: seconds) else { return nil }
            if let whole = Int64(exactly: seconds), whole != .min { return .integer(whole) }
            return .real(seconds)
        }
    }
}
