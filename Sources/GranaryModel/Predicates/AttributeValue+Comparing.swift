import Foundation
import GranaryBase
import GranaryPredicates

extension AttributeValue {
    /// The constant as a value of a kind that it is compared with; nil if it needs or has no conversion.
    ///
    /// A date is written as ISO 8601 text or as seconds since 2001-01-01 00:00:00 UTC, as `NSDate` and a Core Data
    /// store count; a UUID and a number may be text.
    func converted(to kind: ExpressionKind) -> AttributeValue? {
        switch (kind.element, self) {
        case (.date, .string(let text)): return Self.date(text).map(AttributeValue.date)
        case (.date, .integer(let seconds)): return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.date, .double(let seconds)) where seconds.isFinite:
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.uuid, .string(let text)): return UUID(uuidString: text).map(AttributeValue.uuid)
        case (.number, .string(let text)): return Self.number(text)
        default: return nil
        }
    }

    private static func number(_ text: String) -> AttributeValue? {
        if let integer = Int64(text) { return .integer(integer) }
        let isNumber = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
        }
        guard isNumber, let real = Double(text), real.isFinite else { return nil }
        return .double(real)
    }
}
