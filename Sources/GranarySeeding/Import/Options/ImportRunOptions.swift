import Foundation
package import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore

/// What holds for all that one run imports: it is one transaction.
public struct ImportRunOptions: Sendable {
    /// What becomes of good rows when others are bad.
    public enum Mode: String, Sendable, CaseIterable {
        /// Nothing is imported.
        case allOrNothing = "all-or-nothing"
        /// The good rows are imported. A row that refers to a bad one is not good.
        case keepGood = "keep-good"
    }

    /// How rows are written. What is stored is the same.
    public enum Loader: String, Sendable, CaseIterable {
        /// ``pages`` where that is possible, otherwise ``sql``.
        case auto
        /// Page by page without SQL, which is faster: into a new SQLite store without a history, for a model without derived
        /// attributes and uniqueness constraints of subentities, in a run that is not ``isRevertible``. Anything else is an error.
        case pages
        /// By SQL statements.
        case sql

        /// What the environment variable `GRANARY_LOADER` says; ``auto`` if it says nothing.
        public static let standard = ProcessInfo.processInfo.environment["GRANARY_LOADER"].flatMap(Loader.init) ?? .auto
    }

    /// What becomes of good rows when others are bad.
    public var mode = Mode.allOrNothing
    /// With ``Mode/keepGood``: with more rejected records than this nothing is imported. Nil: any number.
    public var maximumRejects: Int?
    /// With ``Mode/keepGood``: where the rejected records go, as they were found; their reasons go beside it.
    public var rejectsPath: String?
    /// Whether everything is done but kept: the same code, taken back at the last step.
    public var isDryRun = false
    /// How many diagnostics, and how many changes, the report keeps; all are counted.
    public var diagnosticLimit = 10_000
    /// Whether the store's metadata note the run. A run that changes nothing is not noted, one with ``isRevertible`` in any
    /// other case.
    public var keepsLedger = true
    /// Whether what the run changes is kept beside the store, so that it can be taken back.
    public var isRevertible = false
    /// How rows are written.
    public var loader = Loader.standard
    package var progress: ImportProgress?
    /// Whether all diagnostics are kept in a temporary file, for ``ImportReport/allDiagnostics``.
    package var keepsAllDiagnostics = false
    /// Whether to replace an existing rejects file that Granary did not write, or that was edited since. If false, such a
    /// file is an error before anything is read.
    public var replacesRejects = false
    /// The files that a rejects file must not replace: the store with all that belongs to it, its models, a plan, other outputs.
    package var protectedFiles = ProtectedFiles()
    /// The file mode of the rejects files; the process's umask is applied.
    package var outputPermissions: UInt32 = 0o666
    /// Takes what is about to be done that a user might want to know before: which objects are pruned.
    package var announce: (@Sendable (String) -> Void)?
    package var cancellation: Cancellation?
    /// How many threads make rows beside the reading one; nil: one for each other core, 7 at
    /// most.
    package var threads: Int?

    /// All or nothing, kept, and noted in the store's metadata.
    public init() {}
}

extension ImportRunOptions.Loader {
    /// Nil: pages where that is possible.
    var rowLoader: RowLoader? {
        switch self {
        case .auto: nil
        case .pages: .pages
        case .sql: .sql
        }
    }
}
