import ArgumentParser
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPostgreSQL

/// `granary store create`: creates an empty store for a model.
struct StoreCreateCommand: InterruptibleCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Creates an empty store with Core Data's layout.",
        discussion: HelpText.paragraphs(
            """
            An existing store is left unchanged; the exit code is then 73.

            A warning lists the join tables for which Core Data's naming rule is not known. --like takes their names,
            and the numbers of the entities, from a store that Core Data created for the model; it may be empty. A store
            that Granary created does not help, because Granary chose its names.

            Examples:
              granary store create --model Triage.xcdatamodeld --store Seed.sqlite
              granary store create --model Triage.xcdatamodeld --store Seed.sqlite \\
                --like FromTheMac.sqlite
            """))

    @Option(
        help: ArgumentHelp("The model; repeatable to merge several.", valueName: "model"), completion: .file())
    var model: [String] = []

    @OptionGroup var target: StoreInput
    private var store: String { target.path }

    @Option(
        help: ArgumentHelp(
            "Take the names of join tables and their columns from this store, which Core Data created for the model.",
            valueName: "store"), completion: .file())
    var like: String?

    @Option(
        help: ArgumentHelp(
            "The engine of a PostgreSQL store; with citus, a plan for its distribution is printed. Without it, the server is "
                + "asked.", valueName: ServerEngine.allCases.map(\.rawValue).joined(separator: "|")))
    var engine: ServerEngine?

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if engine != nil, !ConnectionText.isConnection(store) {
            throw ValidationError("--engine is for PostgreSQL stores (postgresql://…).")
        }
        if model.isEmpty { throw ValidationError("a model is needed; pass --model.") }
    }

    func run() throws {
        let given = try ModelArgument.load(model)
        if ConnectionText.isConnection(store) {
            guard like == nil else {
                throw GranaryError(.usage, "--like is for SQLite stores; a PostgreSQL store has Granary's own layout")
            }
            try engine?.check(ConnectionText.displayName(of: store))
            try PostgreSQLStores.create(store, schema: given, timeout: storeOptions.timeout).publish()
            let plan = try PostgreSQLStores.distributionPlan(
                store, schema: given, engine: engine, timeout: storeOptions.timeout)
            if let plan { try CommandOutput.write(plan) }
            CommandOutput.log(
                PostgreSQLStores.creationWarnings(for: given), limit: diagnosticOptions.maxDiagnostics)
            return
        }
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

extension ServerEngine: ExpressibleByArgument {}
