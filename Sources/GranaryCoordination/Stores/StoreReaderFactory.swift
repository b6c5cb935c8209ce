/// Opens a connection to a store for reading, which another thread can use. It is called by one thread at a time.
package typealias StoreReaderFactory = @Sendable () throws -> sending any StoreBackend
