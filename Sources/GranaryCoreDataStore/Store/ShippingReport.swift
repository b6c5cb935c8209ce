package import Foundation
package import GranaryBase

/// The result of preparing a store for shipping.
package struct ShippingReport: Sendable {
    /// Whether the store was written. A store that the run did not change and that is ready to ship stays as it is.
    package let isWritten: Bool
    /// The number of external files, which must be shipped with the store.
    package let externalFiles: Int
    /// The folder of the external files.
    package let externalFolder: String

    /// Prepares a store for shipping.
    ///
    /// - Parameters:
    ///   - identifier: as in ``SQLiteStore/ship(identifier:)``.
    ///   - isChanged: whether the run created or changed the store.
    /// - Throws: as ``SQLiteStore/ship(identifier:)``.
    package init(_ store: SQLiteStore, identifier: UUID?, isChanged: Bool) throws(GranaryError) {
        let isReady = try store.isShipped(identifier: identifier)
        isWritten = isChanged || !isReady
        if isWritten { try store.ship(identifier: identifier) }
        externalFiles = try store.externalFileCount()
        externalFolder = ExternalData.folder(ofStore: store.path)
    }
}
