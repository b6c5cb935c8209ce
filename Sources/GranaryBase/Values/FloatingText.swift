/// Double and single precision as text: the nearest number in, the shortest text that reads back the same out.
///
/// Written as `1234.5` or `1.2345e3` (the grammar is ``NumberScan``'s). Too large for the type, or so small that
/// only zero would be left, is `range`. No locale plays a part.
package enum FloatingText {
    /// - Parameter allowNonFinite: takes `NaN`, `Infinity` and `-Infinity` too, spelled so.
    package static func parse(
        _ text: UnsafeBufferPointer<UInt8>, allowNonFinite: Bool = false
    ) throws(ValueTextError) -> Double {
        if allowNonFinite, let value = nonFinite(text) { return value }
        let scan = try NumberScan(text)
        if scan.isShort, let value = BinaryRounding.double(mantissa: scan.mantissa, exponent: scan.exponent) {
            return scan.isNegative ? -value : value
        }
        return try slowDouble(scan, of: text)
    }

    /// The same, where the file has separators of its own.
    package static func parse(
        _ text: UnsafeBufferPointer<UInt8>, format: NumberFormat, allowNonFinite: Bool = false
    ) throws(ValueTextError) -> Double {
        if format.isPlain { return try parse(text, allowNonFinite: allowNonFinite) }
        if allowNonFinite, let value = nonFinite(text) { return value }
        return try format.plain(text).withPlainBytes { plain throws(ValueTextError) in try parse(plain) }
    }

    /// Single precision, rounded once from the text.
    package static func parseFloat(
        _ text: UnsafeBufferPointer<UInt8>, allowNonFinite: Bool = false
    ) throws(ValueTextError) -> Float {
        if allowNonFinite, let value = nonFinite(text) { return Float(value) }
        let scan = try NumberScan(text)
        if scan.isShort, let value = BinaryRounding.float(mantissa: scan.mantissa, exponent: scan.exponent) {
            guard value.isFinite else { throw .range("more than single precision holds") }
            return scan.isNegative ? -value : value
        }
        return try slowFloat(scan, of: text)
    }

    package static func parseFloat(
        _ text: UnsafeBufferPointer<UInt8>, format: NumberFormat, allowNonFinite: Bool = false
    ) throws(ValueTextError) -> Float {
        if format.isPlain { return try parseFloat(text, allowNonFinite: allowNonFinite) }
        if allowNonFinite, let value = nonFinite(text) { return Float(value) }
        return try format.plain(text).withPlainBytes { plain throws(ValueTextError) in try parseFloat(plain) }
    }

    /// Appends the shortest text that reads back the same bits: `1.0`, `-0.0`, `1e+16`, `5e-324`.
    ///
    /// The spelling is the standard library's, for which every JSON reader is ready. What is not finite is written
    /// `NaN`, `Infinity`, `-Infinity`; whoever allows none of it asks first.
    package static func append(_ value: Double, to output: inout [UInt8]) {
        // Most doubles in real data are small and whole; they need no search for the shortest digits.
        if value.magnitude < 1e15, value == value.rounded(.towardZero) {
            if value.sign == .minus { output.append(ASCII.minus) }
            IntegerText.append(magnitude: UInt64(value.magnitude), to: &output)
            output.append(ASCII.point)
            output.append(ASCII.zero)
        } else if value.isFinite {
            append(value.description, to: &output)
        } else {
            append(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity", to: &output)
        }
    }

    package static func append(_ value: Float, to output: inout [UInt8]) {
        if value.isFinite { append(value.description, to: &output) } else { append(Double(value), to: &output) }
    }

    private static func append(_ text: String, to output: inout [UInt8]) {
        output.append(contentsOf: text.utf8)
    }

    private static func nonFinite(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        // No number begins with these letters, and few texts have these lengths.
        switch text.count {
        case 3 where text.elementsEqual("NaN".utf8): .nan
        case 8 where text.elementsEqual("Infinity".utf8): .infinity
        case 9 where text.elementsEqual("-Infinity".utf8): -.infinity
        default: nil
        }
    }

    @inline(never)
    private static func slowDouble(
        _ scan: NumberScan, of text: UnsafeBufferPointer<UInt8>
    ) throws(ValueTextError) -> Double {
        guard let value = Double(scan.parserText(of: text)), value.isFinite else {
            throw .range("more than double precision holds")
        }
        guard value != 0 || scan.isZero(text) else { throw .range("so small that zero would be left") }
        return scan.isNegative ? -value : value
    }

    @inline(never)
    private static func slowFloat(
        _ scan: NumberScan, of text: UnsafeBufferPointer<UInt8>
    ) throws(ValueTextError) -> Float {
        guard let value = Float(scan.parserText(of: text)), value.isFinite else {
            throw .range("more than single precision holds")
        }
        guard value != 0 || scan.isZero(text) else { throw .range("so small that zero would be left") }
        return scan.isNegative ? -value : value
    }
}
