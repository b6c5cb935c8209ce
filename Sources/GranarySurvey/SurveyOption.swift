import GranaryBase

/// An option of `granary import`, which is also a key of a seed plan.
package struct SurveyOption: Sendable, Hashable {
    package let name: String
    /// Nil for a flag.
    package let value: String?
    /// The column that it is for; nil for the whole file.
    package var column: String?

    package init(_ name: String, _ value: String? = nil, column: String? = nil) {
        self.name = name
        self.value = value
        self.column = column
    }

    /// The option as it is written in a shell; nil for an option of one column, which only a plan can have.
    package var text: String? {
        guard column == nil else { return nil }
        guard let value else { return "--\(name)" }
        return OptionHelp.option(name, value)
    }
}
