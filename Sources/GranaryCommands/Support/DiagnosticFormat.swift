import ArgumentParser

/// The format of diagnostics.
enum DiagnosticFormat: String, ExpressibleByArgument, CaseIterable {
    /// Lines in the format of compilers on standard error.
    case text
    /// JSON Lines on standard error.
    case json
    /// One document on standard output, because the last line of standard error is the ledger.
    case sarif
    /// One CSV table on standard output, for a spreadsheet.
    case csv

    /// Whether the diagnostics are a document on standard output.
    var isDocument: Bool { self == .sarif || self == .csv }
}
