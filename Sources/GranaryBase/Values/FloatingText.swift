/// Floating-point numbers as text. Parsing gives the nearest number, printing the shortest text that parses to the
/// same.
///
/// Numbers are written as `1234.5` or `1.2345e3` (the grammar of ``NumberScan``), independent of the locale. A number
/// that is too large for the type, or would round to zero, is a `range` error.
package enum FloatingText {
    /// - Parameter allowNonFinite: whether `NaN`, `Infinity` and `-Infinity` are accepted, in this spelling.
    package static func parse(
        _ text: UnsafeBufferPointer<UInt8>, allowNonFinite: Bool = false
    ) throws(ValueTextError) -> Double {
        if allowNonFinite, let value = nonFinite(text) { return value }
        let scan = try NumberScan(text)
        if scan.isShort, let value = BinaryRounding.double(mantissa: scan.mantissa, exponent: scan.exponent) {
            return scan.isNegative ? -value : value
        }
        return try slow(scan, of: text, "more than double precision holds")
    }

    /// Parses a number with the separators of a file.
    package static func parse(
        _ text: UnsafeBufferPointer<UInt8>, format: NumberFormat, allowNonFinite: Bool = false
    ) throws(ValueTextError) -> Double {
        if format.isPlain { return try parse(text, allowNonFinite: allowNonFinite) }
        if allowNonFinite, let value = nonFinite(text) { return value }
        return try format.plainText(of: text).withUnsafeBufferPointer { plain throws(ValueTextError) in try parse(plain)
        }
    }

    /// Parses a single-precision number, rounded once.
    package static func parseFloat(
        _ text: UnsafeBufferPointer<UInt8>, allowNonFinite: Bool = false
    ) throws(ValueTextError) -> Float {
        if allowNonFinite, let value = nonFinite(text) { return Float(value) }
        let scan = try NumberScan(text)
        if scan.isShort, let value = BinaryRounding.float(mantissa: scan.mantissa, exponent: scan.exponent) {
            guard value.isFinite else { throw .range("more than single precision holds") }
            return scan.isNegative ? -value : value
        }
        return try slow(scan, of: text, "more than single precision holds")
    }

    package static func parseFloat(
        _ text: UnsafeBufferPointer<UInt8>, format: NumberFormat, allowNonFinite: Bool = false
    ) throws(ValueTextError) -> Float {
        if format.isPlain { return try parseFloat(text, allowNonFinite: allowNonFinite) }
        if allowNonFinite, let value = nonFinite(text) { return Float(value) }
        return try format.plainText(of: text).withUnsafeBufferPointer { plain throws(ValueTextError) in
            try parseFloat(plain)
        }
    }

    /// Appends the shortest text that parses to the same bits: `1.0`, `-0.0`, `1e+16`, `5e-324`.
    ///
    /// The spelling is that of the standard library, which every JSON reader accepts. Numbers that are not finite are
    /// written as `NaN`, `Infinity`, `-Infinity`; callers that do not allow them check first.
    package static func append(_ value: Double, to output: inout [UInt8]) {
        output.append(atMost: longest) { write(value, at: $0) }
    }

    package static func append(_ value: Float, to output: inout [UInt8]) {
        output.append(atMost: longest) { write(value, at: $0) }
    }

    /// The largest number of bytes that ``write(_:at:)-(Double,_)`` writes: `-2.2250738585072014e-308` has 24.
    static var longest: Int { 32 }

    /// Writes a number as ``append(_:to:)-(Double,_)`` does and returns the number of bytes.
    static func write(_ value: Double, at place: UnsafeMutablePointer<UInt8>) -> Int {
        // Most doubles in real data are small integers or have few digits, which need no search for the shortest ones.
        if value.magnitude < 1e15, value == value.rounded(.towardZero) {
            return write(whole: value.magnitude, isNegative: value.sign == .minus, at: place)
        }
        if let short = ShortDecimal(value.magnitude) {
            return write(short, isNegative: value < 0, at: place)
        }
        return write(value.isFinite ? value.description : nonFiniteText(value), at: place)
    }

    static func write(_ value: Float, at place: UnsafeMutablePointer<UInt8>) -> Int {
        if value.magnitude < 1e6, value == value.rounded(.towardZero) {
            return write(whole: Double(value.magnitude), isNegative: value.sign == .minus, at: place)
        }
        if let short = ShortDecimal(value.magnitude) {
            return write(short, isNegative: value < 0, at: place)
        }
        return write(value.isFinite ? value.description : nonFiniteText(Double(value)), at: place)
    }

    private static func nonFiniteText(_ value: Double) -> String {
        value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
    }

    @inline(__always)
    private static func write(
        whole magnitude: Double, isNegative: Bool, at place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var count = sign(isNegative, at: place)
        count &+= IntegerText.write(magnitude: UInt64(magnitude), at: place + count)
        place[count] = ASCII.point
        place[count &+ 1] = ASCII.zero
        return count &+ 2
    }

    @inline(__always)
    private static func write(
        _ number: ShortDecimal, isNegative: Bool, at place: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var count = sign(isNegative, at: place)
        count &+= IntegerText.write(magnitude: number.whole, at: place + count)
        place[count] = ASCII.point
        IntegerText.write(number.fraction, digits: number.places, at: place + (count &+ 1))
        return count &+ 1 &+ number.places
    }

    @inline(__always)
    private static func sign(_ isNegative: Bool, at place: UnsafeMutablePointer<UInt8>) -> Int {
        guard isNegative else { return 0 }
        place[0] = ASCII.minus
        return 1
    }

    @inline(never)
    private static func write(_ text: String, at place: UnsafeMutablePointer<UInt8>) -> Int {
        var text = text
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return 0 }
            let count = min(bytes.count, longest)
            place.update(from: start, count: count)
            return count
        }
    }

    private static func nonFinite(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        // Few texts have these lengths, so most numbers are not compared.
        switch text.count {
        case 3 where text.elementsEqual("NaN".utf8): .nan
        case 8 where text.elementsEqual("Infinity".utf8): .infinity
        case 9 where text.elementsEqual("-Infinity".utf8): -.infinity
        default: nil
        }
    }

    /// Parses with the standard library.
    @inline(never)
    private static func slow<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ scan: NumberScan, of text: UnsafeBufferPointer<UInt8>, _ tooLarge: String
    ) throws(ValueTextError) -> Number {
        guard let value = Number(scan.parserText(of: text)), value.isFinite else { throw .range(tooLarge) }
        guard value != 0 || scan.isZero(text) else { throw .range("so small that it rounds to zero") }
        return scan.isNegative ? -value : value
    }
}
