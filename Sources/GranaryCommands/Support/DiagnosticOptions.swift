package import ArgumentParser

/// The option on the number of diagnostics to print.
package struct DiagnosticOptions: ParsableArguments {
    package static let defaultLimit = 50

    @Option(
        name: .customLong("max-diagnostics"),
        help: ArgumentHelp(
            "Print at most this many diagnostics; totals always count all (default: 50).", valueName: "n"))
    package var given: Int?

    package var maxDiagnostics: Int { given ?? Self.defaultLimit }

    package init() {}

    package func validate() throws {
        if maxDiagnostics < 0 { throw ValidationError("--max-diagnostics cannot be negative.") }
    }
}
