import ArgumentParser
import GranaryBase
import GranaryPersistence

/// `granary store check`: everything that a store holds against its model.
struct StoreCheckCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks a store: SQLite's integrity, its layout against the model, every object.",
        discussion: """
            Every value, relationship count, reference and uniqueness constraint is checked; the store is not changed.
            What is found goes to standard error, and the exit code is then 1.

            Example:
              granary store check Seed.sqlite --model Triage.xcdatamodeld
            """)

    @Argument(help: "The store.")
    var store: String

    @Option(help: ArgumentHelp("The store's model; repeat it to merge several.", valueName: "model"))
    var model: [String] = []

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func run() throws {
        guard !model.isEmpty else { throw StoreArgument.missingModel(store) }
        let schema = try ModelArgument.load(model)
        var found = DiagnosticCollector()
        let inspector = try StoreInspector(path: store, busyTimeout: storeOptions.timeout)
        for problem in try inspector.integrityProblems() {
            found.add(Diagnostic(.storeCorrupt, "SQLite: \(problem)"))
        }
        // What SQLite cannot read reliably is not worth looking into further.
        if found.count == 0 {
            let summary = try inspector.summary()
            for problem in summary.problems { found.add(Diagnostic(.storeLayout, problem)) }
            for remark in summary.remarks { found.add(Diagnostic(.storeLayout, remark, severity: .warning)) }
            do {
                let store = try StoreArgument.openForReading(store, schema: schema, storeOptions)
                try StoreCheck(store).run(&found)
            } catch let error as GranaryError where error.code == .refused {
                // The layout differs from the model: that is what was asked, not a failure.
                found.add(contentsOf: error.diagnostics)
                if error.diagnostics.isEmpty { found.add(Diagnostic(.storeCorrupt, error.message)) }
            }
        }
        CommandOutput.log(found.diagnostics, count: found.count, limit: diagnosticOptions.maxDiagnostics)
        CommandOutput.log("checked \(store): \(found.errorCount) errors, \(found.count - found.errorCount) warnings")
        if found.errorCount > 0 { throw ExitCode(ExitCodes.found) }
    }
}
