#if PostgreSQL
    import Foundation
    import GranaryBase
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    /// Decimals in the binary format of `numeric`.
    @Suite struct NumericValueTests {
        private func field(_ number: ExactDecimal) -> [UInt8] {
            var buffer = FieldBuffer()
            NumericValue.append(number, to: &buffer)
            return Array(buffer.bytes.dropFirst(4))
        }

        private func read(_ bytes: [UInt8]) -> ExactDecimal? { bytes.withUnsafeBufferPointer(NumericValue.read) }

        /// Taken from `SELECT encode(numeric_send(n), 'hex')` of PostgreSQL 15.
        @Test(arguments: [
            ("0", "0000000000000000"), ("1", "0001000000000000" + "0001"), ("-1", "0001000040000000" + "0001"),
            ("0.1", "0001ffff00000001" + "03e8"), ("12345.678", "0003000100000003" + "000109291a7c"),
            ("10000", "0001000100000000" + "0001"), ("0.00001", "0001fffe00000005" + "03e8"),
            ("123456789012", "0003000200000000" + "04d2162e2334"),
        ])
        func theBytesAreThoseOfTheServer(text: String, hex: String) throws {
            let number = try #require(Decimal(string: text).flatMap(ExactDecimal.init(exactly:)))
            let bytes = field(number)
            #expect(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == hex)
            #expect(read(bytes) == number)
        }

        @Test func everyDecimalIsReadBack() throws {
            var generator = SeededGenerator(seed: 7)
            for _ in 0..<5_000 {
                let digits = Int.random(in: 1...38, using: &generator)
                var mantissa: UInt128 = 0
                for _ in 0..<digits { mantissa = mantissa * 10 + UInt128(UInt8.random(in: 0...9, using: &generator)) }
                guard
                    let number = ExactDecimal(
                        isNegative: Bool.random(using: &generator), mantissa: mantissa,
                        exponent: Int.random(in: -128...127, using: &generator))
                else { continue }
                #expect(read(field(number)) == number)
            }
        }

        @Test(
            arguments: [
                [], [0, 1], [0, 0, 0, 0, 0xc0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0],
                [0, 1, 0, 0, 0, 0, 0, 0, 0x7f, 0xff],
                [0, 1, 0x7f, 0xff, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0x40, 0, 0, 0, 1],
            ] as [[UInt8]])
        func otherBytesAreNoDecimals(bytes: [UInt8]) {
            #expect(read(bytes) == nil || read(bytes) == .zero)
        }

        @Test func tooManyDigitsAreRefused() {
            var bytes: [UInt8] = [0, 12, 0, 11, 0, 0, 0, 0]
            for _ in 0..<12 { bytes += [0x27, 0x0f] }
            #expect(read(bytes) == nil)
        }
    }
#endif
