import Foundation
import GranaryBase
import TestSupport
import Testing

@Suite struct ExactDecimalTests {
    private func number(_ text: String) throws -> ExactDecimal { try withBytes(text) { try DecimalText.parse($0) } }

    @Test func integersComeBack() throws {
        var generator = SeededGenerator(seed: 6)
        for value in [0, 1, -1, 10, -1000, Int64.max, .min, 1_000_000_000_000_000_000] {
            #expect(ExactDecimal(value).int64 == value)
        }
        for _ in 0..<10_000 {
            let value = Int64(bitPattern: generator.next()) >> Int64(generator.next() % 64)
            #expect(ExactDecimal(value).int64 == value)
        }
        for text in ["0.5", "9223372036854775808", "-9223372036854775809", "1e19", "1e100", "12345678901234567890123"] {
            #expect(try number(text).int64 == nil)
        }
    }

    @Test func nearestDoubleIsTheTextsDouble() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let text = DecimalTextTests.randomNumber(&generator)
            #expect(try number(text).nearestDouble == Double(text))
        }
        #expect(try number("1e164").nearestDouble == 1e164)
        #expect(ExactDecimal.zero.nearestDouble.sign == .plus)
    }

    @Test(arguments: [
        ("0", true), ("10.11", true), ("3.3333333333", true), ("999999999999999", true), ("0.1", true),
        ("1e-100", true),
        ("9007199254740993", false), ("9007199254740992", true), ("0.1000000000000000055511151231257827", false),
        ("12345678901234567890", false), ("0.3000000000000000166", false), ("1e23", true), ("1e127", true),
        ("1e164", true),
        ("-123456789.123456789", false), ("0.30000000000000004", true),
    ])
    func knowsWhatADoubleKeeps(text: String, isExact: Bool) throws {
        let stored = try number(text).storedDouble
        #expect(stored.value == Double(text))
        #expect(stored.isExact == isExact)
    }

    @Test func isExactAgreesWithTheDoublesText() throws {
        var generator = SeededGenerator(seed: 8)
        let locale = Locale(identifier: "en_US_POSIX")
        for _ in 0..<5_000 {
            let decimal = try number(DecimalTextTests.randomNumber(&generator))
            let stored = decimal.storedDouble
            let back = Decimal(string: stored.value.description, locale: locale)
            #expect(stored.isExact == (back == decimal.foundationDecimal), "\(decimal)")
        }
    }

    @Test func shortestText() throws {
        #expect(ExactDecimal(shortest: 0.1) == (try number("0.1")))
        #expect(ExactDecimal(shortest: -1e100) == (try number("-1e100")))
        #expect(ExactDecimal(shortest: -0.0) == .zero)
        #expect(ExactDecimal(shortest: 1.5e300) == nil)
        #expect(ExactDecimal(shortest: .leastNonzeroMagnitude) == nil)
        #expect(ExactDecimal(shortest: .nan) == nil)
        #expect(ExactDecimal(shortest: .infinity) == nil)
    }

    @Test func ordersLikeFoundation() throws {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<5_000 {
            let left = try number(DecimalTextTests.randomNumber(&generator))
            let right = try number(DecimalTextTests.randomNumber(&generator))
            #expect((left < right) == (left.foundationDecimal < right.foundationDecimal), "\(left) \(right)")
        }
        let ascending = [
            "-1e164", "-1e100", "-12.5", "-12.25", "-1e-128", "0", "1e-128", "0.1", "0.11", "1",
            "1.0000000000000000000000000000000000001", "2", "10", "11",
            "99999999999999999999999999999999999999", "1e38", "1e164",
        ]
        let numbers = try ascending.map { try number($0) }
        #expect(numbers.reversed().sorted() == numbers)
        for number in numbers { #expect(!(number < number)) }
    }
}
