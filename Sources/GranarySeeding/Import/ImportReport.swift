public import GranaryBase

/// What became of every record of an import. (The JSON of `--report`.)
public struct ImportReport: Sendable {
    /// The entity that was asked for, or nil where the source names its entities.
    public var entity: String?
    /// Records found. Always the sum of the five counts that follow.
    public var read = 0
    /// Objects that were made, or in a dry run would be; 0 where the import was refused.
    public var created = 0
    /// Always 0 so far: an import makes objects and changes none.
    public var updated = 0
    /// Always 0 so far: an import makes objects and compares with none.
    public var unchanged = 0
    /// Good records of an import that was refused because of others.
    public var skipped = 0
    /// Records that have an error of their own.
    public var rejected = 0
    /// How long it took.
    public var seconds = 0.0
    /// The store's path.
    public var store = ""
    /// Whether everything was taken back at the end (``ImportOptions/isDryRun``).
    public var isDryRun = false
    /// The first diagnostics, as many as ``ImportOptions/diagnosticLimit`` allows.
    public var diagnostics: [Diagnostic] = []
    /// How many diagnostics there were.
    public var diagnosticCount = 0
    /// How many of them were errors.
    package var errorCount = 0
    /// Whether nothing was written because something was wrong.
    public var isRefused = false

    /// A report of nothing read.
    public init() {}

    /// The last line of every import.
    public var ledger: String {
        "read \(read) = created \(created) + updated \(updated) + unchanged \(unchanged) + skipped \(skipped) + "
            + "rejected \(rejected)"
    }
}

extension ImportReport: Codable {
    private enum CodingKeys: String, CodingKey {
        case entity, read, created, updated, unchanged, skipped, rejected, seconds, store, diagnostics, diagnosticCount
        case isDryRun = "dryRun"
        case isRefused = "refused"
    }
}
