/// A problem of an option on the command line or in a plan.
package struct OptionProblem: Error, Hashable {
    /// The option's name without leading dashes, such as `skip-rows`; empty if the caller adds it.
    package var option: String
    /// The problem, as the predicate of a sentence.
    package let message: String
    /// Whether the option has no effect, so that it is only a warning in some cases.
    package let isMoot: Bool

    package init(_ message: String, option: String = "", isMoot: Bool = false) {
        self.option = option
        self.message = message
        self.isMoot = isMoot
    }
}
