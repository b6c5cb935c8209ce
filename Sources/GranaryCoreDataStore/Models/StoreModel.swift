public import Foundation
public import GranaryBase
import GranaryCoordination
public import GranaryModel
import GranaryModelFiles
import GranarySQLite

/// The model with which a store is read, and its source.
///
/// A given model is used first; it is compared with the store when the store is opened. Without one, the model in the
/// store is used (`Z_MODELCACHE`, written from framework 637 on) if its version hashes equal the hashes in the
/// metadata. Otherwise the model is inferred from the tables (``ModelInference``), and the store can only be read.
package struct StoreModel: Sendable {
    package typealias Source = StoreModelSource

    /// The resolved model. Its entities have the store's numbers.
    package let schema: Schema
    package let source: Source
    /// Warnings and notes about the model.
    package let warnings: [Diagnostic]

    /// Whether the version hashes must equal the store's. False if the model is known to be the store's and a hash
    /// follows rules that are not known (``Schema/hasUnconfirmedHash(_:)``).
    package let comparesHashes: Bool

    /// Whether the model was read from a copy because the file cannot be read in place. Later reads then need not wait
    /// for locks.
    package private(set) var isOfCopy = false

    /// The warning for every store that is read with an inferred model.
    package static let inferenceRemark =
        "the model is inferred from its tables: types, names and relationships may be incomplete"

    init(schema: Schema, source: Source, warnings: [Diagnostic], comparesHashes: Bool = true) {
        self.schema = schema
        self.source = source
        self.warnings = warnings
        self.comparesHashes = comparesHashes && source != .inferred
    }

    /// Finds the model of a store. The store is not changed.
    ///
    /// - Parameters:
    ///   - busyTimeout: how long to wait for another process that has locked the file.
    ///   - toleratesDanglingKeys: whether an inferred to-one may have values that are not keys. Checks set this to find
    ///     such values. Otherwise such a column is a number.
    ///   - allowsPart: whether a given model may have more entities than the store, as for a store of one
    ///     configuration. The store then has its own entities only.
    /// - Throws: ``GranaryError``: `unreadable` if the file does not exist; `refused` if it is not a Core Data store,
    ///   the given model has problems, or no model can be inferred; `busy` if another process holds it too long.
    package static func read(
        path: String, given: ManagedObjectModel? = nil, busyTimeout: Duration = .seconds(5),
        toleratesDanglingKeys: Bool = false, allowsPart: Bool = true
    ) throws(GranaryError) -> StoreModel {
        try converting {
            let connection = try Connection.reading(path: path, busyTimeout: busyTimeout, once: true)
            var model = try connection.transaction(.deferred) {
                try StoreModelReader(connection, path: path).read(
                    given: given, toleratesDanglingKeys: toleratesDanglingKeys, allowsPart: allowsPart)
            }
            model.isOfCopy = connection.snapshotNote != nil
            return model
        }
    }

    /// The model in a store; nil if it contains none.
    ///
    /// - Parameter diagnostics: receives warnings, for example that the store was written for another version.
    /// - Throws: ``GranaryError``: as ``read(path:given:busyTimeout:)``; also `refused` if the model is damaged.
    package static func cachedModel(
        path: String, diagnostics: inout DiagnosticCollector, busyTimeout: Duration = .seconds(5)
    ) throws(GranaryError) -> ManagedObjectModel? {
        try converting {
            let connection = try Connection.reading(path: path, busyTimeout: busyTimeout, once: true)
            return try connection.transaction(.deferred) {
                try StoreModelReader(connection, path: path).cachedModel(&diagnostics)
            }
        }
    }
}

extension ManagedObjectModel {
    /// Reads the model in an SQLite store. The store is not changed.
    ///
    /// Core Data and Granary write the model into the store (table `Z_MODELCACHE`, in all known stores from framework
    /// 637 on). No model is inferred from the tables, because a container with an inferred model could not write.
    ///
    /// ```swift
    /// let container = try PersistentContainer(model: ManagedObjectModel(cachedInStoreAt: url), store: .sqlite(url))
    /// ```
    ///
    /// - Throws: ``GranaryError``: `unreadable` if the file does not exist; `refused` if it is not a Core Data store or
    ///   contains no readable model; `busy` if another process holds it for more than five seconds.
    public init(cachedInStoreAt url: URL) throws(GranaryError) {
        var diagnostics = DiagnosticCollector()
        let path = url.path(percentEncoded: false)
        guard let model = try StoreModel.cachedModel(path: path, diagnostics: &diagnostics) else {
            throw GranaryError(.refused, "\(path): the store contains no model")
        }
        self = model
    }
}
