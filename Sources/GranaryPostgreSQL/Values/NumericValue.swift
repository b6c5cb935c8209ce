#if PostgreSQL
    import GranaryBase

    /// Decimals in the binary format of `numeric`: the number of digits to the base 10,000, the weight of the first, the
    /// sign, the number of decimals, and the digits (`numeric_send` of PostgreSQL), each two bytes.
    enum NumericValue {
        private static let negative: UInt16 = 0x4000

        /// Appends a field.
        static func append(_ number: ExactDecimal, to buffer: inout FieldBuffer) {
            var digits: [UInt8] = []
            var rest = number.mantissa
            while rest != 0 {
                digits.append(UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            }
            digits.reverse()
            // The exponent becomes a multiple of four.
            let exponent = Int(number.exponent)
            let aligned = exponent >= 0 ? exponent / 4 * 4 : -((3 - exponent) / 4 * 4)
            digits += repeatElement(0, count: digits.isEmpty ? 0 : exponent - aligned)
            digits = Array(repeating: 0, count: (4 - digits.count % 4) % 4) + digits
            let groups = stride(from: 0, to: digits.count, by: 4).map { start in
                digits[start..<start + 4].reduce(UInt16(0)) { $0 * 10 + UInt16($1) }
            }
            let weight = groups.isEmpty ? 0 : groups.count + aligned / 4 - 1
            var value = FieldBuffer()
            value.append(Int16(truncatingIfNeeded: groups.count))
            value.append(Int16(truncatingIfNeeded: weight))
            value.append(number.isNegative ? negative : 0)
            value.append(Int16(truncatingIfNeeded: max(0, -exponent)))
            for group in groups { value.append(group) }
            buffer.appendField(value.bytes)
        }

        /// Nil for NaN, infinity, and a number that a Decimal cannot be.
        static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> ExactDecimal? {
            guard bytes.count >= 8, bytes.count % 2 == 0 else { return nil }
            let raw = UnsafeRawBufferPointer(bytes)
            func word(_ index: Int) -> UInt16 {
                UInt16(bigEndian: raw.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
            }
            let weight = Int(Int16(bitPattern: word(1)))
            let sign = word(2)
            guard sign == 0 || sign == negative, Int(word(0)) == bytes.count / 2 - 4 else { return nil }
            var groups = (4..<bytes.count / 2).map(word)
            var exponent = (weight - groups.count + 1) * 4
            while groups.last == 0 {
                groups.removeLast()
                exponent += 4
            }
            var mantissa: UInt128 = 0
            for (index, group) in groups.enumerated() {
                guard group < 10_000 else { return nil }
                var (factor, digits) = (UInt128(10_000), UInt128(group))
                if index == groups.count - 1 {
                    while digits % 10 == 0 {
                        (factor, digits) = (factor / 10, digits / 10)
                        exponent += 1
                    }
                }
                let (product, overflow) = mantissa.multipliedReportingOverflow(by: factor)
                let (sum, carries) = product.addingReportingOverflow(digits)
                guard !overflow, !carries else { return nil }
                mantissa = sum
            }
            return ExactDecimal(isNegative: sign == negative, mantissa: mantissa, exponent: exponent)
        }
    }
#endif
