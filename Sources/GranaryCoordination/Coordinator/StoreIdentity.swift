package import GranaryModel

/// The data that all IDs of a store share, so that an ID is small.
package final class StoreIdentity: Sendable {
    /// The store's UUID.
    package let identifier: String
    package let schema: Schema

    package init(identifier: String, schema: Schema) {
        self.identifier = identifier
        self.schema = schema
    }
}
