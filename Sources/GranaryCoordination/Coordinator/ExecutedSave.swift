/// A save of a context, or a batch request.
public struct ExecutedSave: Sendable, Hashable {
    /// The number of inserted objects.
    public let insertedCount: Int
    /// The number of updated objects.
    public let updatedCount: Int
    /// The number of deleted objects.
    public let deletedCount: Int
    /// The time from the call to its end, with validation and the app's own methods.
    public let duration: Duration
    /// ``ManagedObjectContext/name``
    public let contextName: String?
    /// ``ManagedObjectContext/transactionAuthor``
    public let author: String?

    package init(
        inserted: Int, updated: Int, deleted: Int, duration: Duration, contextName: String?, author: String?
    ) {
        insertedCount = inserted
        updatedCount = updated
        deletedCount = deleted
        self.duration = duration
        self.contextName = contextName
        self.author = author
    }
}
