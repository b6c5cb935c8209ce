import ArgumentParser
import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPostgreSQL

/// `granary model versions`: lists the versions of a model and the migrations between them.
struct ModelVersionsCommand: ParsableCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "Lists the versions of a model and the migrations between them.",
        discussion: HelpText.paragraphs(
            """
            The command lists the versions: the checksum, the migration from the version before, and the entities whose
            version hash no other version has. An asterisk marks the current version. A matrix shows for each pair of
            versions whether Core Data infers the migration from the older to the newer one.

            With --store, the command names the version that the store was written for. If there is none, it names the
            nearest version and lists the entities that differ. With --from and --to, it prints the path with the fewest
            steps that need no mapping model. The exit code is 1 if no version fits the store, or if there is no path.

            With --mapping, the command names the versions that a compiled mapping model of Core Data (.cdm) maps, and
            its policy classes. The exit code is 65 if the mapping model fits no pair of versions. Granary does not run
            mapping models.

            Examples:
              granary model versions Shop.xcdatamodeld
              granary model versions Shop.momd --store Customer.sqlite
              granary model versions Shop.xcdatamodeld --from Shop --to 'Shop 9'
              granary model versions Shop.momd --mapping ShopToShop2.cdm
            """))

    @Argument(help: "The model.", completion: .file())
    var model: String

    @Option(
        help: ArgumentHelp("Find the version that this store was written for.", valueName: "store"), completion: .file()
    )
    var store: String?

    @Option(help: ArgumentHelp("Find the shortest path from this version; needs --to.", valueName: "name"))
    var from: String?

    @Option(help: ArgumentHelp("Find the shortest path to this version; needs --from.", valueName: "name"))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "Name the versions that this compiled mapping model (.cdm) maps; repeatable.", valueName: "file"),
        completion: .file())
    var mapping: [String] = []

    @Option(help: "The format of the result.")
    var format = ReportFormat.text

    @OptionGroup(title: SwiftDataArguments.title) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if (from == nil) != (to == nil) { throw ValidationError("--from and --to need each other.") }
    }

    func run() throws {
        var warnings = DiagnosticCollector()
        let chain = try ModelVersionChain(path: model, diagnostics: &warnings)
        CommandOutput.log(
            warnings.diagnostics, count: warnings.count, limit: diagnosticOptions.maxDiagnostics)
        let answer = ModelVersionsAnswer(
            chain: chain, route: try route(in: chain), store: try nearest(in: chain), mappings: try mappings(in: chain))
        switch format {
        case .json: try CommandOutput.write(CommandJSON.text(ModelVersionsReport.json(of: answer)))
        case .text: try CommandOutput.writeText(ModelVersionsText.text(of: answer))
        }
        if !answer.isPositive { throw ExitCode(ExitCodes.found) }
    }

    private func route(in chain: ModelVersionChain) throws(GranaryError) -> ModelVersionsAnswer.Route? {
        guard let from, let to else { return nil }
        let ends = (try index(of: from, "--from", in: chain), try index(of: to, "--to", in: chain))
        return .init(from: ends.0, to: ends.1, path: chain.shortestPath(from: ends.0, to: ends.1))
    }

    private func index(
        of name: String, _ option: String, in chain: ModelVersionChain
    ) throws(GranaryError) -> Int {
        let names = chain.versions.map(\.name)
        let isName = { (known: String) in [known, known + ".xcdatamodel", known + ".mom"].contains(name) }
        if let index = names.firstIndex(where: isName) { return index }
        let hint = NearestText.hint(for: name, in: names)
        throw GranaryError(
            .usage,
            "\(option): there is no version \"\(Diagnostic.shortened(name))\"\(hint); the versions are "
                + names.joined(separator: ", "))
    }

    private func nearest(in chain: ModelVersionChain) throws(GranaryError) -> ModelVersionsAnswer.Store? {
        guard let store else { return nil }
        let name = ConnectionText.displayName(of: store)
        let location: StoreLocation =
            ConnectionText.isConnection(store) ? .postgresql(store) : .sqlite(URL(filePath: store))
        let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: location)
        guard !metadata.modelVersionHashes.isEmpty else {
            throw GranaryError(.refused, "\(name): its metadata has no version hashes, so that its version is unknown")
        }
        guard let nearest = chain.nearest(to: metadata.modelVersionHashes) else {
            throw GranaryError(.refused, "\(model): every version has problems (model check), so that none has hashes")
        }
        return .init(path: name, nearest: nearest)
    }

    private func mappings(in chain: ModelVersionChain) throws(GranaryError) -> [ModelVersionsAnswer.Mapping] {
        var mappings: [ModelVersionsAnswer.Mapping] = []
        for file in mapping { mappings.append(try .init(file: file, in: chain, of: model)) }
        return mappings
    }
}
