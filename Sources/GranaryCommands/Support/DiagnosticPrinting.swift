package import ArgumentParser

/// A command with ``DiagnosticOptions``.
package protocol DiagnosticPrinting: ParsableCommand {
    var diagnosticOptions: DiagnosticOptions { get }
}
