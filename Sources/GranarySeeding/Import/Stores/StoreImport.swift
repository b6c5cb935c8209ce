public import Foundation
package import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
public import GranaryModel

/// What is imported into one store file, in one transaction.
public struct StoreImport: Sendable {
    /// The store's path. If there is no such file, a new store gets this name when everything is in it.
    public var store: String
    /// The model; nil: the merged models of ``models``.
    public var model: ManagedObjectModel?
    /// The paths of model files, of model folders, and of stores that contain their model. If empty and ``model`` is nil, the
    /// store must contain its model.
    public var models: [String] = []
    /// The imports. References can point from one to another.
    public var jobs: [ImportJob]
    /// How they are run.
    public var run: ImportRunOptions
    /// Whether the store is prepared for shipping at the end: one file, vacuumed, the same bytes for the same input.
    public var ships = false
    /// The store's UUID; nil: a random one, or with ``ships`` one that is computed from the content.
    public var identifier: UUID?
    /// The path of a store that Core Data created for the model. A new store takes the names of its join tables; nil to use
    /// Granary's rule.
    public var like: String?
    /// How many seconds to wait for a store that is in use; nil for 5.
    public var busyTimeout: Double?
    /// Where a plan contains it.
    package var position: SourcePosition?
    package var namedEntities: [NamedEntity] = []

    /// An entity that a file is named after, because nothing else determines the entity of its rows.
    package struct NamedEntity: Sendable {
        package let name: String
        package let file: String
        /// Where the plan names the file.
        package let position: SourcePosition
    }

    /// Describes imports into a store file.
    public init(
        store: URL, model: ManagedObjectModel? = nil, jobs: [ImportJob], run: ImportRunOptions = ImportRunOptions()
    ) {
        self.init(path: store.path(percentEncoded: false), jobs: jobs, run: run)
        self.model = model
    }

    /// - Parameter path: diagnostics repeat it as it is.
    package init(path: String, jobs: [ImportJob], run: ImportRunOptions) {
        store = path
        self.jobs = jobs
        self.run = run
    }

    var timeout: Duration { .seconds(busyTimeout ?? 5) }

    /// The names of all sources, in the order of reading.
    package var sourceNames: [String] { jobs.flatMap { job in job.sources.map(\.name) } }

    /// The files that the outputs of another store must not replace.
    package func protectedFiles(withRejects: Bool) -> ProtectedFiles {
        var files = ProtectedFiles()
        files.add(SQLiteStore.files(ofStore: store), as: "the store's")
        files.add(models, as: "the model")
        files.add([like].compactMap { $0 }, as: "the store")
        files.add(sourceNames, as: "the input")
        if withRejects, let rejects = run.rejectsPath {
            files.add([rejects, rejects + ".reasons.jsonl"], as: "the rejects file")
        }
        return files
    }
}
