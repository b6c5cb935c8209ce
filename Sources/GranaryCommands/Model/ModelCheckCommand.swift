import ArgumentParser
import GranaryBase
import GranaryCoreDataStore
import GranaryModel

/// `granary model check`: reports all problems of a model.
struct ModelCheckCommand: ParsableCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reports every problem of a model, with its place.",
        discussion: HelpText.paragraphs(
            """
            Problems go to standard error. The exit code is 1 if there is an error; warnings and notes alone leave it 0.

            Example:
              granary model check Triage.xcdatamodeld
            """))

    @Argument(
        help: ArgumentHelp("The model; several are merged and checked as one.", valueName: "model"),
        completion: .file())
    var models: [String]

    @OptionGroup(title: SwiftDataArguments.title) var swiftData: SwiftDataArguments
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
        CommandOutput.logChecked(entities, errors: found.errorCount, warnings: found.warningCount)
        if found.errorCount > 0 { throw ExitCode(ExitCodes.found) }
    }
}
