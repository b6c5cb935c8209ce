/// Why a regular expression was refused.
package struct PatternError: Error, Sendable, Hashable {
    /// Where in the expression, in UTF-8 bytes from 0. Nil when only ICU found the mistake: Foundation does not hand
    /// on ICU's own position.
    package let offset: Int?
    /// What is wrong there, as the end of a sentence.
    package let reason: String

    package init(offset: Int?, reason: String) {
        self.offset = offset
        self.reason = reason
    }
}

extension PatternError: CustomStringConvertible {
    /// `byte 5 of the regular expression: "(" is not closed`, the byte counted from 1 as in ``SourcePosition``.
    package var description: String {
        guard let offset else { return "the regular expression: \(reason)" }
        return "byte \(offset + 1) of the regular expression: \(reason)"
    }
}
