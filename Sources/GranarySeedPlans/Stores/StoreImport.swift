public import Foundation
package import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
public import GranaryImport
public import GranaryModel
package import GranaryRecords

/// An import into one store file, in one transaction.
public struct StoreImport: Sendable {
    /// The store's path. If there is no such file, a new store gets this name when everything is in it. Or a connection
    /// string of PostgreSQL (`postgresql://…`), for a store in a database.
    public var store: String
    /// The model; nil for the merged models of ``models``.
    public var model: ManagedObjectModel?
    /// The paths of model files, of model folders, and of stores that contain their model. If empty and ``model`` is
    /// nil, an existing store must contain its model. A new store gets the model in the imported documents: JSON
    /// documents and property lists of several entities. The model in a document is ignored otherwise.
    public var models: [String] = []
    /// The jobs. References can point from one job to another.
    public var jobs: [ImportJob]
    /// The objects of other stores that are added, after the jobs and in the same transaction. References by key can point
    /// from jobs to them. With ``SubsetOptions/ConflictPolicy/skip`` they refer to objects of the jobs that have their
    /// unique values. A new store gets the model of the first one's store, if nothing else has a model.
    public var subsets: [StoreSubset] = []
    /// The options of the run.
    public var run: ImportRunOptions
    /// Whether to prepare the store for shipping: one vacuumed file, with the same bytes for the same input.
    public var ships = false
    /// With ``ships``: whether the values of external files are moved into the store, so that it is one file.
    public var inlinesExternalData = false
    /// The store's UUID; nil for a random one, or with ``ships`` one that is computed from the content.
    public var identifier: UUID?
    /// The path of a store that Core Data created for the model. A new store takes the names of its join tables; nil to
    /// use Granary's rule.
    public var like: String?
    /// The number of seconds to wait for a store that is in use; nil for 5.
    public var busyTimeout: Double?
    /// The position in a plan.
    package var position: SourcePosition?
    package var namedEntities: [NamedEntity] = []

    /// A source whose name alone determines the entity: that of a file or of a table.
    package struct NamedEntity: Sendable {
        package let source: ImportSource
        /// The position of the file in the plan.
        package let position: SourcePosition
    }

    /// Describes imports into a store file.
    public init(
        store: URL, model: ManagedObjectModel? = nil, jobs: [ImportJob], run: ImportRunOptions = ImportRunOptions()
    ) {
        self.init(path: store.path(percentEncoded: false), jobs: jobs, run: run)
        self.model = model
    }

    /// - Parameter path: the store's path, unchanged in diagnostics.
    package init(path: String, jobs: [ImportJob], run: ImportRunOptions) {
        store = path
        self.jobs = jobs
        self.run = run
    }

    package var timeout: Duration { .seconds(busyTimeout ?? 5) }

    /// The names of all sources, in the order of reading.
    package var sourceNames: [String] { jobs.flatMap { job in job.sources.map(\.name) } }

    /// The files that the outputs of another store must not replace.
    package func protectedFiles(withRejects: Bool) -> ProtectedFiles {
        var files = ProtectedFiles()
        if !isInDatabase { files.add(SQLiteStore.files(ofStore: store), as: "the store's") }
        files.add(models, as: "the model")
        files.add([like].compactMap { $0 }, as: "the store")
        files.add(sourceNames, as: "the input")
        for subset in subsets { files.add(subset.protectedFiles) }
        if withRejects, let rejects = run.rejectsPath {
            files.add([rejects, rejects + ".reasons.jsonl"], as: "the rejects file")
        }
        return files
    }
}

extension StoreImport {
    /// Runs the imports. Cancelling the task rolls everything back.
    ///
    /// - Returns: what happened to every record. In ``ImportRunOptions/Mode/keepGood`` some can be rejected.
    /// - Throws: ``GranaryError``: `refused` with the diagnostics if the import was refused, and the store is then as
    ///   it was; `usage` for options that contradict each other or the model; `interrupted` after a cancellation; as
    ///   reading and writing throw. If the message ends with "the import is stored", only a later step has failed.
    public func run() async throws -> ImportReport { try await Self.run([self])[0] }

    /// Runs the imports of several stores. No store is changed unless all can be.
    ///
    /// - Returns: a report for each store.
    /// - Throws: as ``run()``.
    public static func run(_ imports: [StoreImport]) async throws -> [ImportReport] {
        try await run(imports, plan: nil)
    }

    static func run(_ imports: [StoreImport], plan: String?) async throws -> [ImportReport] {
        try await InBackground.run { cancellation in
            var imports = imports
            for index in imports.indices { imports[index].run.cancellation = cancellation }
            var warnings: [Diagnostic] = []
            let targets = try StoreTarget.checked(imports, plan: plan, warnings: &warnings)
            for target in targets { try target.open() }
            var (reports, failure) = try StoreRun(targets).run()
            if let failure {
                throw GranaryError(failure.code, "\(failure.message); the import is stored", underlying: failure)
            }
            if reports.contains(where: \.isRefused) {
                let ledgers = reports.map { "\($0.store): \($0.ledger)" }.joined(separator: "; ")
                throw GranaryError(
                    .refused, "nothing was imported: \(ledgers)", diagnostics: reports.flatMap(\.diagnostics))
            }
            if !reports.isEmpty { reports[0].storeWarnings = warnings }
            for (index, target) in targets.enumerated() where target.isNew {
                reports[index].storeWarnings += creationWarnings(target)
            }
            return reports
        }
    }
}

extension Importer {
    /// Imports into an SQLite store file, which is created if it does not exist. A new file appears only if the import
    /// succeeds.
    ///
    /// - Parameter model: nil for the model that the store contains, or for a new store that in the imported documents.
    /// - Throws: as ``StoreImport/run()``.
    public func run(into store: URL, model: ManagedObjectModel? = nil) async throws -> ImportReport {
        try await StoreImport(store: store, model: model, jobs: jobs, run: run).run()
    }
}

extension SeedPlan {
    /// Runs the plan: one transaction for each store, and no store is changed unless all can be.
    ///
    /// - Parameter isDryRun: whether to roll back all changes at the end. The reports contain what would change.
    /// - Returns: a report for each store, in the plan's order.
    /// - Throws: ``GranaryError``: as ``SeedPlan/storeImports()`` and ``StoreImport/run()``.
    @discardableResult
    public func run(isDryRun: Bool = false) async throws -> [ImportReport] {
        var imports = try storeImports()
        for index in imports.indices {
            imports[index].run.isDryRun = isDryRun || settings.isDryRun
            imports[index].run.replacesRejects = settings.force
        }
        return try await StoreImport.run(imports, plan: file)
    }
}
