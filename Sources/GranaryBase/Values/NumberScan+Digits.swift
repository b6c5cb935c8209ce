/// Numbers of more digits than ``NumberScan/mantissa`` holds: linear in their length, in bounded memory.
extension NumberScan {
    /// The significant digits, at most `limit`, without zeros at either end.
    struct Digits {
        var digits: [UInt8] = []
        /// Times ten to this.
        var exponent: Int
        /// Whether digits other than zero were left out.
        var isCut = false
    }

    func significantDigits(of text: UnsafeBufferPointer<UInt8>, limit: Int) -> Digits {
        var result = Digits(exponent: exponent)
        for index in digitsStart..<digitsEnd where text[index] != ASCII.point {
            let digit = text[index] &- ASCII.zero
            if result.digits.isEmpty, digit == 0 { continue }
            if result.digits.count < limit {
                result.digits.append(digit)
            } else {
                result.exponent += 1
                if digit != 0 { result.isCut = true }
            }
        }
        while result.digits.last == 0 {
            result.digits.removeLast()
            result.exponent += 1
        }
        return result
    }
}

extension NumberScan {
    /// Whether all digits are zeros.
    func isZero(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text[digitsStart..<digitsEnd].allSatisfy { $0 == ASCII.zero || $0 == ASCII.point }
    }

    /// The number without its sign, for the standard library's parser, which knows no locale either.
    ///
    /// 800 digits decide any rounding: the longest exact middle between two doubles has 767. Digits that are cut
    /// count as a 1 behind the last, which decides a tie.
    func parserText(of text: UnsafeBufferPointer<UInt8>) -> String {
        let limit = 800
        if text.count <= limit {
            return String(decoding: UnsafeBufferPointer(rebasing: text[digitsStart...]), as: UTF8.self)
        }
        let parts = significantDigits(of: text, limit: limit)
        var exponent = parts.exponent
        var bytes = parts.digits.map { $0 &+ ASCII.zero }
        if parts.isCut {
            bytes.append(UInt8(ascii: "1"))
            exponent -= 1
        }
        if bytes.isEmpty { bytes.append(ASCII.zero) }
        bytes.append(UInt8(ascii: "e"))
        // Nothing past ±100000 differs from the end of the range.
        IntegerText.append(Int64(max(-100_000, min(100_000, exponent))), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
