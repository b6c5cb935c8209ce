import GranaryBase
import TestSupport
import Testing

@Suite struct IntegerTextTests {
    @Test(arguments: [
        ("0", 0), ("-0", 0), ("+0", 0), ("7", 7), ("-7", -7), ("+42", 42),
        ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
        ("9007199254740993", 9_007_199_254_740_993), ("1000000000000000000", 1_000_000_000_000_000_000),
    ])
    func accepts(text: String, value: Int64) throws {
        #expect(try withBytes(text) { try IntegerText.parse($0) } == value)
    }

    @Test(arguments: [
        "", "-", "+", "--1", "+-1", " 1", "1 ", "1\n", "007", "00", "-01", "1.0", "1e3", "1E3", "0x10", "abc", "1a",
        "1,000", "١", "1\u{7F}", "00000000000000000000001", "1234567890123456789012a", "12345678901234567890.5",
    ])
    func refusesSyntax(text: String) {
        #expect(refusal(text) { bytes throws(ValueTextError) in try IntegerText.parse(bytes) } == .syntax)
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "9999999999999999999", "18446744073709551616",
        "-99999999999999999999999999",
    ])
    func refusesRange(text: String) {
        #expect(refusal(text) { bytes throws(ValueTextError) in try IntegerText.parse(bytes) } == .range)
    }

    @Test func saysWhatIsWrong() {
        func reason(_ text: String) -> String? {
            do { _ = try withBytes(text) { try IntegerText.parse($0) } } catch {
                return (error as? ValueTextError)?.reason
            }
            return nil
        }
        #expect(reason("007") == "a leading zero")
        #expect(reason("1.0") == "a decimal point in a whole number")
        #expect(reason("1.5") == "not a whole number")
        #expect(reason("1 ") == "a space")
        #expect(reason("99999999999999999999") == "more than 64 bits hold")
    }

    @Test func agreesWithTheStandardLibrary() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<50_000 {
            let value = Int64(bitPattern: generator.next()) >> Int64(generator.next() % 64)
            let text = String(value)
            #expect(printed { IntegerText.append(value, to: &$0) } == text)
            #expect(try withBytes(text) { try IntegerText.parse($0) } == value)
        }
        // Texts about as long as the limits, most of them just past one.
        for _ in 0..<20_000 {
            let text = (generator.next() & 1 == 0 ? "-" : "") + "92233720368547758" + String(generator.next() % 1000)
            let parsed = withBytes(text) { try? IntegerText.parse($0) }
            #expect(parsed == Int64(text))
        }
    }

    /// The neighbours of each power of ten, so that each number of digits occurs with its limits.
    @Test func printsEachNumberOfDigits() {
        var power: Int64 = 1
        var buffer = ByteBuffer()
        for _ in 0..<19 {
            for value in [power - 1, power, power + 1, power / 3, -power, 1 - power, -power - 1] {
                #expect(printed { IntegerText.append(value, to: &$0) } == String(value))
                buffer.removeAll()
                buffer.append(integer: value)
                let written = String(decoding: buffer.bytes, as: UTF8.self)
                #expect(written == String(value))
            }
            let (next, isTooLarge) = power.multipliedReportingOverflow(by: 10)
            if !isTooLarge { power = next }
        }
    }

    @Test(arguments: [Int64.min, .max, 0, -1, 9, 10, -10, 99, 100])
    func printsEdges(value: Int64) {
        #expect(printed { IntegerText.append(value, to: &$0) } == String(value))
    }
}
