import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import StoreTestSupport
import TestSupport

/// Generated property lists, as Swift's values and as Foundation's objects.
///
/// Without what Foundation's archiver on Linux does not do: it writes `true` as 1, and no Decimals. A set has one
/// member, since Foundation's order is its own.
indirect enum TransformedSample: Sendable {
    case null
    case string(String)
    case integer(Int64)
    case real(Double)
    case date(Double)
    case data([UInt8])
    case uuid(UUID)
    case url(String)
    case set(String)
    case array([TransformedSample])
    case dictionary([String: TransformedSample])

    /// An array at the top: Foundation has trouble with single values.
    static func random(using generator: inout SeededGenerator) -> TransformedSample {
        .array((0..<Int.random(in: 0...12, using: &generator)).map { _ in value(3, &generator) })
    }

    private static func value(_ depth: Int, _ generator: inout SeededGenerator) -> TransformedSample {
        switch Int.random(in: 0..<(depth > 0 ? 13 : 10), using: &generator) {
        case 0: return .null
        case 1, 2: return .string(text(&generator))
        case 3: return .integer(Int64.random(in: Int64.min...Int64.max, using: &generator))
        case 4: return .integer(Int64.random(in: -300...70_000, using: &generator))
        case 5: return .integer(Int64.random(in: 0...1, using: &generator))
        case 6: return .real(Double(Int.random(in: -1_000_000...1_000_000, using: &generator)) + 0.25)
        case 7: return .date(Double.random(in: -3e9...3e9, using: &generator))
        case 8: return .data((0..<Int.random(in: 0...90, using: &generator)).map { UInt8(truncatingIfNeeded: $0 * 7) })
        case 9:
            if Bool.random(using: &generator) {
                return .url("https://a.example/\(UInt16.random(in: 0...99, using: &generator))")
            }
            let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
            return .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
        case 10: return .set(text(&generator))
        case 11: return .array((0..<Int.random(in: 0...8, using: &generator)).map { _ in value(depth - 1, &generator) })
        default:
            var entries: [String: TransformedSample] = [:]
            for _ in 0..<Int.random(in: 0...8, using: &generator) {
                entries[text(&generator)] = value(depth - 1, &generator)
            }
            return .dictionary(entries)
        }
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        let alphabet = ["a", "Z", "0", " ", "<", "$", "é", "ß", "漢", "😀", "\n", "."]
        return (0..<Int.random(in: 0...20, using: &generator)).map { _ in
            alphabet.randomElement(using: &generator) ?? ""
        }.joined()
    }

    var swift: any Sendable {
        switch self {
        case .null: return ArchivedNull()
        case .string(let value): return value
        case .integer(let value): return value
        case .real(let value): return value
        case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let bytes): return Data(bytes)
        case .uuid(let value): return value
        case .url(let text): return URL(string: text) ?? URL(filePath: "/")
        case .set(let member):
            let members: Set<String> = [member]
            return members
        case .array(let members): return members.map(\.swift)
        case .dictionary(let entries): return entries.mapValues(\.swift)
        }
    }

    /// One for all: on Linux two are equal with different hash values, over which Foundation's archiver traps.
    private static let sharedNull = NSNull()

    var foundation: Any {
        switch self {
        case .null: return Self.sharedNull
        case .string(let value): return NSString(string: value)
        case .integer(let value): return NSNumber(value: value)
        case .real(let value): return NSNumber(value: value)
        case .date(let seconds): return NSDate(timeIntervalSinceReferenceDate: seconds)
        case .data(let bytes): return NSData(data: Data(bytes))
        case .uuid(let value): return value as NSUUID
        case .url(let text): return NSURL(string: text) ?? NSURL(fileURLWithPath: "/")
        case .set(let member): return NSSet(array: [NSString(string: member)])
        case .array(let members): return NSArray(array: members.map(\.foundation))
        case .dictionary(let entries):
            let pairs = Array(entries)
            return NSDictionary(
                objects: pairs.map(\.value.foundation), forKeys: pairs.map { NSString(string: $0.key) })
        }
    }
}

/// A value that came out of a transformer as text that tells all of its types; sets and arrays are the same.
func transformedText(_ value: Any) -> String {
    switch value {
    case is ArchivedNull: return "null"
    case let value as Bool: return "\(value)"
    case let value as Int64: return "integer \(value)"
    case let value as UInt64: return "unsigned \(value)"
    case let value as Double: return "real \(value.bitPattern)"
    case let value as Decimal: return "decimal \(value)"
    case let value as String: return "text \(Array(value.utf8))"
    case let value as Date: return "date \(value.timeIntervalSinceReferenceDate.bitPattern)"
    case let value as Data: return "data \(Array(value))"
    case let value as UUID: return "uuid \(value)"
    case let value as URL: return "url \(value.relativeString) \(value.baseURL?.absoluteString ?? "-")"
    case let value as Set<String>: return "[" + value.map { transformedText($0) }.joined(separator: ", ") + "]"
    case let value as [Any]: return "[" + value.map { transformedText($0) }.joined(separator: ", ") + "]"
    case let value as [String: Any]:
        let entries = value.map { "\(transformedText($0.key)): \(transformedText($0.value))" }
        return "{" + entries.sorted().joined(separator: ", ") + "}"
    case let value as [Int64: Any]:
        let entries = value.map { "\($0.key): \(transformedText($0.value))" }
        return "{" + entries.sorted().joined(separator: ", ") + "}"
    default: return "? \(type(of: value))"
    }
}
