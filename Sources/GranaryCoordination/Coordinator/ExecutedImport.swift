/// An import into a container.
public struct ExecutedImport: Sendable, Hashable {
    /// The number of records that were read.
    public let readCount: Int
    /// The number of created objects.
    public let createdCount: Int
    /// The number of updated objects.
    public let updatedCount: Int
    /// The number of records that were rejected or, if the import was refused, have problems.
    public let rejectedCount: Int
    /// Whether the import was refused, so that the stores are unchanged.
    public let isRefused: Bool
    /// The time from the call to the end of the transaction.
    public let duration: Duration

    package init(read: Int, created: Int, updated: Int, rejected: Int, isRefused: Bool, duration: Duration) {
        readCount = read
        createdCount = created
        updatedCount = updated
        rejectedCount = rejected
        self.isRefused = isRefused
        self.duration = duration
    }
}
