/// The reason why a regular expression was refused.
package struct PatternError: Error, Sendable, Hashable {
    /// The offset in UTF-8 bytes from 0; nil if only ICU found the mistake, because Foundation does not provide ICU's
    /// position.
    package let offset: Int?
    /// The mistake, as the end of a sentence.
    package let reason: String

    package init(offset: Int?, reason: String) {
        self.offset = offset
        self.reason = reason
    }
}

extension PatternError: CustomStringConvertible {
    /// For example `byte 5 of the regular expression: "(" is not closed`, with bytes counted from 1 as in
    /// ``SourcePosition``.
    package var description: String {
        guard let offset else { return "the regular expression: \(reason)" }
        return "byte \(offset + 1) of the regular expression: \(reason)"
    }
}
