import ArgumentParser
import GranaryBase
import GranaryModel

/// `granary model diff`: what changed between two versions, and whether a lightweight migration can follow it.
struct ModelDiffCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Tells what changed between two models, and whether a lightweight migration can follow it.",
        discussion: """
            Each change says what it asks of existing stores. The exit code is 1 when anything differs.

            Example:
              granary model diff Shipped.sqlite Triage.xcdatamodeld
            """)

    @Argument(help: "The older model.")
    var old: String

    @Argument(help: "The newer model.")
    var new: String

    @Option(help: "text or json.")
    var format = ReportFormat.text

    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func run() throws {
        var warnings = DiagnosticCollector()
        let older = try ModelArgument.read([old], warnings: &warnings)
        let newer = try ModelArgument.read([new], warnings: &warnings)
        CommandOutput.log(
            warnings.diagnostics, count: warnings.count, limit: diagnosticOptions.maxDiagnostics)
        let differences = older.differences(to: newer)
        switch format {
        case .json: try CommandOutput.write(CommandJSON.text(ModelDiffReport(differences)))
        case .text: try CommandOutput.write(ModelDiffText.text(of: differences))
        }
        if !differences.isEqual { throw ExitCode(ExitCodes.found) }
    }
}
