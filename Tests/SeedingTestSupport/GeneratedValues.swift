import Foundation
import GranaryModel
import GranaryPredicates
import TestSupport

/// Values at the ends of their types, and texts that formats tend to damage.
enum GeneratedValues {
    /// - Parameter isXML: whether XML can have the texts.
    static func texts(isXML: Bool) -> [String] {
        let all = [
            "", " ", "a", "new", "\"", ",", ";", "\\", "\n", "\r\n", "\r", "\t", "é", "e\u{301}", "😀", "NULL", "null",
            "<&>]]>", "-", "=1+1", "'", "#", "E0/p1", "[1,2]", "{}", "a;b", "\\;", "\u{FEFF}", "\u{202E}",
        ]
        guard isXML else { return all + ["\u{0}", "a\u{0}b", "\u{1}\u{7F}", "\u{FFFE}", "\u{85}"] + naughtyTexts }
        return all
            + naughtyTexts.filter { text in
                text.unicodeScalars.allSatisfy { scalar in
                    (0x20..<0x7F).contains(scalar.value) || (0xA0..<0xFFFE).contains(scalar.value)
                        || scalar.value > 0xFFFF
                }
            }
    }

    /// The Big List of Naughty Strings; empty if it is not there.
    private static let naughtyTexts: [String] = {
        guard let url = try? SharedFiles.url("corpora/blns/blns.json"), let data = try? Data(contentsOf: url),
            let texts = try? JSONDecoder().decode([String].self, from: data)
        else { return [] }
        return texts
    }()

    /// - Parameter texts: the texts of strings.
    static func value(
        of type: AttributeType, _ texts: [String], _ random: inout SeededGenerator
    ) -> AttributeValue? {
        guard Int.random(in: 0..<5, using: &random) > 0 else { return nil }
        switch type {
        case .integer16: return .integer(pick([0, -32_768, 32_767, 15], &random))
        case .integer32: return .integer(pick([0, -2_147_483_648, 2_147_483_647, 15], &random))
        case .integer64: return .integer(pick([0, .min, .max, 9_007_199_254_740_993, 15], &random))
        case .decimal:
            let text = pick(["0", "0.1", "-123456789012345", "1e-20", "1.5", "99999999999"], &random)
            return Decimal(string: text).map { .decimal($0) }
        case .double:
            return .double(pick([0.1, -1e300, .leastNonzeroMagnitude, 5, 1 / 3, 1.5, 9.1e18], &random))
        case .float:
            return .float(pick([0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1.5], &random))
        case .string: return .string(pick(texts, &random))
        case .boolean: return .boolean(Bool.random(using: &random))
        case .date:
            let seconds = pick([0, 0.5, -63_113_904_000, 252_423_993_599, 801_000_000.123456], &random)
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .binary, .transformable:
            let count = pick([0, 1, 3, 256], &random)
            return .binary(Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }))
        case .uuid: return .uuid(uuid(&random))
        case .uri:
            let text = pick(["https://example.org/%20?q=a;b&c=%22#d", "urn:a", "a/b"], &random)
            return URL(string: text).map { .uri($0) }
        default: return nil
        }
    }

    private static func pick<Value>(_ values: [Value], _ random: inout SeededGenerator) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private static func uuid(_ random: inout SeededGenerator) -> UUID {
        let (high, low) = (random.next(), random.next())
        func byte(_ word: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (8 * place)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4),
                byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
