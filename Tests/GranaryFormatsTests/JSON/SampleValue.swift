import Foundation
import GranaryBase
import GranaryFormats
import TestSupport

/// A value of each kind that writers take, kept for comparison.
enum SampleValue: Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case float(Float)
    case double(Double)
    case decimal(ExactDecimal)
    case date(Double)
    case text(String)
    case uri(String)
    case uuid(UUID)
    case binary([UInt8])

    func borrowed(_ body: (BorrowedValue) throws -> Void) rethrows {
        switch self {
        case .null: try body(.null)
        case .boolean(let value): try body(.boolean(value))
        case .integer(let value): try body(.integer(value))
        case .float(let value): try body(.float(value))
        case .double(let value): try body(.double(value))
        case .decimal(let value): try body(.decimal(value))
        case .date(let value): try body(.date(value))
        case .text(let value): try Array(value.utf8).withUnsafeBufferPointer { try body(.text($0)) }
        case .uri(let value): try Array(value.utf8).withUnsafeBufferPointer { try body(.uri($0)) }
        case .uuid(let value): try body(.uuid(value))
        case .binary(let value): try value.withUnsafeBufferPointer { try body(.binary($0)) }
        }
    }

    /// Whether a record's field, parsed as this value's type, gives this value bit for bit.
    func matches(_ field: Record.Field, of record: Record) throws -> Bool {
        let bytes = Array(record.bytes[Int(field.start)..<Int(field.end)])
        return try bytes.withUnsafeBufferPointer { text in
            switch self {
            case .null: return field.kind == .null
            case .boolean(let value):
                return field.kind == .boolean && bytes == Array((value ? "true" : "false").utf8)
            case .integer(let value): return try field.kind == .number && IntegerText.parse(text) == value
            case .float(let value):
                return try field.kind == .number && FloatingText.parseFloat(text).bitPattern == value.bitPattern
            case .double(let value):
                return try field.kind == .number && FloatingText.parse(text).bitPattern == value.bitPattern
            case .decimal(let value): return try DecimalText.parse(text) == value
            case .date(let value):
                if field.kind == .number || field.kind == .date { return try FloatingText.parse(text) == value }
                var expected: [UInt8] = []
                return DateText.append(value, to: &expected) && bytes == expected && field.kind == .quoted
            case .text(let value), .uri(let value): return field.kind == .quoted && bytes == Array(value.utf8)
            case .uuid(let value): return try field.kind == .quoted && UUIDText.parse(text) == value
            case .binary(let value):
                var decoded: [UInt8] = []
                try Base64Text.decode(text, into: &decoded)
                return (field.kind == .quoted || field.kind == .data) && decoded == value
            }
        }
    }

    /// A value of one of the kinds, the extreme ones among them.
    static func random(kind: Int, using generator: inout some RandomNumberGenerator) -> SampleValue {
        let bits = UInt64.random(in: 0 ... .max, using: &generator)
        let isPlain = Bool.random(using: &generator)
        switch kind {
        case 0: return .null
        case 1: return .boolean(isPlain)
        case 2: return .integer([Int64.min, .max, 0, -1, 1 << 53 + 1, Int64(bitPattern: bits)][Int(bits % 6)])
        case 3:
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
            return .float(isPlain ? Float(Int8(truncatingIfNeeded: bits)) / 10 : value.isFinite ? value : 0.1)
        case 4:
            let value = Double(bitPattern: bits)
            return .double(isPlain ? Double(Int8(truncatingIfNeeded: bits)) / 10 : value.isFinite ? value : -0.0)
        case 5:
            let exponent = Int.random(in: -30...30, using: &generator)
            let mantissa = UInt128(bits) * UInt128(isPlain ? 1 : 1_000_000_007)
            return .decimal(ExactDecimal(isNegative: isPlain, mantissa: mantissa, exponent: exponent) ?? .zero)
        case 6:
            let whole = Double(Int64.random(in: -60_000_000_000...200_000_000_000, using: &generator))
            return .date(isPlain ? whole : whole + Double(bits % 1_000_000) / 1_000_000)
        case 7:
            let letters: [String] = [
                "a", "\"", "\\", "é", "e\u{301}", "😀", "\n", "\t", "\r", "\r\n", "<&>", " ", "\u{2028}", "]]>",
            ]
            return .text((0..<Int(bits % 12)).map { _ in letters.randomElement(using: &generator) ?? "" }.joined())
        case 8: return .uri("https://example.com/?q=\(bits)&a=%20#\(isPlain)")
        case 9:
            let other = UInt64.random(in: 0 ... .max, using: &generator)
            let hex = String(bits, radix: 16).leftPadded(16) + String(other, radix: 16).leftPadded(16)
            let parts = [8, 4, 4, 4, 12].reduce(into: (rest: hex[...], parts: [Substring]())) { state, count in
                state.parts.append(state.rest.prefix(count))
                state.rest = state.rest.dropFirst(count)
            }
            return .uuid(UUID(uuidString: parts.parts.joined(separator: "-")) ?? UUID())
        default: return .binary((0..<Int(bits % 100)).map { _ in UInt8.random(in: 0 ... .max, using: &generator) })
        }
    }

    static let kindCount = 11

    /// Rows of all kinds in one table, the columns' names hard to write.
    static func rows(_ count: Int, seed: UInt64) -> (columns: [String], rows: [[SampleValue]]) {
        var generator = SeededGenerator(seed: seed)
        let columns = (0..<kindCount).map { "column \"\($0)\" <é>" }
        let rows = (0..<count).map { _ in (0..<kindCount).map { random(kind: $0, using: &generator) } }
        return (columns, rows)
    }
}

extension String {
    fileprivate func leftPadded(_ count: Int) -> String {
        String(repeating: "0", count: max(0, count - self.count)) + self
    }
}

/// Writes one table of rows.
func writeTable(
    _ writer: some ValueWriter, entity: String, columns: [String], rows: [[SampleValue]]
) throws {
    try writer.beginTable(entity: entity, columns: columns)
    for row in rows {
        try writer.beginRow()
        for (index, value) in row.enumerated() { try value.borrowed { try writer.write($0, column: index) } }
        try writer.endRow()
    }
    try writer.endTable()
}

/// Reads all rows back and compares them, value by value; NULL may come last in a record.
func expectRows(_ reader: some RecordReader, _ columns: [String], _ rows: [[SampleValue]]) throws -> Bool {
    var record = Record()
    for (number, row) in rows.enumerated() {
        guard case .record = try reader.next(into: &record), record.fields.count == row.count else { return false }
        for field in record.fields {
            let name = reader.columns[Int(field.column)]
            guard let index = columns.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }),
                try row[index].matches(field, of: record)
            else {
                print("row \(number), \(name): \(field.kind) differs")
                return false
            }
        }
    }
    if case .end = try reader.next(into: &record) { return true }
    return false
}
