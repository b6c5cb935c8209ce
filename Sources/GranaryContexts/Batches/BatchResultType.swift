/// What a batch request returns. (`NSBatchInsertRequestResultType` and the like)
public enum BatchResultType: Int, Sendable, Hashable {
    /// Only whether the request succeeded. ``BatchResult/changes`` is empty, so contexts cannot be updated with it.
    case statusOnly = 0
    /// The IDs of the objects, and all changes for merging. They are kept in memory.
    case objectIDs = 1
    /// The number of objects. ``BatchResult/changes`` is empty, so merging it updates no context.
    case count = 2
}
