import Foundation
import GranaryBase
import TestSupport
import Testing

@Suite struct DecimalTextTests {
    private func parse(_ text: String) throws -> ExactDecimal { try withBytes(text) { try DecimalText.parse($0) } }

    @Test(arguments: [
        ("0", "0"), ("-0.00", "0"), ("1.50", "1.5"), ("100", "100"), ("-12.25", "-12.25"), ("1e3", "1000"),
        ("1.5E-3", "0.0015"),
        ("0.1", "0.1"), ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        ("0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"),
        ("1234567890123456789.0123456789012345678", "1234567890123456789.0123456789012345678"),
        ("99999999999999999999.99999999999999999", "99999999999999999999.99999999999999999"),
        ("1e39", "1" + String(repeating: "0", count: 39)),
        ("1e40", "1e40"), ("1e-38", "0." + String(repeating: "0", count: 37) + "1"), ("1e-39", "1e-39"),
        ("-1.25e-60", "-1.25e-60"), ("1e-128", "1e-128"), ("1e127", "1e127"), ("12e130", "1.2e131"), ("1e164", "1e164"),
        ("0e999999999999999999999999", "0"), ("10000000000000000000", "10000000000000000000"),
        ("10000000000000000000.5", "10000000000000000000.5"),
        ("20000000000000000000000000000000000001", "20000000000000000000000000000000000001"),
        ("18446744073709551616", "18446744073709551616"),
    ])
    func reads(text: String, shown: String) throws {
        let number = try parse(text)
        #expect(printed { DecimalText.append(number, to: &$0) } == shown)
        #expect(try parse(shown) == number)
    }

    @Test func zerosAtTheEndsAreNotDigits() throws {
        let zeros = String(repeating: "0", count: 1000)
        #expect(try parse("1." + zeros) == ExactDecimal(1))
        #expect(try parse("0." + zeros + "1e1001") == ExactDecimal(1))
        #expect(try parse("1" + zeros + "e-1000") == ExactDecimal(1))
    }

    @Test(arguments: [
        "123456789012345678901234567890123456789", "0.123456789012345678901234567890123456789",
        "100000000000000000000000000000000000001.5",
    ])
    func refusesPrecision(text: String) {
        #expect(refusal(text) { bytes throws(ValueTextError) in try DecimalText.parse(bytes) } == .precision)
    }

    @Test(arguments: ["1e165", "1e-129", "1e999999999999999999", "1.5e-128", "-1e200", "12e164"])
    func refusesRange(text: String) {
        #expect(refusal(text) { bytes throws(ValueTextError) in try DecimalText.parse(bytes) } == .range)
    }

    @Test func agreesWithFoundation() throws {
        var generator = SeededGenerator(seed: 5)
        let locale = Locale(identifier: "en_US_POSIX")
        for _ in 0..<5_000 {
            let text = Self.randomNumber(&generator)
            let expected = try #require(Decimal(string: text, locale: locale))
            let number = try parse(text)
            #expect(number.foundationDecimal == expected, "\(text)")
            #expect(ExactDecimal(exactly: expected) == number, "\(text)")
            let shown = printed { DecimalText.append(number, to: &$0) }
            #expect(try parse(shown) == number)
            #expect(Decimal(string: shown, locale: locale) == expected)
            #expect(shown.utf8.count <= 46)
        }
    }

    @Test func foundationsOwnEdges() {
        #expect(ExactDecimal(exactly: .nan) == nil)
        // 39 digits, which no text of 38 gives.
        #expect(ExactDecimal(exactly: .greatestFiniteMagnitude) == nil)
        #expect(ExactDecimal(exactly: -Decimal(5)) == ExactDecimal(-5))
        #expect(ExactDecimal(exactly: .leastNonzeroMagnitude)?.foundationDecimal == .leastNonzeroMagnitude)
        #expect(ExactDecimal.zero.foundationDecimal == 0)
    }

    /// A sign, 1 to 38 digits with a point anywhere, often an exponent.
    static func randomNumber(_ generator: inout SeededGenerator) -> String {
        let length = Int(generator.next() % 38) + 1
        var digits = String(generator.next() % 9 + 1)
        while digits.utf8.count < length { digits += String(generator.next() % 10) }
        let point = Int(generator.next() % UInt64(length)) + 1
        var text = String(digits.prefix(point))
        if point < length { text += "." + digits.dropFirst(point) }
        if generator.next() % 3 == 0 { text += "e\(Int(generator.next() % 120) - 60)" }
        return (generator.next() & 1 == 0 ? "-" : "") + text
    }
}
