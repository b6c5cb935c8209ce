/// Receives what a container does, for logs, metrics and traces. All methods do nothing by default.
///
/// ```swift
/// struct SlowStatements: PersistentContainerObserver {
///     let slowStatementThreshold = Duration.milliseconds(100)
///
///     func didExecute(_ statement: ExecutedStatement) { print(statement.duration, statement.sql) }
/// }
/// ```
/// The methods run on the thread that does the work, while it uses the store. They must return soon and must not use the
/// container.
public protocol PersistentContainerObserver: Sendable {
    /// Statements that take less time are not reported. Zero, the default, reports all statements.
    var slowStatementThreshold: Duration { get }

    /// An SQLite store has executed a statement, or has read a table without one.
    func didExecute(_ statement: ExecutedStatement)

    /// A context has saved its changes into the stores, or a batch request has changed them.
    func didSave(_ save: ExecutedSave)

    /// An import into the container has ended without an error.
    func didImport(_ imported: ExecutedImport)
}

extension PersistentContainerObserver {
    public var slowStatementThreshold: Duration { .zero }

    public func didExecute(_ statement: ExecutedStatement) {}

    public func didSave(_ save: ExecutedSave) {}

    public func didImport(_ imported: ExecutedImport) {}
}

/// A statement that an SQLite store has executed.
public struct ExecutedStatement: Sendable, Hashable {
    /// The SQL, with `?` in place of values.
    public let sql: String
    /// The time from its beginning to its end. It includes what is done with each row.
    public let duration: Duration
    /// The number of rows that the statement gave.
    public let rowCount: Int
    /// The UUID of the store.
    public let storeIdentifier: String

    package init(sql: String, duration: Duration, rowCount: Int, storeIdentifier: String) {
        self.sql = sql
        self.duration = duration
        self.rowCount = rowCount
        self.storeIdentifier = storeIdentifier
    }
}

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
