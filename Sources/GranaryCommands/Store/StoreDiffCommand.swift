import ArgumentParser
import GranaryBase
import GranaryComparison
import GranaryModel
import GranaryPages
import GranaryPostgreSQL

/// `granary store diff`: compares two stores, or a store and an export.
struct StoreDiffCommand: InterruptibleCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares two stores, or a store and an export, object by object.",
        discussion: HelpText.paragraphs(
            """
            Objects are paired by the uniqueness constraint of their entity or by --key, otherwise by $id. Each object
            that differs is listed with the properties that changed, followed by the numbers of equal and different
            objects of each entity. A and B are SQLite stores or exports: a property list, a JSON document, a CSV, TSV
            or JSON Lines file, or a folder of such files. An export is restored as a temporary store first, with its
            own model or that of the other side. Only the entities that an export contains are compared, and only
            the properties for which its tables have columns. If the two models differ, the properties
            that both have are compared, and the others are listed. The exit code is 1 if anything differs.

            Examples:
              granary store diff Shipped.sqlite Seed.sqlite
              granary store diff Seed.sqlite seed.json --key Patient=name,birthday
              granary store diff Seed.sqlite exported/ --format json
              granary store diff Seed.sqlite patients.csv --entity Patient
              granary store diff Shipped.sqlite Seed.sqlite --key name --ignore Patient.notes
            """))

    @Argument(
        help: ArgumentHelp("The first store or export; not with --store.", valueName: "a"), completion: .file())
    var first: String

    @Argument(help: ArgumentHelp("The second store or export.", valueName: "b"), completion: .file())
    var second: String?

    @Option(
        name: .customLong("store"),
        help: ArgumentHelp("The first store, in place of the first argument.", valueName: "a"), completion: .file())
    var store: String?

    private var a: String { store ?? first }
    private var b: String { (store == nil ? second : first) ?? "" }

    @Option(
        help: ArgumentHelp(
            "The attributes and to-one relationships that pair the objects of an entity and its subentities (default: its uniqueness "
                + "constraint), or of all entities that have them; entity=$id pairs by $id; repeatable.",
            valueName: "[entity=]a,b"))
    var key: [String] = []

    @Option(
        help: ArgumentHelp(
            "A property that is not compared, of all entities or of one and its subentities; repeatable.",
            valueName: "[entity.]property"))
    var ignore: [String] = []

    @Option(
        help: ArgumentHelp(
            "Compare only the objects of this entity and its subentities; repeatable (default: all entities, or those of "
                + "the files of an export).",
            valueName: "entity"))
    var entity: [String] = []

    @Option(help: "The format of the result.")
    var format = ReportFormat.text

    @Option(
        help: ArgumentHelp(
            "List at most this many differing objects; totals always count all (default: 50 as text, all as json).",
            valueName: "n"))
    var maxDifferences: Int?

    @Option(
        help: ArgumentHelp(
            "The model of both; repeatable to merge several (default: the model in each store or export).",
            valueName: "model"),
        completion: .file())
    var model: [String] = []

    @OptionGroup var page: PageOptions

    @Flag(help: "Replace a page that exists.")
    var force = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    private static let textLimit = 50

    func validate() throws {
        if (store == nil) == (second == nil) {
            throw ValidationError("two stores or exports are compared: granary store diff A.sqlite B.sqlite.")
        }
        if let maxDifferences, maxDifferences < 0 { throw ValidationError("--max-differences cannot be negative.") }
        _ = try keys()
        var protected = ProtectedFiles()
        for path in [a, b] { protected.add(StoreArgument.files(path), as: "the store's") }
        protected.add(model, as: "the model")
        try OutputArgument.check([("--html", page.html)], against: protected)
        if page.html == "-" { throw ValidationError("--html needs the name of a file: the result is printed, too.") }
    }

    func run() throws {
        let output = try page.output(replacing: force, store: a)
        var html = output.map { _ in
            DiffPage(a: ConnectionText.displayName(of: a), b: ConnectionText.displayName(of: b))
        }
        var options = StoreDiffOptions()
        (options.keys, options.sharedKeys) = try keys()
        options.ignored = ignore
        options.entities = entity
        options.model = try ModelArgument.readIfGiven(model)
        options.busyTimeout = storeOptions.busyTimeout
        options.cancellation = Cancellation.current
        let diff = StoreDiff(options: options)
        let summary: StoreDiffSummary
        switch format {
        case .json:
            let report = StoreDiffJSON(a: a, b: b, limit: maxDifferences ?? .max)
            summary = try diff.run(paths: a, b) {
                html?.add($0)
                try report.add($0)
            }
            try report.finish(summary)
        case .text:
            let report = StoreDiffText(limit: maxDifferences ?? Self.textLimit)
            summary = try diff.run(paths: a, b) {
                html?.add($0)
                try report.add($0)
            }
            try report.finish(summary)
        }
        if let html { try output?.write(html.html(summary)) }
        CommandOutput.log(summary.warnings, limit: diagnosticOptions.maxDiagnostics)
        if !summary.isEqual { throw ExitCode(ExitCodes.found) }
    }

    /// The attributes by entity, and those of all entities.
    private func keys() throws -> (named: [String: [String]], shared: [[String]]) {
        // If one entity is compared, a key without an entity is its key.
        let texts = key.map { text in entity.count == 1 && !text.contains("=") ? "\(entity[0])=\(text)" : text }
        var named: [String: [String]] = [:]
        for (entity, list) in try ImportColumnOptions.pairs(texts.filter { $0.contains("=") }, "--key") {
            named[entity] = try Self.names(list, of: "\(entity)=\(list)")
        }
        return (named, try texts.filter { !$0.contains("=") }.map { try Self.names($0, of: $0) })
    }

    private static func names(_ list: String, of text: String) throws -> [String] {
        let names = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains("") else { throw ValidationError("--key \(text): contains an empty name.") }
        return names
    }
}
