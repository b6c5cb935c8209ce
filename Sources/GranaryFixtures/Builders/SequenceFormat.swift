import GranaryBase

/// The format of a sequence's texts, with one placeholder for the number: `P%03d`.
struct SequenceFormat: Sendable {
    let text: String

    /// The text with a number.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the format does not have one placeholder.
    func text(_ number: Int) throws(GranaryError) -> String {
        var result = ""
        var count = 0
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                result.append(character)
                continue
            }
            if rest.first == "%" {
                result.append("%")
                rest.removeFirst()
                continue
            }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            // C pads with spaces without the 0, which no key has.
            guard rest.popFirst() == "d", digits.isEmpty || digits.first == "0", let width = Self.width(digits) else {
                throw refusal
            }
            let plain = "\(number.magnitude)"
            if number < 0 { result.append("-") }
            result += String(repeating: "0", count: max(0, width - plain.count - (number < 0 ? 1 : 0))) + plain
            count += 1
        }
        guard count == 1 else { throw refusal }
        return result
    }

    private static func width(_ digits: Substring) -> Int? {
        guard !digits.isEmpty else { return 0 }
        guard let width = Int(digits), width <= 64 else { return nil }
        return width
    }

    private var refusal: GranaryError {
        GranaryError(
            .usage,
            "the sequence \"\(Diagnostic.shortened(text))\" needs one placeholder for the number, %d or %03d with a "
                + "width of at most 64; %% is a percent sign")
    }
}
