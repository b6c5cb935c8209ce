import GranaryBase
import TestSupport
import Testing

@Suite struct ExactDecimalProductTests {
    private static func number(_ text: String) throws -> ExactDecimal {
        try withBytes(text) { try DecimalText.parse($0) }
    }

    @Test(arguments: [
        ("1.5", "2", "3"), ("0.1", "0.1", "0.01"), ("-2", "5", "-10"), ("0", "-7", "0"), ("-3", "-4", "12"),
        ("12345678901234567890123456789012345678", "10", "123456789012345678901234567890123456780"),
        ("0.5", "2e127", "1e127"), ("1e164", "0.001", "1e161"), ("1e164", "1e-128", "1e36"),
        ("9999999999999999999", "9999999999999999999", "99999999999999999980000000000000000001"),
        ("7450580596923828125e-27", "134217728e8", "1e8"),
    ])
    func multiplies(left: String, right: String, product: String) throws {
        let found = try Self.number(left).multiplied(by: Self.number(right))
        #expect(found == (try Self.number(product)))
    }

    @Test(arguments: [
        ("12345678901234567890123456789012345678", "11", Refusal.precision), ("1e100", "1e100", .range),
        ("1e-100", "1e-100", .range), ("99999999999999999999", "9999999999999999999", .precision),
    ])
    func refuses(left: String, right: String, reason: Refusal) throws {
        let left = try Self.number(left)
        let right = try Self.number(right)
        #expect(refusal("") { _ throws(ValueTextError) in try left.multiplied(by: right) } == reason)
    }

    /// Schoolbook multiplication on strings of digits, and the parser's own limits.
    @Test func agreesWithDigitsOnPaper() throws { try Self.checkDigits(count: 2_000) }

    static func checkDigits(count: Int) throws {
        var generator = SeededGenerator(seed: 21)
        var refused = 0
        for _ in 0..<count {
            let left = try Self.random(&generator)
            let right = try Self.random(&generator)
            let text = Self.paper(left, right)
            let expected = refusal(text) { bytes throws(ValueTextError) in try DecimalText.parse(bytes) }
            let found = refusal("") { _ throws(ValueTextError) in try left.multiplied(by: right) }
            if found != expected { Issue.record("\(left) × \(right) = \(text): \(String(describing: found))") }
            if expected != nil {
                refused += 1
            } else if try left.multiplied(by: right) != Self.number(text) {
                Issue.record("\(left) × \(right) is not \(text)")
            }
        }
        #expect(refused > count / 20 && refused < count * 9 / 10)
    }

    private static func random(_ generator: inout SeededGenerator) throws -> ExactDecimal {
        // Powers of 2 and of 5 meet often: their products lose digits at the end.
        var text = generator.next() & 1 == 0 ? "-" : ""
        switch generator.next() % 4 {
        case 0: text += String(UInt64(1) << (generator.next() % 64))
        case 1: text += String((0..<(generator.next() % 27)).reduce(UInt64(1)) { value, _ in value * 5 })
        case 2: text += String(generator.next() % 1_000_000)
        default: text += String(generator.next() | 1 << 63) + String(String(generator.next() | 1 << 63).prefix(18))
        }
        return try number(text + "e\(Int(generator.next() % 160) - 80)")
    }

    private static func paper(_ left: ExactDecimal, _ right: ExactDecimal) -> String {
        let lower = String(right.mantissa).utf8.reversed().map { Int($0) - 48 }
        let upper = String(left.mantissa).utf8.reversed().map { Int($0) - 48 }
        var digits = [Int](repeating: 0, count: lower.count + upper.count)
        for (place, digit) in lower.enumerated() {
            for (other, factor) in upper.enumerated() { digits[place + other] += digit * factor }
        }
        for place in 0..<digits.count - 1 {
            digits[place + 1] += digits[place] / 10
            digits[place] %= 10
        }
        var text = digits.reversed().map(String.init).joined()
        while text.count > 1, text.hasPrefix("0") { text.removeFirst() }
        let sign = left.isNegative != right.isNegative ? "-" : ""
        return sign + text + "e\(Int(left.exponent) + Int(right.exponent))"
    }

    @Test(arguments: ["0.1", "16777217", "-3.4028235e38", "1e-45", "0.333333333333333333333333333"])
    func nearestFloatIsTheTextsFloat(text: String) throws {
        let found = try Self.number(text).nearestFloat()
        #expect(found == Float(text))
    }

    @Test(arguments: ["1e39", "1e-60"])
    func noFloat(text: String) throws {
        let number = try Self.number(text)
        #expect(refusal("") { _ throws(ValueTextError) in try number.nearestFloat() } == .range)
    }
}

@Suite struct ExactDecimalProductLongTests {
    @Test func agreesWithDigitsOnPaper() throws { try ExactDecimalProductTests.checkDigits(count: 20_000) }
}
