public import Foundation
package import GranaryBase
import GranaryContexts
package import GranaryCoordination

/// The options of a run, which imports all of its jobs in one transaction.
public struct ImportRunOptions: Sendable {
    /// How to handle invalid rows.
    public enum Mode: String, Sendable, CaseIterable {
        /// If a row is invalid, nothing is imported.
        case allOrNothing = "all-or-nothing"
        /// The valid rows are imported. A row that refers to an invalid row is invalid.
        case keepGood = "keep-good"
    }

    /// How rows are written. The stored data is the same.
    public enum Loader: String, Sendable, CaseIterable {
        /// ``pages`` if possible, otherwise ``sql``.
        case auto
        /// Page by page without SQL, which is faster. It requires a new SQLite store without a history, a model without
        /// derived attributes and without uniqueness constraints of subentities, and a run that is not
        /// ``isRevertible``.
        case pages
        /// By SQL statements.
        case sql

        /// The loader in the environment variable `GRANARY_LOADER`; ``auto`` if it is not set.
        public static let standard = ProcessInfo.processInfo.environment["GRANARY_LOADER"].flatMap(Loader.init) ?? .auto
    }

    /// The form of a rejects file.
    public enum RejectsFormat: String, Sendable, CaseIterable {
        /// The records as they were found, under their header.
        case same
        /// CSV for a spreadsheet: `$file`, `$line`, `$column`, `$property`, `$rule`, `$message` and `$record` beside
        /// the fields. An import of the corrected file ignores these columns.
        case csv
    }

    /// How to handle invalid rows.
    public var mode = Mode.allOrNothing
    /// With ``Mode/keepGood``: the maximum number of rejected records. If there are more, nothing is imported. Nil for
    /// no limit.
    public var maximumRejects: Int?
    /// With ``Mode/keepGood``: the path of the rejects file, which receives the rejected records unchanged. Their
    /// reasons are written to a second file with the suffix `.reasons.jsonl`.
    public var rejectsPath: String?
    /// The form of the rejects file.
    public var rejectsFormat = RejectsFormat.same
    /// Whether to roll back the transaction at the end.
    public var isDryRun = false
    /// The maximum number of diagnostics, and of changes, in the report. All are counted.
    public var diagnosticLimit = 10_000
    /// Whether to record the run in the ledger, which is part of the store's metadata. A run that changes nothing is
    /// not recorded. Required if ``isRevertible`` is true.
    public var keepsLedger = true
    /// The date of the run in the ledger; nil for none. Without dates, the same input gives the same ledger.
    public var date: Date?
    /// Whether to keep the previous content next to the store, so that the run can be reverted.
    public var isRevertible = false
    /// How rows are written.
    public var loader = Loader.standard
    /// For root entities, the last primary key that new objects without an `$id` skip, as in a comparison the keys of
    /// the other store.
    package var skippedKeys: [Int: Int64] = [:]
    package var progress: ImportProgress?
    /// Whether to keep all diagnostics in a temporary file, for ``ImportReport/allDiagnostics``.
    package var keepsAllDiagnostics = false
    /// Whether to replace an existing rejects file that Granary did not write or that was edited since. If false, such
    /// a file is an error before anything is read.
    public var replacesRejects = false
    /// The files that a rejects file must not replace: the store's files, models, a plan, other outputs.
    package var protectedFiles = ProtectedFiles()
    /// The file mode of the rejects files; the process's umask is applied.
    package var outputPermissions: UInt32 = 0o666
    /// Receives messages before changes that a user should know of, such as pruning.
    package var announce: (@Sendable (String) -> Void)?
    package var cancellation: Cancellation?
    /// The coordinator with the registered classes; nil if all rows are imported in bulk.
    package var coordinator: PersistentStoreCoordinator?
    /// Whether each record is read for itself. Tests compare the result with that of threads that create rows.
    package var readsRecordByRecord = false
    /// The number of threads that create rows in addition to the reading one; nil for one per remaining core, at most
    /// 7.
    package var threads: Int?

    /// The objects to add after the records are written; nil for none.
    package var addedObjects: (any AddedObjects)?

    /// The entities whose rows are saved as objects of a registered class.
    var objectEntities: Set<Int> { coordinator?.entitiesImportedAsObjects ?? [] }

    /// An all-or-nothing import that is recorded in the ledger.
    public init() {}
}

extension ImportRunOptions.Loader {
    /// Nil for ``auto``.
    var rowLoader: RowLoader? { RowLoader(rawValue: rawValue) }
}
