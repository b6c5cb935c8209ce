import ArgumentParser
import GranaryBase
import GranaryInspection
import GranaryPages
import GranaryPostgreSQL

/// `granary store check`: checks a store against its model.
struct StoreCheckCommand: InterruptibleCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks a store: SQLite's integrity, the tables, and every object.",
        discussion: HelpText.paragraphs(
            """
            Checks tables, keys, references, inverses, orders, values, relationship counts, uniqueness, external data,
            history and indexes, without changing the store. Without --model, the check uses the model in the store, or
            one that is inferred from its tables; values, counts, inverses and uniqueness are not checked with an
            inferred model. Each finding names the table and the key, and gives advice. Findings go to standard error,
            with --format json to standard output. The exit code is 1 if a finding is an error; warnings and notes alone
            leave it 0.

            Example:
              granary store check Seed.sqlite --model Triage.xcdatamodeld
            """))

    @OptionGroup var input: StoreInput
    private var store: String { input.path }

    @Option(help: "The format of the findings.")
    var format = ReportFormat.text

    @Option(
        help: ArgumentHelp(
            "The model of the store; repeatable to merge several (default: the model in the store).",
            valueName: "model"),
        completion: .file())
    var model: [String] = []

    @OptionGroup var page: PageOptions

    @Flag(help: "Replace a page that exists.")
    var force = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    /// The command that compares the store's model with the given one.
    private var comparison: String {
        let names = ([ConnectionText.displayName(of: store)] + model).map { OptionHelp.quoted($0) ?? $0 }
        return model.count == 1 ? "granary model diff \(names.joined(separator: " "))" : "granary model diff"
    }

    func validate() throws {
        var protected = ProtectedFiles()
        protected.add(StoreArgument.files(store), as: "the store's")
        protected.add(model, as: "the model")
        try OutputArgument.check([("--html", page.html)], against: protected)
        if page.html == "-", format == .json {
            throw ValidationError("--html - and --format json both go to standard output; name a file.")
        }
    }

    func run() throws {
        let output = try page.output(replacing: force, store: store)
        let given = try ModelArgument.readIfGiven(model)
        let found = try StoreArgument.check(store, given: given, storeOptions)
        let name = ConnectionText.displayName(of: store)
        try output?.write(CheckPage.html(found, store: name))
        switch format {
        case .json:
            let listing: JSONObject = [
                "store": name, "model": found.model, "errors": found.errorCount, "warnings": found.warningCount,
                "findingCount": found.count, "findings": found.findings,
            ]
            try CommandOutput.write(CommandJSON.text(listing))
        case .text:
            let advice = found.findings.first(where: \.isOfOtherModel)?.advice
            let lines = found.findings.map { finding in
                var finding = finding
                if finding.isOfOtherModel { finding.advice = nil }
                return finding.described
            }
            CommandOutput.log(lines, count: found.count, limit: diagnosticOptions.maxDiagnostics)
            if let advice { CommandOutput.log("  advice: \(advice); \(comparison) lists what differs") }
        }
        CommandOutput.logChecked(name, errors: found.errorCount, warnings: found.warningCount)
        if found.errorCount > 0 { throw ExitCode(ExitCodes.found) }
    }
}
