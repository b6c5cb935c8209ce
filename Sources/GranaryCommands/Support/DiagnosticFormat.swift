import ArgumentParser

/// How diagnostics are printed.
enum DiagnosticFormat: String, ExpressibleByArgument, CaseIterable {
    /// Compiler-style lines on standard error.
    case text
    /// JSON Lines on standard error.
    case json
    /// One document on standard output: on standard error the ledger, the last line, would make it unreadable.
    case sarif
}
