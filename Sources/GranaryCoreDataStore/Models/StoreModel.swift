public import Foundation
public import GranaryBase
import GranaryCoordination
public import GranaryModel
import GranaryModelFiles
import GranarySQLite

/// The model that a store is read with, and where it comes from.
///
/// What is given goes first; it is compared with the store when that is opened. Otherwise it is the model that Core Data
/// has put into the store (`Z_MODELCACHE`, from framework 637 on), where its version hashes are those of the store's
/// metadata. Otherwise it is read off the tables (``ModelInference``): then it is marked as inferred, and good for
/// reading only.
package struct StoreModel: Sendable {
    package enum Source: String, Sendable, Encodable {
        /// The caller has named it.
        case given
        /// The store carries it.
        case cache
        /// It is read off the store's tables.
        case inferred
    }

    /// Its entities have the store's numbers.
    package let schema: Schema
    package let source: Source
    /// What is worth knowing, each a warning or a note.
    package let warnings: [Diagnostic]

    /// Whether the version hashes have to be those of the store. Not where the model is known to be the store's and a
    /// hash is of a kind whose rules are not settled (``Schema/hasUnsettledHash(_:)``).
    package let comparesHashes: Bool

    /// Whether it was read from a copy, since the file cannot be read in its place. Who reads on need not wait for that
    /// again.
    package private(set) var isOfCopy = false

    /// What is said of every store that is read without a model of its own.
    package static let inferenceRemark =
        "the model is inferred from its tables: types, names and relationships are as far as these tell them"

    init(schema: Schema, source: Source, warnings: [Diagnostic], comparesHashes: Bool = true) {
        self.schema = schema
        self.source = source
        self.warnings = warnings
        self.comparesHashes = comparesHashes && source != .inferred
    }

    /// Finds the model of a store. Nothing is written.
    ///
    /// - Parameters:
    ///   - busyTimeout: how long to wait for another process that has locked the file.
    ///   - toleratesDanglingKeys: whether an inferred to-one may have values that lead to nothing: for checks, which are
    ///     to find them. Where values are read, such a column is a number.
    ///   - allowsPart: whether a given model may have entities that the store was not made for: a store of one configuration
    ///     is then seen with its own entities.
    /// - Throws: ``GranaryError``: `unreadable` without a file; `refused` when it is no Core Data store, a given model has
    ///   problems, or there is no other and the tables do not tell one; `busy` when another process holds it too long.
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

    /// The model that a store carries; nil where it carries none.
    ///
    /// - Parameter diagnostics: takes what is worth knowing, such as that the store was written for another version.
    /// - Throws: ``GranaryError``: as ``read(path:given:busyTimeout:)``; `refused` also where the model is broken.
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
