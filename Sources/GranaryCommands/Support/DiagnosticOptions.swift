package import ArgumentParser

/// How many diagnostics a command prints.
package struct DiagnosticOptions: ParsableArguments {
    package static let defaultLimit = 50

    @Option(
        name: .customLong("max-diagnostics"),
        help: ArgumentHelp(
            "Print at most this many diagnostics; the count is always whole (default: 50).", valueName: "n"))
    package var given: Int?

    package var maxDiagnostics: Int { given ?? Self.defaultLimit }

    package init() {}

    package func validate() throws {
        if maxDiagnostics < 0 { throw ValidationError("--max-diagnostics cannot be negative.") }
    }
}

/// A command whose diagnostics the user can limit.
package protocol DiagnosticPrinting: ParsableCommand {
    var diagnosticOptions: DiagnosticOptions { get }
}

/// How diagnostics are printed.
enum DiagnosticFormat: String, ExpressibleByArgument, CaseIterable {
    /// Compiler-style lines on standard error.
    case text
    /// JSON Lines on standard error.
    case json
    /// One document on standard output: on standard error the ledger, the last line, would make it unreadable.
    case sarif
}
