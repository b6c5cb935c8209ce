import ArgumentParser
import GranaryBase
import GranaryCoreDataStore
import GranaryModel
import GranaryModelFiles
import GranarySwiftData

/// `granary model diff`: compares two models.
struct ModelDiffCommand: ParsableCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares two models, and says whether a lightweight migration is possible.",
        discussion: HelpText.paragraphs(
            """
            Each change is listed with its consequence for existing stores. The exit code is 1 if anything differs. If
            one of the two is a compiled model or a store, the other is compared in its compiled form.

            Example:
              granary model diff Shipped.sqlite Triage.xcdatamodeld
            """))

    @Argument(help: "The older model.", completion: .file())
    var old: String

    @Argument(help: "The newer model.", completion: .file())
    var new: String

    @Option(help: "The format of the result.")
    var format = ReportFormat.text

    @OptionGroup(title: SwiftDataArguments.title) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func run() throws {
        var warnings = DiagnosticCollector()
        let older = try ManagedObjectModel.read(path: old, diagnostics: &warnings)
        var options = SwiftDataOptions.current
        options.schema = swiftData.schema.count > 1 ? swiftData.schema.last : nil
        let newer = try SwiftDataOptions.$current.withValue(options) {
            try ManagedObjectModel.read(path: new, diagnostics: &warnings)
        }
        CommandOutput.log(
            warnings.diagnostics, count: warnings.count, limit: diagnosticOptions.maxDiagnostics)
        let differences = Self.differences(older, newer)
        switch format {
        case .json: try CommandOutput.write(CommandJSON.text(ModelDiffReport.json(of: differences)))
        case .text: try CommandOutput.writeText(ModelDiffText.text(of: differences))
        }
        if !differences.isEqual { throw ExitCode(ExitCodes.found) }
    }

    /// Compares two models. If only one is compiled, the other is compared in its compiled form: otherwise every
    /// property would differ in the information that compiled models lack, and every predicate in its spelling.
    private static func differences(
        _ older: (model: ManagedObjectModel, isCompiled: Bool), _ newer: (model: ManagedObjectModel, isCompiled: Bool)
    ) -> ModelDifferences {
        guard older.isCompiled != newer.isCompiled else { return older.model.differences(to: newer.model) }
        // A model that cannot be compiled is compared as it is.
        let old = older.isCompiled ? older.model : (try? older.model.asCompiled()) ?? older.model
        let new = newer.isCompiled ? newer.model : (try? newer.model.asCompiled()) ?? newer.model
        return old.differences(to: new)
    }
}
