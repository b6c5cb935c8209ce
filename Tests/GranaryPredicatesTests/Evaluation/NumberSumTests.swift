import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryPredicates

/// Sums and means of Decimals, compared with Foundation's Decimal.
@Suite struct NumberSumTests {
    private static func sum(_ values: [AttributeValue]) -> NumberSum {
        var sum = NumberSum()
        for value in values { sum.add(value) }
        return sum
    }

    @Test("The mean of integers is exact if it is an integer that no double is")
    func meanOfLargeIntegers() {
        let large: Int64 = 9_007_199_254_740_993
        #expect(Self.sum([.integer(large), .integer(large)]).mean == .decimal(Decimal(large)))
        #expect(Self.sum([.integer(large - 1), .integer(large + 1)]).mean == .decimal(Decimal(large)))
        #expect(Self.sum([.integer(-large)]).mean == .decimal(Decimal(-large)))
        #expect(Self.sum([.integer(.max), .integer(.max), .integer(.max)]).mean == .decimal(Decimal(Int64.max)))
        // Others stay doubles.
        #expect(Self.sum([.integer(2), .integer(4)]).mean == .double(3))
        #expect(Self.sum([.integer(large - 1)]).mean == .double(9_007_199_254_740_992))
        #expect(Self.sum([.integer(1), .integer(2)]).mean == .double(1.5))
    }

    @Test("Sums of Decimals and integers are exact")
    func sums() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            var twin = Decimal(0)
            var values: [AttributeValue] = []
            for _ in 0..<Int.random(in: 1...40, using: &generator) {
                let digits = Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &generator)
                let exponent = Int.random(in: -6...2, using: &generator)
                let magnitude = Decimal(digits.magnitude)
                let number = Decimal(sign: digits < 0 ? .minus : .plus, exponent: exponent, significand: magnitude)
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    values.append(.integer(digits))
                    twin += Decimal(digits)
                } else {
                    values.append(.decimal(number))
                    twin += number
                }
            }
            let sum = Self.sum(values)
            let hasDecimals = values.contains { if case .decimal = $0 { true } else { false } }
            if hasDecimals {
                #expect(sum.sum == .decimal(twin), "\(values)")
                guard case .decimal(let mean)? = sum.mean else {
                    Issue.record("no Decimal: \(values)")
                    continue
                }
                // The mean times the count is the sum, up to the last of 37 digits.
                let difference = (mean * Decimal(values.count) - twin).magnitude
                let limit = Decimal(sign: .plus, exponent: -35, significand: max(twin.magnitude, 1))
                #expect(difference <= limit, "\(mean) \(twin) \(values.count)")
            }
        }
    }

    @Test("Known sums and means")
    func known() throws {
        func decimal(_ text: String) throws -> AttributeValue { .decimal(try #require(Decimal(string: text))) }
        let cases: [([String], String, String)] = [
            (["0.1", "0.2"], "0.3", "0.15"),
            (["9007199254740993", "0.1", "0.2"], "9007199254740993.3", "3002399751580331.1"),
            (["1", "1", "0"], "2", "0.66666666666666666666666666666666666667"), (["-0.5", "0.5"], "0", "0"),
            (
                ["12345678901234567890.12345678", "0.00000001"], "12345678901234567890.12345679",
                "6172839450617283945.061728395"
            ),
        ]
        for (texts, sum, mean) in cases {
            let result = Self.sum(try texts.map(decimal))
            #expect(try result.sum == decimal(sum), "\(texts)")
            #expect(try result.mean == decimal(mean), "\(texts)")
        }
        #expect(Self.sum([]).sum == .integer(0) && Self.sum([]).mean == nil)
        #expect(Self.sum([.integer(1), .integer(2)]).mean == .double(1.5))
        #expect(try Self.sum([.integer(.max), .integer(1)]).sum == decimal("9223372036854775808"))
        #expect(try Self.sum([.integer(.max), .integer(1), .integer(-1)]).sum == decimal("9223372036854775807"))
        #expect(try Self.sum([decimal("0.1"), .double(0.25)]).sum == .double(0.35))
        // More than 38 digits.
        #expect(try Self.sum([decimal("1e37"), decimal("1e-37")]).sum == .double(1e37))
    }
}
