import GranaryBase
import Testing

@Suite struct NumberFormatTests {
    static let german = NumberFormat(decimalSeparator: UInt8(ascii: ","), groupSeparator: UInt8(ascii: "."))
    static let english = NumberFormat(decimalSeparator: UInt8(ascii: "."), groupSeparator: UInt8(ascii: ","))
    static let comma = NumberFormat(decimalSeparator: UInt8(ascii: ","))

    @Test(arguments: [
        (german, "1.234,56", 1234.56), (german, "-1.234.567,5", -1_234_567.5), (german, "1234,5", 1234.5),
        (german, "12", 12), (german, "123.456", 123_456), (english, "1,234.5", 1234.5), (english, "+1,234", 1234),
        (english, "1,000e3", 1_000_000), (comma, "0,5", 0.5), (comma, "-1,5e-3", -0.0015),
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

    @Test func separatorsAreNotWhatNumbersAreMadeOf() {
        for byte in "0e-+".utf8 { #expect(NumberFormat(decimalSeparator: byte) == nil) }
        #expect(NumberFormat(decimalSeparator: 0x2E, groupSeparator: 0x2E) == nil)
        #expect(NumberFormat(decimalSeparator: 0xA0) == nil)
        #expect(NumberFormat(decimalSeparator: 0x2C, groupSeparator: 0x20) != nil)
    }
}
