import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import TestSupport
import Testing
@testable import GranaryImport

/// What a column's own options make of its fields.
@Suite struct ColumnOptionsTests {
    static func parser(
        _ type: AttributeType, _ options: ImportOptions = ImportOptions(), name: String? = nil,
        _ change: ((inout ColumnOptions) throws -> Void)? = nil
    ) throws -> FieldParser {
        let model = ManagedObjectModel(entities: [EntityDescription("Thing", [.attribute("value", type)])])
        let attribute = try #require(try model.resolved().entities[0].attribute(named: "value"))
        guard let change else { return try FieldParser(attribute, options: options) }
        var column = ColumnOptions()
        try change(&column)
        return try FieldParser(attribute, options: options, column: column, name: name)
    }

    static func decimal(_ text: String) throws -> ExactDecimal {
        try Array(text.utf8).withUnsafeBufferPointer { try DecimalText.parse($0) }
    }

    /// The value as text, NULL, or the code and the reason.
    static func outcome(_ parser: FieldParser, _ text: String, _ kind: Record.Kind = .text) -> String {
        var parser = parser
        var scratch: [UInt8] = []
        return Array(text.utf8).withUnsafeBufferPointer { bytes -> String in
            if parser.isNull(kind, bytes) { return "NULL" }
            do throws(ValueTextError) {
                switch try parser.parse(kind, bytes, scratch: &scratch) {
                case .decoded: return "\(scratch)"
                case .value(let value): return describe(value)
                }
            } catch {
                return "\(error.code.rawValue): \(error.reason)"
            }
        }
    }

    private static func describe(_ value: BorrowedValue) -> String {
        switch value {
        case .null: "null"
        case .boolean(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .float(let number): "\(number)"
        case .double(let number), .date(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .text(let bytes), .uri(let bytes): "<" + String(decoding: bytes, as: UTF8.self) + ">"
        case .uuid(let uuid): uuid.uuidString
        case .binary(let bytes): "\(Array(bytes))"
        }
    }

    private static func code(_ outcome: String) -> String {
        outcome.hasPrefix("value.") ? String(outcome.prefix { $0 != ":" }) : outcome
    }

    @Test func trimsBlanksAndTabsAtTheEnds() throws {
        let text = try Self.parser(.string) { $0.trims = true }
        #expect(Self.outcome(text, " \ta b\t ") == "<a b>")
        #expect(Self.outcome(text, " a ", .quoted) == "<a>")
        #expect(Self.outcome(text, " \u{A0}a\n") == "<\u{A0}a\n>")
        #expect(Self.outcome(text, " \t") == "NULL")
        #expect(Self.outcome(text, " ", .quoted) == "<>")
        let number = try Self.parser(.integer16) { $0.trims = true }
        #expect(Self.outcome(number, " 7\t") == "7")
        #expect(Self.code(Self.outcome(number, "7 7")) == "value.syntax")
        let word = try Self.parser(.string) { ($0.trims, $0.nullTexts) = (true, ["NA"]) }
        #expect(Self.outcome(word, " NA ") == "NULL")
        #expect(Self.outcome(word, "NA", .quoted) == "<NA>")
        #expect(Self.outcome(word, "") == "<>")
    }

    @Test func hasNullTextsOfItsOwn() throws {
        var options = ImportOptions()
        options.nullTexts = ["-"]
        let own = try Self.parser(.string, options) { $0.nullTexts = ["", "n/a"] }
        #expect(["", "n/a", "-", "N/A"].map { Self.outcome(own, $0) } == ["NULL", "NULL", "<->", "<N/A>"])
        let shared = try Self.parser(.string, options) { $0.trims = true }
        #expect(["-", ""].map { Self.outcome(shared, $0) } == ["NULL", "<>"])
    }

    @Test func anEnumerationIsAClosedList() throws {
        let parser = try Self.parser(.integer16) { $0.enumeration = ["immediate": "1", "delayed": "2", "": "-1"] }
        #expect(Self.outcome(parser, "immediate") == "1")
        #expect(Self.outcome(parser, "delayed", .quoted) == "2")
        #expect(Self.outcome(parser, "", .quoted) == "-1")
        #expect(Self.outcome(parser, "") == "NULL")
        #expect(
            Self.outcome(parser, "imediate")
                == "value.syntax: none of the column's values; expected one of \"immediate\", \"\", \"delayed\"")
        #expect(Self.code(Self.outcome(parser, "Delayed")) == "value.syntax")
        #expect(Self.code(Self.outcome(parser, "1", .number)) == "value.syntax")
        #expect(Self.code(Self.outcome(parser, "", .emptyList)) == "value.syntax")
        let text = try Self.parser(.string) { ($0.enumeration, $0.trims) = (["e\u{301}": "", "b": "NULL"], true) }
        #expect(["b ", "e\u{301}"].map { Self.outcome(text, $0) } == ["<NULL>", "<>"])
        #expect(Self.code(Self.outcome(text, "\u{E9}")) == "value.syntax")
        let numbers = try Self.parser(.string) { $0.enumeration = ["1": "one", "true": "yes"] }
        #expect(Self.outcome(numbers, "1", .number) == "<one>" && Self.outcome(numbers, "true", .boolean) == "<yes>")
        let binary = try Self.parser(.binary) { $0.enumeration = ["a": "AQ=="] }
        #expect(Self.outcome(binary, "a") == "[1]")
        let many = Dictionary(uniqueKeysWithValues: (10..<40).map { ("word\($0)", "\($0)") })
        let long = try Self.parser(.integer16) { $0.enumeration = many }
        #expect((10..<40).allSatisfy { Self.outcome(long, "word\($0)") == "\($0)" })
        #expect(
            Self.outcome(long, "wrd33").hasSuffix(
                "expected one of \"word33\", \"word10\", \"word11\", \"word12\", \"word13\", \"word14\" and 24 more"))
    }

    @Test func wordsReplaceTrueAndFalse() throws {
        let parser = try Self.parser(.boolean) { ($0.trueTexts, $0.falseTexts) = (["ja", "1"], ["nein", "2"]) }
        #expect(["ja", "nein", "1", "2"].map { Self.outcome(parser, $0) } == ["true", "false", "true", "false"])
        #expect(Self.outcome(parser, "2", .number) == "false")
        #expect(Self.outcome(parser, "true", .boolean) == "true")
        #expect(
            Self.outcome(parser, "true")
                == "value.syntax: neither \"ja\", \"1\" (true) nor \"nein\", \"2\" (false)")
        #expect(Self.code(Self.outcome(parser, "JA")) == "value.syntax")
        #expect(Self.code(Self.outcome(parser, "0", .number)) == "value.syntax")
        let crosses = try Self.parser(.boolean) { $0.trueTexts = ["x"] }
        #expect(["x", ""].map { Self.outcome(crosses, $0) } == ["true", "NULL"])
        #expect(Self.outcome(crosses, "y") == "value.syntax: not \"x\" (true)")
        let both = try Self.parser(.boolean) {
            ($0.trueTexts, $0.falseTexts, $0.enumeration) = (["ja"], ["nein"], ["oui": "ja"])
        }
        #expect(Self.outcome(both, "oui") == "true" && Self.code(Self.outcome(both, "ja")) == "value.syntax")
    }

    @Test(arguments: [
        (AttributeType.integer16, "1000", "1.5", "1500"), (.integer32, "0.001", "7000", "7"),
        (.integer32, "1", "1.5", "value.precision: not a whole number when scaled; the column's scale is 1"),
        (.integer64, "10", "1e18", "value.range: outside -9223372036854775808 to 9223372036854775807"),
        (.integer64, "-1", "9223372036854775808", "-9223372036854775808"),
        (.decimal, "0.001", "1.5", "0.0015"), (.decimal, "100", "-0.25", "-25"), (.decimal, "0.5", "0", "0"),
        (.double, "0.1", "3", "0.3"), (.double, "0.001", "1234.5", "1.2345"), (.float, "0.1", "167772.17", "16777.217"),
        (.double, "1", "1e200", "value.range"), (.float, "10", "1e38", "value.range"),
        (.decimal, "3", "12345678901234567890123456789012345678.9", "value.precision"),
        (.decimal, "1.1", "12345678901234567890123456789012345678", "value.precision"),
        (.integer16, "1000", "x", "value.syntax: not a digit; expected a number such as 1234.5"),
        (.double, "2", "007", "value.syntax"), (.double, "2", "NaN", "value.syntax"),
    ])
    func scales(type: AttributeType, scale: String, text: String, expected: String) throws {
        let parser = try Self.parser(type) { $0.scale = try Self.decimal(scale) }
        for kind in [Record.Kind.text, .quoted, .number] {
            let found = Self.outcome(parser, text, kind)
            #expect((expected.contains(" ") ? found : Self.code(found)) == expected)
        }
        #expect(Self.code(Self.outcome(parser, "true", .boolean)) == "value.syntax")
    }

    /// A scaled number is what the text of the product, worked out by hand, would be.
    @Test(arguments: [AttributeType.decimal, .double, .float, .integer64])
    func scalesAsOnPaper(type: AttributeType) throws {
        var generator = SeededGenerator(seed: 31)
        let plain = try Self.parser(type)
        for _ in 0..<400 {
            let left = Int64(generator.next() % 2_000_000) - 1_000_000
            let right = Int64(generator.next() % 20_000) + 1
            let places = (Int(generator.next() % 7), Int(generator.next() % 7))
            let parser = try Self.parser(type) { $0.scale = try Self.decimal("\(right)e-\(places.1)") }
            let found = Self.outcome(parser, "\(left)e-\(places.0)")
            let zeros = (0..<(places.0 + places.1)).reduce(Int64(1)) { value, _ in value * 10 }
            if type == .integer64 {
                let isWhole = (left * right) % zeros == 0
                #expect(isWhole ? found == "\(left * right / zeros)" : found.hasPrefix("value.precision"))
            } else if left != 0 {
                #expect(found == Self.outcome(plain, "\(left * right)e-\(places.0 + places.1)"))
            }
        }
    }

    @Test func hasSeparatorsFormatsAndAZoneOfItsOwn() throws {
        var options = ImportOptions()
        (options.decimalSeparator, options.groupSeparator) = (",", ".")
        let american = try Self.parser(.double, options) { $0.decimalSeparator = "." }
        #expect(Self.outcome(american, "1234.5") == "1234.5")
        #expect(Self.code(Self.outcome(american, "1234,5")) == "value.syntax")
        let kept = try Self.parser(.double, options) { $0.trims = true }
        #expect(Self.outcome(kept, " 1.234,5 ") == "1234.5")
        #expect(Self.outcome(kept, "x").hasSuffix("expected a number such as 1.234,5 or 1234,5"))
        let scaled = try Self.parser(.integer32, options) { $0.scale = ExactDecimal(10) }
        #expect(Self.outcome(scaled, "1.234,5") == "12345")
        let day = try Self.parser(.date) {
            ($0.dateFormats, $0.timeZone) = ([.pattern("dd.MM.yyyy")], TimeZone(identifier: "Europe/Berlin"))
        }
        #expect(Self.outcome(day, "01.01.2001") == "-3600.0")
        #expect(
            Self.outcome(day, "1.1.2001")
                == "value.syntax: not in the date format; expected the form dd.MM.yyyy, such as 29.07.2026")
        let hex = try Self.parser(.binary) { $0.binaryFormat = .hex }
        #expect(Self.outcome(hex, "00ff") == "[0, 255]")
    }

    @Test(arguments: [
        (AttributeType.date, "scale"), (.boolean, "scale"), (.double, "no scale"), (.string, "words"),
        (.boolean, "no words"), (.boolean, "one word twice"), (.integer16, "date"), (.string, "zone"), (.uri, "hex"),
        (.integer16, "empty enumeration"), (.integer16, "bad enumeration"), (.integer16, "wide enumeration"),
        (.double, "separators"), (.date, "pattern"),
    ])
    func refusesContradictions(type: AttributeType, what: String) throws {
        let error = try #require(throws: GranaryError.self) {
            _ = try Self.parser(type, name: "Col") { column in
                switch what {
                case "scale": column.scale = ExactDecimal(2)
                case "no scale": column.scale = ExactDecimal.zero
                case "words": column.trueTexts = ["x"]
                case "no words": column.trueTexts = []
                case "one word twice": (column.trueTexts, column.falseTexts) = (["x", "y"], ["y"])
                case "date": column.dateFormats = [.seconds]
                case "zone": column.timeZone = .gmt
                case "hex": column.binaryFormat = .hex
                case "empty enumeration": column.enumeration = [:]
                case "bad enumeration": column.enumeration = ["a": "1", "b": "x"]
                case "wide enumeration": column.enumeration = ["a": "40000"]
                case "separators": column.groupSeparator = "."
                default: column.dateFormats = [.pattern("yy")]
                }
            }
        }
        #expect(error.code == .usage)
        #expect(error.message.hasPrefix("column \"Col\" for attribute value: "))
        if what == "bad enumeration" {
            #expect(
                error.message.hasSuffix(
                    "reads \"b\" as \"x\", not an Integer 16: not a digit; expected digits alone, such as 1234"))
        }
        if what == "wide enumeration" {
            #expect(error.message.hasSuffix("not an Integer 16: outside -32768 to 32767"))
        }
    }
}
