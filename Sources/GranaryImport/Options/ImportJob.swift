package import GranaryBase
public import GranaryRecords

/// Sources of one entity and the options to import them. A run can have several jobs; references can point from one job
/// to an earlier or later one.
public struct ImportJob: Sendable {
    /// The entity of the records; nil if the sources name their entities.
    public var entity: String?
    /// The sources in the order of reading.
    public var sources: [ImportSource]
    /// The options of the job.
    public var options: ImportOptions
    /// The job's position in a plan.
    package var origin: SourcePosition?

    /// Creates a job.
    public init(entity: String?, sources: [ImportSource], options: ImportOptions = ImportOptions()) {
        self.entity = entity
        self.sources = sources
        self.options = options
    }
}
