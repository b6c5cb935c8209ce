import GranaryBase

/// The state of the source that is read.
struct SourceState {
    let source: ByteSource?
    /// Whether records can contain objects.
    let nests: Bool
    /// The number of records of the job before the source.
    let readBefore: Int
    /// The root entities of the records of later jobs. These records can set the lists of an object again.
    let laterRoots: Set<Int>
    /// The column that names the entity of each record.
    var entityColumn = EntityColumn()
    /// The number of columns that were known when the current record was read; nil for all.
    var columnCount: Int?
    var hasCheckedMap = false
    /// The columns for which ``ImportReader/chunks(_:of:file:after:)`` has looked for a parser last.
    var triedColumns: ImportReader.KnownColumns?
    /// How records are kept for the rejects file.
    var keeping = RecordKeeping.none

    init(_ source: ByteSource? = nil, nests: Bool = false, readBefore: Int = 0, laterRoots: Set<Int> = []) {
        self.laterRoots = laterRoots
        self.source = source
        self.nests = nests
        self.readBefore = readBefore
    }
}
