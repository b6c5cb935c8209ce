import ArgumentParser
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel

/// `granary model check`: all problems of a model at once.
struct ModelCheckCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Finds every problem of a model, with its place.",
        discussion: HelpText.paragraphs(
            """
            Problems go to standard error. The exit code is 1 when there is an error; warnings and notes alone
            leave it 0.

            Example:
              granary model check Triage.xcdatamodeld
            """))

    @Argument(
        help: ArgumentHelp("The model; several are merged and checked as one.", valueName: "model"), completion: .file()
    )
    var models: [String]

    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func run() throws {
        var found = DiagnosticCollector()
        let model = try ManagedObjectModel(paths: models, diagnostics: &found)
        found.add(contentsOf: model.problems())
        if found.errorCount == 0, let warning = SQLiteStore.joinTableWarning(for: try model.resolved()) {
            found.add(warning)
        }
        CommandOutput.log(found.diagnostics, count: found.count, limit: diagnosticOptions.maxDiagnostics)
        let entities = "\(model.entities.count) \(model.entities.count == 1 ? "entity" : "entities")"
        CommandOutput.log("checked \(entities): \(found.errorCount) errors, \(found.warningCount) warnings")
        if found.errorCount > 0 { throw ExitCode(ExitCodes.found) }
    }
}
