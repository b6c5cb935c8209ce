import ArgumentParser
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel

/// `granary store create`: an empty store for a model.
struct StoreCreateCommand: ParsableCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Creates an empty store, laid out as Core Data lays out its own.",
        discussion: HelpText.paragraphs(
            """
            A store that exists is left alone: the exit code is then 73.

            Where the rule for the name of a join table is not known, a warning says so. --like takes the names, and the
            numbers of the entities, from a store that Core Data made for the model; an empty one will do.
            A store that Granary made holds the names that Granary chose, so --like cannot correct them with it.

            Examples:
              granary store create --model Triage.xcdatamodeld --store Seed.sqlite
              granary store create --model Triage.xcdatamodeld --store Seed.sqlite \\
                --like FromTheMac.sqlite
            """))

    @Option(help: ArgumentHelp("The model; repeat it to merge several.", valueName: "model"), completion: .file())
    var model: [String] = []

    @Option(help: ArgumentHelp("Where the store is made.", valueName: "store"), completion: .file())
    var store: String

    @Option(
        help: ArgumentHelp(
            "Name join tables and their columns as in this store, which Core Data made for the model.",
            valueName: "store"), completion: .file())
    var like: String?

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if model.isEmpty { throw ValidationError("name the model with --model.") }
    }

    func run() throws {
        let given = try ModelArgument.load(model)
        let template = try like.map { path throws(GranaryError) in
            try StoreTemplate(path: path, model: given.model, busyTimeout: storeOptions.timeout)
        }
        let schema = template?.schema ?? given
        try SQLiteStore.create(path: store, schema: schema, like: template).publish()
        CommandOutput.log(
            SQLiteStore.creationWarnings(for: schema, isLikeAnother: template != nil),
            limit: diagnosticOptions.maxDiagnostics)
    }
}
