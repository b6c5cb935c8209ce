package import GranaryBase

/// The kind of file that a tree is read from, for messages.
package struct TreeKind: Sendable {
    /// The name of the kind: `plan`.
    package let noun: String
    /// The code of most problems.
    package let syntax: Diagnostic.Code
    /// The code of unknown keys.
    package let unknown: Diagnostic.Code

    package init(noun: String, syntax: Diagnostic.Code, unknown: Diagnostic.Code) {
        self.noun = noun
        self.syntax = syntax
        self.unknown = unknown
    }

    /// A seed plan.
    package static let plan = TreeKind(noun: "plan", syntax: .planSyntax, unknown: .planUnknown)
    /// A model as text.
    package static let model = TreeKind(noun: "model", syntax: .modelSyntax, unknown: .modelUnknown)
}
