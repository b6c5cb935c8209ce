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
