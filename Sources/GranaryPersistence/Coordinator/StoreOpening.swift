import GranaryBase
import GranaryModel
import Foundation

/// Opens the store of a location. The one place that knows the kinds of stores.
enum StoreOpening {
    static func open(_ location: StoreLocation, schema: Schema) throws(GranaryError) -> sending any PersistentStore {
        switch location.kind {
        case .inMemory: return InMemoryStore(schema: schema)
        case .sqlite(let url):
            return try SQLiteStore.openOrCreate(path: url.path(percentEncoded: false), schema: schema)
        }
    }
}
