import ArgumentParser
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryModelFiles
import GranaryPostgreSQL

/// `granary store info`: describes a store.
struct StoreInfoCommand: InterruptibleCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Describes a store: entities, counts, relationships, hashes, history, external data.",
        discussion: HelpText.paragraphs(
            """
            The store is not changed. Without --model, the description uses the model in the store, or one that is
            inferred from its tables. With --model, it also says whether that model fits and what differs; the exit code
            is 0 in both cases. Of Swift sources with several schemas, it names the one that wrote the store, or the
            nearest. An entity's count does not include the objects of its subentities.

            Example:
              granary store info Seed.sqlite --format json
            """))

    @OptionGroup var input: StoreInput
    private var store: String { input.path }

    @Option(help: "The format of the description.")
    var format = ReportFormat.text

    @Option(
        help: ArgumentHelp("A model to compare with the store; repeatable to merge several.", valueName: "model"),
        completion: .file())
    var model: [String] = []

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func run() throws {
        let version = try version()
        let given = try version?.model ?? ModelArgument.readIfGiven(model)
        let summary = try summary(given)
        switch format {
        case .json:
            var result = StoreListing.json(of: summary)
            if let version {
                result.members["version"] = ["name": version.name, "exact": version.isExact] as JSONObject
            }
            try CommandOutput.write(CommandJSON.text(result))
        case .text:
            let line = version.map { version in
                version.isExact
                    ? "written by \(version.name)\n\n"
                    : "written by none of the schemas; the nearest is \(version.name)\n\n"
            }
            try CommandOutput.writeText((line ?? "") + StoreText.text(of: summary))
        }
    }

    private func summary(_ given: ManagedObjectModel?) throws -> StoreSummary {
        guard ConnectionText.isConnection(store) else {
            return try StoreInspector(path: store, busyTimeout: storeOptions.timeout).summary(given: given)
        }
        let opened = try PostgreSQLStores.openForReading(store, model: nil, timeout: storeOptions.timeout)
        return try StoreSummary(opened, given: given)
    }

    /// Of Swift sources with several schemas, the one that wrote the store, or the nearest; nil for any other model.
    private func version() throws(GranaryError) -> (name: String, model: ManagedObjectModel, isExact: Bool)? {
        guard let path = model.first, model.count == 1, swiftData.schema.isEmpty, swiftData.modelClass.isEmpty,
            SwiftSourcePath.isSwift(path), SwiftSourcePath(path).schema == nil
        else { return nil }
        var warnings = DiagnosticCollector()
        let chain = try ModelVersionChain(path: path, diagnostics: &warnings)
        ModelArgument.log(warnings)
        let metadata =
            ConnectionText.isConnection(store)
            ? try PostgreSQLStores.metadata(store, timeout: storeOptions.timeout)
            : try StoreGlance(path: store, busyTimeout: storeOptions.timeout).metadata
        let hashes = metadata.versionHashes
        guard let nearest = chain.nearest(to: hashes) else { return nil }
        let version = chain.versions[nearest.index]
        return (version.name, version.model, nearest.isExact)
    }
}
