/// A connection for reading that keeps one state of a store. The connection can be used again when nobody holds this
/// object any more.
final class PinnedReader: Sendable {
    private let store: ExclusiveStore
    private let readers: StoreReaders

    /// - Throws: ``GranaryError``: `usage` if the store was removed from its coordinator or too many of its states are
    ///   kept; any error from opening the connection.
    init(_ readers: StoreReaders) throws {
        let connection = try readers.takeSeparate()
        self.readers = readers
        do { try connection.pin() } catch {
            readers.giveSeparate(connection)
            throw error
        }
        store = ExclusiveStore(connection)
        readers.note(self)
    }

    deinit {
        let connection = store.close()
        connection?.unpin()
        readers.giveSeparate(connection, of: ObjectIdentifier(self))
    }

    /// Runs `body` with the connection.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the store was removed from its coordinator; any error from `body`.
    func use<Result>(_ body: (any StoreBackend) throws -> sending Result) throws -> sending Result {
        try store.use(body)
    }

    /// Closes the connection. Later reads throw.
    func close() { _ = store.close() }
}
