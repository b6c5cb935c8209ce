package import GranaryBase

/// A problem of stored rows that reading them does not notice, such as a reference to an object that does not exist.
package struct ContentProblem: Sendable {
    /// The advice that a person needs.
    package enum Remedy: Sendable {
        case setRelationship, changeValue, none
    }

    package let diagnostic: Diagnostic
    package let table: String
    package let column: String?
    package let remedy: Remedy

    package init(
        _ diagnostic: Diagnostic, table: String, column: String? = nil, remedy: Remedy = .none
    ) {
        self.diagnostic = diagnostic
        self.table = table
        self.column = column
        self.remedy = remedy
    }
}
