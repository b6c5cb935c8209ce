import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists

extension StoreLocation {
    /// In memory. The store is gone when its container is. (`NSInMemoryStoreType`)
    public static let inMemory = StoreLocation(InMemoryStoreKind())
}

private struct InMemoryStoreKind: StoreKind {
    static let fileFormat: StoreFileFormat? = nil
    var url: URL? { nil }

    func open(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any PersistentStore { InMemoryStore(schema: schema) }

    func create(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any PersistentStore { InMemoryStore(schema: schema) }

    func metadata() throws(GranaryError) -> StoreMetadata { throw noFile() }

    func setUserMetadata(_ entries: [PropertyListEntry]) throws(GranaryError) { throw noFile() }

    func destroy(timeout: Duration) throws(GranaryError) {}

    private func noFile() -> GranaryError {
        GranaryError(.usage, "a store in memory exists only while it is open")
    }
}
