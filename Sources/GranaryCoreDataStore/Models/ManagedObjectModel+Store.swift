public import Foundation
public import GranaryBase
import GranaryCoordination
public import GranaryModel

extension ManagedObjectModel {
    /// Reads the model that an SQLite store carries; the store is not changed.
    ///
    /// Core Data puts the model that a store was last written for into the store itself (table `Z_MODELCACHE`, in all
    /// known stores from framework 637 on), and so does Granary. No model is inferred from tables: a container with an
    /// inferred one could not write.
    ///
    /// ```swift
    /// let container = try PersistentContainer(model: ManagedObjectModel(cachedInStoreAt: url), store: .sqlite(url))
    /// ```
    ///
    /// - Throws: ``GranaryError``: `unreadable` without a file; `refused` when it is no Core Data store, or carries no
    ///   model that can be read; `busy` when another process holds it for more than five seconds.
    public init(cachedInStoreAt url: URL) throws(GranaryError) {
        var diagnostics = DiagnosticCollector()
        let path = url.path(percentEncoded: false)
        guard let model = try StoreModel.cachedModel(path: path, diagnostics: &diagnostics) else {
            throw GranaryError(.refused, "\(path): the store carries no model of its own")
        }
        self = model
    }
}
