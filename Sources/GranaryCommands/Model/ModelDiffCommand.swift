import ArgumentParser
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryModelFiles

/// `granary model diff`: what changed between two versions, and whether a lightweight migration can follow it.
struct ModelDiffCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Tells what changed between two models, and whether a lightweight migration can follow it.",
        discussion: HelpText.paragraphs(
            """
            Each change says what it asks of existing stores. The exit code is 1 when anything differs. A model that is
            compared with a compiled one, or with the one in a store, is compared as it would be compiled.

            Example:
              granary model diff Shipped.sqlite Triage.xcdatamodeld
            """))

    @Argument(help: "The older model.", completion: .file())
    var old: String

    @Argument(help: "The newer model.", completion: .file())
    var new: String

    @Option(help: "text or json.")
    var format = ReportFormat.text

    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func run() throws {
        var warnings = DiagnosticCollector()
        let older = try ManagedObjectModel.read(path: old, diagnostics: &warnings)
        let newer = try ManagedObjectModel.read(path: new, diagnostics: &warnings)
        CommandOutput.log(
            warnings.diagnostics, count: warnings.count, limit: diagnosticOptions.maxDiagnostics)
        let differences = Self.differences(older, newer)
        switch format {
        case .json: try CommandOutput.write(CommandJSON.text(ModelDiffReport(differences)))
        case .text: try CommandOutput.writeText(ModelDiffText.text(of: differences))
        }
        if !differences.isEqual { throw ExitCode(ExitCodes.found) }
    }

    /// A model that is compared with a compiled one is compared as it would be compiled. Otherwise every property would
    /// differ in what compiled models do not have, and every predicate in its spelling.
    private static func differences(
        _ older: (model: ManagedObjectModel, isCompiled: Bool), _ newer: (model: ManagedObjectModel, isCompiled: Bool)
    ) -> ModelDifferences {
        guard older.isCompiled != newer.isCompiled else { return older.model.differences(to: newer.model) }
        // One that cannot be compiled stays as it is.
        let old = older.isCompiled ? older.model : (try? older.model.asCompiled()) ?? older.model
        let new = newer.isCompiled ? newer.model : (try? newer.model.asCompiled()) ?? newer.model
        return old.differences(to: new)
    }
}
