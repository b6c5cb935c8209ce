import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryRecords

/// The model with which a store is read for its migration.
enum MigratedModel {
    case sqlite(StoreModel)
    case archive(ArchiveMigration)

    /// - Parameter given: the model of the store; nil for the one in it. An archive always has its own.
    init(path: String, isArchive: Bool, given: ManagedObjectModel?, timeout: Duration) throws(GranaryError) {
        self =
            isArchive
            ? .archive(try ArchiveMigration(path: path))
            : .sqlite(try StoreModel.read(path: path, given: given, busyTimeout: timeout))
    }

    var schema: Schema {
        switch self {
        case .sqlite(let model): model.schema
        case .archive(let migration): migration.source.schema
        }
    }

    /// Whether the model was guessed from tables, so that it cannot be migrated.
    var isInferred: Bool { if case .sqlite(let model) = self { model.source == .inferred } else { false } }

    var warnings: [Diagnostic] { if case .sqlite(let model) = self { model.warnings } else { [] } }

    /// Whether a file is a property list, not an SQLite store.
    static func isArchive(_ path: String) -> Bool {
        StoreFileFormat(fileAt: URL(filePath: path)) == .propertyList
    }

    static func versionHashes(path: String, isArchive: Bool) throws(GranaryError) -> [String: Data] {
        isArchive ? try ArchiveStore.metadata(path: path).versionHashes : try SQLiteStore.versionHashes(path: path)
    }
}
