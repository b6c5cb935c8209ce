package import GranaryBase
package import GranaryFormats

/// One thing to read, as often as needed: a second reading finds the bytes of rejected records again.
public struct ImportSource: Sendable {
    /// What diagnostics call it.
    public let name: String
    /// Opens it from its start.
    package let open: @Sendable () throws(GranaryError) -> any RecordReader

    /// Whether its records may have objects inside: those of CSV and of constant tables have none.
    package let nests: Bool
    /// The entity of its records, where its name says it; nil where the job or the records do.
    package let entity: String?

    package init(
        name: String, nests: Bool = true, entity: String? = nil,
        open: @escaping @Sendable () throws(GranaryError) -> any RecordReader
    ) {
        self.name = name
        self.nests = nests
        self.entity = entity
        self.open = open
    }
}

/// Sources of one kind of record, and how they are read. A run may have several jobs; references may point from one to
/// another, forward too.
public struct ImportJob: Sendable {
    /// What the records are; nil where the sources name their entities themselves.
    public var entity: String?
    /// What is read, one after the other.
    public var sources: [ImportSource]
    /// How it is read.
    public var options: ImportOptions
    /// Where a plan asks for it.
    package var origin: SourcePosition?

    /// A job without a place in a plan.
    public init(entity: String?, sources: [ImportSource], options: ImportOptions = ImportOptions()) {
        self.entity = entity
        self.sources = sources
        self.options = options
    }
}
