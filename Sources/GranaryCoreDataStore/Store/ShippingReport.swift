package import Foundation
package import GranaryBase

/// The result of preparing a store for shipping.
package struct ShippingReport: Sendable {
    /// Whether the store was written. A store that the run did not change and that is ready to ship stays as it is.
    package let isWritten: Bool
    /// The names of the external files, which must be shipped with the store.
    package let externalFiles: [String]
    /// The folder of the external files.
    package let externalFolder: String

    /// Prepares a store for shipping.
    ///
    /// - Parameters:
    ///   - identifier: as in ``SQLiteStore/ship(identifier:)``.
    ///   - inlinesExternalData: whether values in external files are moved into the store.
    ///   - isChanged: whether the run created or changed the store.
    /// - Throws: as ``SQLiteStore/ship(identifier:)``.
    package init(
        _ store: SQLiteStore, identifier: UUID?, inlinesExternalData: Bool = false, isChanged: Bool
    ) throws(GranaryError) {
        let reasons = try store.reasonsToShip(identifier: identifier, inlinesExternalData: inlinesExternalData)
        isWritten = isChanged || !reasons.isEmpty
        if isWritten { try store.ship(identifier: identifier, inlinesExternalData: inlinesExternalData) }
        externalFiles = try store.externalFileNames()
        externalFolder = ExternalData.folder(ofStore: store.path)
    }
}
