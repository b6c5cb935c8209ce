import Foundation
import GranaryBase
package import GranaryCoordination
package import GranaryCoreDataStore
package import GranaryImport
import GranaryModel

/// A copy of all objects of a store with their values treated as decided, in a temporary folder that only this user can
/// enter. The copy never has the old values, and its files are searched for them.
///
/// `deinit` removes the folder.
package final class AnonymisedCopy {
    /// The copy.
    package let store: SQLiteStore
    /// What happened to the values.
    package let report: SubsetReport
    private let folder: PartialFile

    /// - Parameter options: the rules, the key, the random number, and the policy for missing files; it chooses no objects.
    /// - Throws: as ``Subset/run(store:model:to:)``.
    package init(of source: any StoreBackend, options: SubsetOptions) throws {
        let schema = source.schema
        guard !schema.model.isInferred else {
            throw GranaryError(
                .refused, "the store contains no model, and an inferred model cannot be used for writing",
                help: "--model MODEL")
        }
        var options = options
        options.selections = schema.entities.filter { $0.root == $0.index }.map { .init($0.name) }
        let place = FileManager.default.temporaryDirectory.appending(path: "granary-anonymised")
        folder = try PartialFile.createFolder(for: place.path(percentEncoded: false), permissions: 0o700)
        let path = folder.path
        do {
            store = try SQLiteStore.create(path: path + "/Anonymised.sqlite", schema: schema, permissions: 0o600)
            store.leavesFiles = true
            report = try Subset(options: options).run(from: source, into: store)
            try store.publish()
        } catch {
            Self.remove(path)
            throw error
        }
    }

    deinit { Self.remove(folder.path) }

    private static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
