package import GranaryBase

/// Sources of one kind of record, and how they are read. A run can have several jobs; references can point from one to
/// another, forward too.
public struct ImportJob: Sendable {
    /// The entity of the records; nil if the sources name their entities.
    public var entity: String?
    /// What is read, in this order.
    public var sources: [ImportSource]
    /// How it is read.
    public var options: ImportOptions
    /// Where a plan contains the job.
    package var origin: SourcePosition?

    /// Creates a job.
    public init(entity: String?, sources: [ImportSource], options: ImportOptions = ImportOptions()) {
        self.entity = entity
        self.sources = sources
        self.options = options
    }
}
