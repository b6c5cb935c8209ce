import ArgumentParser
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel

/// `granary store check`: everything that a store holds against its model.
struct StoreCheckCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks a store: SQLite's integrity, its layout against the model, every object.",
        discussion: HelpText.paragraphs(
            """
            Tables, keys, references, inverses, orders, values, relationship counts, uniqueness, external data, history
            and indexes are checked; the store is not changed. Without --model it is checked with the model that it
            carries, or with one read off its tables, whose rules are not known. Each finding names the table and the key,
            and gives advice. Findings go to standard error, with --format json to standard output. The exit
            code is 1 when one of them is an error; warnings and notes alone leave it 0.

            Example:
              granary store check Seed.sqlite --model Triage.xcdatamodeld
            """))

    @Argument(help: "The store.", completion: .file())
    var store: String

    @Option(help: "text or json.")
    var format = ReportFormat.text

    @Option(
        help: ArgumentHelp(
            "The store's model; repeat it to merge several. Without it, the one in the store.", valueName: "model"),
        completion: .file())
    var model: [String] = []

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func run() throws {
        let given = try ModelArgument.readIfGiven(model)
        let report = try StoreChecker.check(path: store, given: given, busyTimeout: storeOptions.timeout)
        let found = report.findings
        switch format {
        case .json: try CommandOutput.write(CommandJSON.text(StoreCheckListing(store: store, report: report)))
        case .text:
            CommandOutput.log(
                found.findings.map(\.described), count: found.count, limit: diagnosticOptions.maxDiagnostics)
        }
        CommandOutput.log("checked \(store): \(found.errorCount) errors, \(found.warningCount) warnings")
        if found.errorCount > 0 { throw ExitCode(ExitCodes.found) }
    }
}

/// What `store check --format json` prints.
struct StoreCheckListing: Encodable {
    let store: String
    let report: StoreCheckReport

    private enum CodingKeys: String, CodingKey {
        case store, model, errors, warnings, findingCount, findings
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(store, forKey: .store)
        try container.encode(report.model, forKey: .model)
        try container.encode(report.findings.errorCount, forKey: .errors)
        try container.encode(report.findings.warningCount, forKey: .warnings)
        try container.encode(report.findings.count, forKey: .findingCount)
        try container.encode(report.findings.findings, forKey: .findings)
    }
}
