/// The number as people write it: all digits, plain where that is not long (`1234.5`, `1.5e-60`).
extension ExactDecimal: CustomStringConvertible {
    public var description: String {
        var text: [UInt8] = []
        DecimalText.append(self, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
