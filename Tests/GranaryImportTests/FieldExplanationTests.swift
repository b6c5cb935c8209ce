import GranaryBase
import GranaryFormats
import GranaryModel
import Testing
@testable import GranaryImport

/// The message for a rejected field says what the field should be.
@Suite struct FieldExplanationTests {
    @Test(arguments: [
        (AttributeType.integer16, "x", "value.syntax: not a digit; expected digits alone, such as 1234"),
        (.integer64, "007", "value.syntax: a leading zero; expected digits alone, such as 1234"),
        (.integer16, "99999999999999999999", "value.range: outside -32768 to 32767"),
        (.decimal, ".5", "value.syntax: no digit before the point; expected a number such as 1234.5"),
        (
            .double, "1e999",
            "value.range: more than double precision holds; the range is ±5e-324 to ±1.7976931348623157e+308"
        ),
        (.float, "1e39", "value.range: more than single precision holds; the range is ±1e-45 to ±3.4028235e+38"),
        (.boolean, "on", "value.syntax: not one of true, false, yes, no, 1, 0"),
        (
            .uuid, "x",
            "value.syntax: not the 36 characters of a UUID; expected one such as 2EB8AA08-AA98-11EA-B4AA-73B441D16380"
        ),
        (.uri, "a b", "value.syntax: a space; expected a URI such as https://example.org/a%20b"),
        (
            .binary, "AP8",
            "value.syntax: a length that is not a multiple of four; expected Base64 with its padding, such as R3JhbmFyeQ=="
        ),
        (
            .date, "2026-07-29",
            "value.syntax: a date without a time, and no time zone is given; expected a date with its zone, such as "
                + "2026-07-29T14:30:00Z or 2026-07-29T14:30:00+02:00, or the zone of all dates (the option "
                + "time-zone)"
        ),
    ])
    func saysWhatWouldBeRight(type: AttributeType, text: String, expected: String) throws {
        let parser = try ColumnOptionsTests.parser(type)
        #expect(ColumnOptionsTests.outcome(parser, text, .quoted) == expected)
    }

    @Test func ofAFormatsOwnKindsToo() throws {
        let text = try ColumnOptionsTests.parser(.string)
        #expect(
            ColumnOptionsTests.outcome(text, "1", .number)
                == "value.syntax: a number; expected text, which JSON has in quotation marks")
        let flag = try ColumnOptionsTests.parser(.boolean)
        #expect(ColumnOptionsTests.outcome(flag, "0", .date) == "value.syntax: a date; expected true or false")
    }

    /// The judge of broken rows says the same as the reading, without a message.
    @Test(arguments: [
        AttributeType.integer16, .integer64, .decimal, .double, .float, .boolean, .date, .string, .uuid, .uri, .binary,
    ])
    func acceptsWhatItReads(type: AttributeType) throws {
        let texts = [
            "", "7", "007", "40000", "99999999999999999999", "1.5", "1e999", "true", "yes", "2026-07-29T14:30:00Z",
            "2026-07-29", "2EB8AA08-AA98-11EA-B4AA-73B441D16380", "https://example.org", "a b", "AP8=", "x",
        ]
        var parser = try ColumnOptionsTests.parser(type)
        var scratch: [UInt8] = []
        for text in texts {
            for kind in [Record.Kind.text, .quoted, .number, .null] {
                let accepted = Array(text.utf8).withUnsafeBufferPointer {
                    parser.accepts(kind, $0, scratch: &scratch)
                }
                let outcome = ColumnOptionsTests.outcome(parser, text, kind)
                let isWide = type == .integer16 && text == "40000" && kind != .null
                #expect(accepted == (!outcome.hasPrefix("value.") && !isWide), "\(text) as \(kind)")
            }
        }
    }
}
