import Foundation
import TestSupport

/// Texts that are values of a column, hostile ones first of all.
///
/// None begins with a comma or a line end behind its quotes: where a quote in the row before is never closed, nobody
/// could tell the one that opens such a field from the one that closes it.
enum FaultTexts {
    static let links = [
        "https://example.org/a%20b?q=1;2&c=%22#d", "mailto:ann@example.org", "/relative/path", "urn:isbn:0451450523",
        "http://[::1]:8080/",
    ]

    private static let notes = [
        "plain", "a, b", "say \"hi\"", "two\nlines", "CR LF\r\ninside", "a\rb", "tab\there", "semi;colon", "NULL",
        "null",
        "NA", "N/A", "", " ", " padded ", "007", "00601", "1e400", "NaN", "-1", "9007199254740993", "true", "=1+2", "😀",
        "\u{E9}", "e\u{301}", "\u{FEFF}mark", "\"", "\"\"", "x\u{2028}y", "'q'", "\\n", "#hash", "2024-02-30",
        "1.234,56",
        String(repeating: "long ", count: 60),
    ]

    private static let names = [
        "Ann", "Bob \"B\" Lee", "O'Neil", "Ærø", "null", "NA", "00", "Zoe\u{301}", "Zo\u{E9}", "李小龍", "a;b", "x, y",
        "  ",
        "😀😀", "=cmd", "twenty-four UTF-16 units",
    ]

    /// A handful of values for a column.
    static func values(_ column: FaultColumn, _ random: inout SeededGenerator) -> [String] {
        switch column {
        case .name: return names
        case .note: return notes
        case .zip: return ["00601", "AB12", "NA", "007", "1E400", "NULL", "ZZZZZZ"]
        case .small: return ["0", "-0", "+5", "-32768", "1000"] + integers(-32_768...1000, &random)
        case .middle: return ["2147483647", "-2147483648", "+1"] + integers(-2_147_483_648...2_147_483_647, &random)
        case .large:
            return ["9223372036854775807", "-9223372036854775808", "9007199254740993"]
                + integers(Int64.min...Int64.max, &random)
        case .price:
            return [
                "0.1", "1.50", "-0", "1e3", "9007199254740993", "0.000000000000000000001", "+2", "12345678901234.5678",
            ]
                + (0..<8).map { _ in "\(Int.random(in: -9999...9999, using: &random)).25" }
        case .exact:
            return ["0.1", "-0.0", "1e308", "5e-324", "3.141592653589793238462643", "1", "1E5", "-2.5e-7"]
                + (0..<8).map { _ in "\(Double.random(in: -1e9...1e9, using: &random))" }
        case .rough:
            return ["0.1", "3.4028235e38", "1e-45", "16777217", "-0.5"]
                + (0..<8).map { _ in "\(Float.random(in: -1e9...1e9, using: &random))" }
        case .flag: return ["true", "false", "TRUE", "False", "yes", "No", "1", "0"]
        case .day: return (0..<16).map { date($0, &random) }
        case .uid: return (0..<8).map { _ in uuid(&random) }
        case .link: return links
        case .data: return ["", "AP8="] + (0..<8).map { binary($0, &random) }
        case .group: return FaultModel.groups
        case .tags: return (0..<24).map { _ in list(&random) }
        case .code, .parent, .badge: return []
        }
    }

    private static func integers(_ range: ClosedRange<Int64>, _ random: inout SeededGenerator) -> [String] {
        (0..<8).map { _ in "\(Int64.random(in: range, using: &random))" }
    }

    private static func date(_ form: Int, _ random: inout SeededGenerator) -> String {
        func two(_ range: ClosedRange<Int>) -> String {
            let number = Int.random(in: range, using: &random)
            return number < 10 ? "0\(number)" : "\(number)"
        }
        let day = "\(Int.random(in: 1900...2099, using: &random))-\(two(1...12))-\(two(1...28))"
        let mark = form % 4 == 1 ? " " : "T"
        let second = form % 5 == 2 ? "" : ":\(two(0...59))"
        let fraction = form % 3 == 0 && !second.isEmpty ? [".5", ".25", ".125"][form % 2] : ""
        let zone = ["Z", "+02:00", "-0530", "+14", "z"][form % 5]
        return "\(day)\(mark)\(two(0...23)):\(two(0...59))\(second)\(fraction)\(zone)"
    }

    private static func uuid(_ random: inout SeededGenerator) -> String {
        let digits = (0..<32).map { _ in "0123456789ABCDEFabcdef".randomElement(using: &random) ?? "0" }
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    private static func binary(_ count: Int, _ random: inout SeededGenerator) -> String {
        Data((0...count).map { _ in UInt8.random(in: 0...255, using: &random) }).base64EncodedString()
    }

    /// Some tags, each once.
    private static func list(_ random: inout SeededGenerator) -> String {
        let tags = FaultModel.tags.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
        return tags.map { tag in
            guard tag.contains(where: { $0 == ";" || $0 == "\"" }) else { return tag }
            return "\"" + tag.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ";")
    }
}
