import GranaryBase
import TestSupport
import Testing

@Suite struct FloatingTextTests {
    private func parse(_ text: String) throws -> Double { try withBytes(text) { try FloatingText.parse($0) } }
    private func parseFloat(_ text: String) throws -> Float { try withBytes(text) { try FloatingText.parseFloat($0) } }

    /// Numbers whose rounding is known to be hard; each is compared with the standard library's parser.
    @Test(arguments: [
        "0", "-0", "0.0", "-0.0e9", "1", "0.1", "123456789.125", "9007199254740993", "9007199254740992.5",
        "9007199254740993.0000000000000000000000000000001", "2.2250738585072011e-308", "2.2250738585072014e-308",
        "4.9406564584124654e-324", "2.4703282292062328e-324", "1.7976931348623157e308", "1.7976931348623158e308",
        "179769313486231580793728971405301e276", "6929495644600919.5", "3.7455744005952583e15", "9.5e-27", "1e23",
        "8.5e22", "1e27", "1e-27", "18446744073709551615e27", "9999999999999999999e-27", "1e28", "1e-28",
        "0.000000000000000000000000000000000000000000000000001", "123456789012345678901234567890", "1E5", "1e+5",
        "1e05",
        "0e999999999999999999999", "0.0e-99999999999999999999999999", "7.2057594037927933e16", "36893488147419103233",
        "1.00000005960464477539062499999999999", "16777217", "16777219", "3.4028235e38", "1e-45", "1.1754943e-38",
    ])
    func agreesOnHardNumbers(text: String) throws {
        let expected = try #require(Double(text))
        #expect(try parse(text).bitPattern == expected.bitPattern)
        #expect(try parse("-" + text.drop { $0 == "-" }).bitPattern == (-abs(expected)).bitPattern)
        let single = try #require(Float(text))
        if single.isFinite, single != 0 || expected == 0 {
            #expect(try parseFloat(text).bitPattern == single.bitPattern)
        }
    }

    @Test(arguments: [
        "", "-", "+", ".", ".5", "5.", "-.5", "1.e5", "1e", "1e+", "1e5.5", "e5", "nan", "NaN", "inf", "Infinity",
        "0x1p3", "1 ",
        " 1", "1,5", "1_000", "00.5", "01", "1.5.5", "--1", "1f", "1\u{7F}", "١.٥", "1e 5", "+-1", "1d5",
    ])
    func refusesSyntax(text: String) {
        #expect(refusal(text) { bytes throws(ValueTextError) in try FloatingText.parse(bytes) } == .syntax)
        #expect(refusal(text) { bytes throws(ValueTextError) in try FloatingText.parseFloat(bytes) } == .syntax)
        #expect(refusal(text) { bytes throws(ValueTextError) in try DecimalText.parse(bytes) } == .syntax)
    }

    @Test(arguments: [
        "1e309", "-1e400", "1.8e308", "1e-400", "2e-324", "1e99999999999999999999", "1e-99999999999999999999",
    ])
    func refusesRange(text: String) {
        #expect(refusal(text) { bytes throws(ValueTextError) in try FloatingText.parse(bytes) } == .range)
    }

    @Test(arguments: ["3.5e38", "-1e39", "1e46", "9999999999999999999e27", "1e-46", "3.4028236e38"])
    func refusesRangeOfSinglePrecision(text: String) {
        #expect(refusal(text) { bytes throws(ValueTextError) in try FloatingText.parseFloat(bytes) } == .range)
    }

    @Test func takesNonFiniteOnlyWhereAsked() throws {
        func parse(_ text: String) throws -> Double {
            try withBytes(text) { try FloatingText.parse($0, allowNonFinite: true) }
        }
        #expect(try parse("NaN").isNaN)
        #expect(try parse("Infinity") == .infinity)
        #expect(try parse("-Infinity") == -.infinity)
        #expect(try parse("1.5") == 1.5)
        for text in ["nan", "inf", "+Infinity", "-NaN", "INFINITY"] {
            #expect(throws: ValueTextError.self) { try parse(text) }
        }
        #expect(try withBytes("-Infinity") { try FloatingText.parseFloat($0, allowNonFinite: true) } == -.infinity)
    }

    /// A text much longer than any double needs: the last digit, far behind, decides a tie.
    @Test func countsEveryDigit() throws {
        let tie = "9007199254740993"
        let zeros = String(repeating: "0", count: 100_000)
        #expect(try parse(tie + "." + zeros) == 9_007_199_254_740_992)
        #expect(try parse(tie + "." + zeros + "1") == 9_007_199_254_740_994)
        #expect(try parse("0." + zeros + "1e100001") == 1)
        #expect(try parse("1" + zeros + "e-100000") == 1)
    }

    @Test func bitPatternsComeBack() throws {
        var generator = SeededGenerator(seed: 2)
        var output: [UInt8] = []
        for _ in 0..<100_000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            output.removeAll(keepingCapacity: true)
            FloatingText.append(value, to: &output)
            let back = try output.withUnsafeBufferPointer { try FloatingText.parse($0) }
            if back.bitPattern != value.bitPattern { Issue.record("\(value) came back as \(back)") }
        }
        for _ in 0..<100_000 {
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
            guard value.isFinite else { continue }
            output.removeAll(keepingCapacity: true)
            FloatingText.append(value, to: &output)
            let back = try output.withUnsafeBufferPointer { try FloatingText.parseFloat($0) }
            if back.bitPattern != value.bitPattern { Issue.record("\(value) came back as \(back)") }
        }
    }

    /// Digits and exponents about the borders of the quick ways, against the standard library.
    @Test func agreesWithTheStandardLibrary() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<100_000 {
            let digits = generator.next() >> (generator.next() % 64)
            let exponent = Int(generator.next() % 64) - 32
            let text = generator.next() & 1 == 0 ? "\(digits)e\(exponent)" : "\(digits % 1000).\(digits)"
            let expected = try #require(Double(text))
            let value = try parse(text)
            if value.bitPattern != expected.bitPattern { Issue.record("\(text) gives \(value)") }
            let single = try #require(Float(text))
            guard single.isFinite, single != 0 || expected == 0 else { continue }
            let float = try parseFloat(text)
            if float.bitPattern != single.bitPattern { Issue.record("\(text) gives \(float)") }
        }
    }

    /// The exact middle between two neighbours, which a sum of two roundings gets wrong.
    @Test func middlesGoToEven() throws {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<20_000 {
            // 54 bits, the last one set: half-way between two doubles. Divided by 2^k it is exact with k decimals.
            let odd = generator.next() >> 10 | 1 << 53 | 1
            let text = "\(odd)"
            #expect(try parse(text) == Double(text))
            let single = generator.next() >> 39 | 1 << 24 | 1
            #expect(try parseFloat("\(single)") == Float("\(single)"))
        }
    }

    @Test(arguments: [
        (0.0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (-3, "-3.0"), (0.1, "0.1"),
        (999_999_999_999_999, "999999999999999.0"),
        (1e15, "1000000000000000.0"), (1e16, "1e+16"), (.leastNonzeroMagnitude, "5e-324"), (1234.5, "1234.5"),
        (.infinity, "Infinity"),
        (-.infinity, "-Infinity"), (.nan, "NaN"),
    ])
    func prints(value: Double, text: String) {
        #expect(printed { FloatingText.append(value, to: &$0) } == text)
        if value.isFinite { #expect(text == value.description) }
    }

    @Test func printsSinglePrecisionWithItsOwnDigits() {
        #expect(printed { FloatingText.append(Float(0.1), to: &$0) } == "0.1")
        #expect(printed { FloatingText.append(Float(16_777_216), to: &$0) } == "16777216.0")
        #expect(printed { FloatingText.append(-Float.infinity, to: &$0) } == "-Infinity")
    }
}
