/// A store whose transaction is open: reads see what the transaction has written, and every further transaction is part
/// of it.
///
/// A context on such a store can save inside the transaction of a bulk import.
///
/// `@unchecked Sendable`: only the thread that runs the transaction uses it, and it ends before the transaction.
package final class OpenTransaction: ForwardingStore, @unchecked Sendable {
    package let base: any StoreBackend
    private let writer: any StoreWriter

    package init(_ base: any StoreBackend, _ writer: any StoreWriter) {
        self.base = base
        self.writer = writer
    }

    package var capabilities: StoreCapabilities { base.capabilities.intersection([.exactDecimals, .nullCharacters]) }

    /// The author of the open transaction does not change.
    package func setAuthor(_ author: String?, contextName: String?) {}

    /// Runs `body` in the open transaction. If it throws, the whole transaction must be rolled back.
    package func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result { try body(writer) }
}
