package import GranaryBase

/// The first syntax error in the text of a predicate or expression.
package struct PredicateSyntaxError: Error, Sendable, Hashable {
    /// Where the error is, in UTF-8 bytes from the beginning; at most the length of the text.
    package let offset: Int
    /// Where the error is, in Unicode scalars from 1.
    package let column: Int
    /// What was expected, or what is wrong.
    package let message: String

    /// The error with its column, in one line.
    package var line: String { "predicate, column \(column): \(message)" }

    /// The error for a caller who gave the text: with code `usage`, the text, and a mark under the place.
    package func usageError(_ text: String) -> GranaryError {
        GranaryError(.usage, PredicateText.marked(line, at: offset, in: text))
    }

    /// The error for a predicate in a model file: a `model.syntax` of one line.
    package var modelError: GranaryError { GranaryError(Diagnostic(.modelSyntax, line)) }
}
