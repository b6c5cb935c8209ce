import ArgumentParser
import Foundation
import GranaryBase
import GranaryCoreDataStore
import GranaryImport
import GranaryPages
import GranaryPostgreSQL
import GranaryProfile
import GranaryRecords

/// `granary profile`: what the values of a store or a data file are.
struct ProfileCommand: InterruptibleCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Says what the values of a store or a file are: NULLs, different values, ranges, lengths.",
        discussion: HelpText.paragraphs(
            """
            For each entity and property: the number of NULLs and of different values, the smallest and the largest value,
            the lengths, the most frequent values, and notes about rules of the model that are broken or nearly broken. All
            objects are read. Up to 100,000 different values of a property are counted exactly (fewer if an entity has more
            than ten properties); above, the number is an estimate, which is said. Smallest and largest texts are those in
            the order of their bytes.

            Of a data file, the records that are valid for the model are profiled, without their relationships; granary
            import --dry-run names the others. --html writes the same with histograms, as a page.

            Examples:
              granary profile Seed.sqlite
              granary profile Seed.sqlite --entity Patient --html profile.html
              granary profile patients.csv --model Triage.xcdatamodeld --entity Patient
            """))

    @Argument(help: "The store or the data file.", completion: .file())
    var input: String

    @Option(
        help: ArgumentHelp(
            "The model; repeatable to merge several (default: the model in the store).", valueName: "model"),
        completion: .file())
    var model: [String] = []

    @Option(help: ArgumentHelp("An entity to profile; repeatable (default: all).", valueName: "entity"))
    var entity: [String] = []

    @Option(help: ArgumentHelp("The number of frequent values of each property.", valueName: "n"))
    var top = 5

    @Option(help: "The format of the profile.")
    var format = ReportFormat.text

    @OptionGroup var page: PageOptions

    @Flag(help: "Replace a page that exists.")
    var force = false

    @OptionGroup(title: "Files", visibility: HelpText.detail) var source: ProfileFileOptions
    @OptionGroup(title: "Columns of files", visibility: HelpText.detail) var columns: ImportColumnOptions
    @OptionGroup(title: "Values of files", visibility: HelpText.detail) var values: ImportValueOptions
    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if !(0...1000).contains(top) { throw ValidationError("--top must be between 0 and 1000.") }
        var protected = ProtectedFiles()
        protected.add(StoreArgument.files(input), as: "the store's")
        protected.add(model, as: "the model")
        try OutputArgument.check([("--html", page.html)], against: protected)
        if page.html == "-", format == .json {
            throw ValidationError("--html - and --format json both go to standard output; name a file.")
        }
    }

    func run() throws {
        // An unusable path is found before the store is read.
        let output = try page.output(replacing: force, store: input)
        let profile = try readProfile()
        if let output {
            try output.write(ProfilePage.html(profile, title: ConnectionText.displayName(of: input)))
            guard page.html != "-" else { return }
        }
        switch format {
        case .json: try CommandOutput.write(CommandJSON.text(profile))
        case .text: try CommandOutput.writeText(ProfileText.text(profile))
        }
    }

    private func readProfile() throws -> StoreProfile {
        var profiler = StoreProfiler()
        profiler.entities = entity
        profiler.frequent = top
        profiler.cancellation = Cancellation.current
        var options = ImportOptions()
        try columns.apply(to: &options)
        try values.apply(to: &options)
        var sources = try source.options()
        sources.skipsSpaces = values.trim || !values.trimColumns.isEmpty
        let file = ProfileInput(
            path: input, models: model, entities: entity, options: options, source: sources, storeOptions: storeOptions)
        return try file.withStore { store, report in
            if let report, report.rejected > 0 {
                CommandOutput.log(
                    "granary: warning: \(CountText.count(report.rejected, "record")) of \(input) "
                        + "\(report.rejected == 1 ? "is" : "are") not valid and not counted, such as:")
                CommandOutput.log(Array(report.diagnostics.prefix(3)), limit: diagnosticOptions.maxDiagnostics)
            }
            var profile = try profiler.profile(store)
            // Of a file, entities without records are not its own.
            if !file.isStore { profile.entities.removeAll { $0.count == 0 } }
            return profile
        }
    }
}
