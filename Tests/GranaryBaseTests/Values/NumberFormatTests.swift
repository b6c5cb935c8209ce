import GranaryBase
import Testing

@Suite struct NumberFormatTests {
    static let german = NumberFormat(decimalSeparator: ",", groupSeparator: ".")
    static let english = NumberFormat(decimalSeparator: ".", groupSeparator: ",")
    static let comma = NumberFormat(decimalSeparator: ",")
    static let french = NumberFormat(decimalSeparator: ",", groupSeparator: "\u{202F}")
    static let polish = NumberFormat(decimalSeparator: ",", groupSeparator: "\u{A0}")
    static let swiss = NumberFormat(decimalSeparator: ".", groupSeparator: "\u{2019}")
    static let arabic = NumberFormat(decimalSeparator: "\u{66B}", groupSeparator: "\u{66C}")

    @Test(arguments: [
        (german, "1.234,56", 1234.56), (german, "-1.234.567,5", -1_234_567.5), (german, "1234,5", 1234.5),
        (german, "12", 12), (german, "123.456", 123_456), (english, "1,234.5", 1234.5), (english, "+1,234", 1234),
        (english, "1,000e3", 1_000_000), (comma, "0,5", 0.5), (comma, "-1,5e-3", -0.0015),
        (french, "1\u{202F}234,56", 1234.56), (french, "1234,5", 1234.5),
        (polish, "-12\u{A0}345\u{A0}678", -12_345_678),
        (swiss, "1\u{2019}234.5", 1234.5), (arabic, "1\u{66C}234\u{66B}5", 1234.5),
    ])
    func accepts(format: NumberFormat?, text: String, value: Double) throws {
        let format = try #require(format)
        #expect(try withBytes(text) { try FloatingText.parse($0, format: format) } == value)
        #expect(try withBytes(text) { try FloatingText.parseFloat($0, format: format) } == Float(value))
        let decimal = try withBytes(text) { try DecimalText.parse($0, format: format) }
        #expect(decimal == ExactDecimal(shortest: value))
    }

    @Test(arguments: [
        (german, "1,234.56"), (german, "1.23"), (german, "1.2345"), (german, "1234.567"), (german, "1.234.56"),
        (german, ".123"), (german, "1..234"), (german, "1.234."), (german, "1,5.000"), (german, "1,5,5"),
        (english, "1.234,56"), (english, "1,23,456"), (english, "1.5,000"), (english, "1,2345"), (english, ",123"),
        (comma, "1.5"), (comma, "1.234,5"), (comma, "1,"), (comma, ","), (comma, ""), (comma, "-"),
        (NumberFormat.plain, "1,5"), (english, "1234,567"), (english, "0,123"),
        (french, "1\u{A0}234,56"), (french, "1 234"), (polish, "1\u{202F}234"), (polish, "1\u{A0}23"), (swiss, "1'234"),
        (french, "1\u{202F}"), (polish, "\u{A0}123"), (arabic, "1.5"),
    ])
    func refuses(format: NumberFormat?, text: String) throws {
        let format = try #require(format)
        #expect(
            refusal(text) { bytes throws(ValueTextError) in try FloatingText.parse(bytes, format: format) } == .syntax)
        #expect(
            refusal(text) { bytes throws(ValueTextError) in try DecimalText.parse(bytes, format: format) } == .syntax)
    }

    @Test func integersHaveGroupsToo() throws {
        let english = try #require(Self.english)
        #expect(try withBytes("9,223,372,036,854,775,807") { try IntegerText.parse($0, format: english) } == .max)
        #expect(try withBytes("-42") { try IntegerText.parse($0, format: english) } == -42)
        for text in ["1.0", "1,00", "0,001", "1,000,"] {
            #expect(
                refusal(text) { bytes throws(ValueTextError) in try IntegerText.parse(bytes, format: english) }
                    == .syntax)
        }
    }

    @Test(
        "A fraction of zeros is accepted on request",
        arguments: [
            ("12.0", 12), ("-12.000", -12), ("0.0", 0), ("9007199254740993.0", 9_007_199_254_740_993),
            ("9223372036854775807.00", Int64.max), ("-9223372036854775808.0", Int64.min), ("12", 12),
        ] as [(String, Int64)])
    func zeroFractions(_ text: String, _ value: Int64) throws {
        #expect(
            try withBytes(text) { try IntegerText.parse($0, format: .plain, allowsZeroFraction: true) } == value)
        #expect(withBytes(text) { IntegerText.hasZeroFraction($0, format: .plain) } == text.contains("."))
    }

    @Test(
        "Other fractions are refused",
        arguments: [
            "1.50", "1.", ".0", "1.0.0", "1e3", "1.0e3", "1,0", "007.0", "1.0 ", "-.0", "9223372036854775808.0", "",
            "0x1.0",
        ])
    func otherFractions(_ text: String) {
        #expect(
            refusal(text) { bytes throws(ValueTextError) in
                try IntegerText.parse(bytes, format: .plain, allowsZeroFraction: true)
            } != nil)
    }

    @Test(
        "A message names the character",
        arguments: [
            ("1\u{A0}234", "U+00A0, a no-break space, is not a digit"),
            ("1\u{202F}234", "U+202F, a narrow no-break space, is not a digit"),
            ("1\u{2019}234", "U+2019, a typographic apostrophe, is not a digit"), ("12 €", "remove \" €\""),
            ("$12", "remove \"$\""), ("1 2", "a space"), ("1.0", "a decimal point in a whole number"),
            ("1.5", "not a whole number"), ("1e3", "an exponent in a whole number"), ("12k", "not a digit"),
        ])
    func reasons(_ text: String, _ reason: String) {
        do {
            _ = try withBytes(text) { try IntegerText.parse($0) }
            Issue.record("\(text) is accepted")
        } catch { #expect((error as? ValueTextError)?.reason == reason) }
    }

    @Test func separatorsAreNotWhatNumbersAreMadeOf() {
        for scalar in "0e-+é\u{664}\u{2212}\u{1F600}".unicodeScalars {
            #expect(NumberFormat(decimalSeparator: scalar) == nil)
        }
        #expect(NumberFormat(decimalSeparator: ".", groupSeparator: ".") == nil)
        #expect(NumberFormat(decimalSeparator: "\u{A0}") != nil)
        #expect(NumberFormat(decimalSeparator: ",", groupSeparator: " ") != nil)
        #expect(
            NumberFormat.problem(decimalSeparator: ",", groupSeparator: ",")
                == "the decimal and group separators must differ")
    }
}
