import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPostgreSQL
import GranaryRecords

/// The model with which a store is read for its migration.
enum MigratedModel {
    case sqlite(StoreModel)
    case archive(ArchiveMigration)
    case database(Schema)

    /// - Parameter given: the model of the store; nil for the one in it. An archive always has its own.
    init(_ store: MigratedStoreFile, given: ManagedObjectModel?) throws(GranaryError) {
        if store.isInDatabase {
            let model: ManagedObjectModel
            if let given {
                model = given
            } else {
                model = try PostgreSQLStores.model(store.path, timeout: store.timeout)
            }
            self = .database(try model.resolved())
            return
        }
        self =
            store.isArchive
            ? .archive(try ArchiveMigration(path: store.path))
            : .sqlite(try StoreModel.read(path: store.path, given: given, busyTimeout: store.timeout))
    }

    var schema: Schema {
        switch self {
        case .sqlite(let model): model.schema
        case .archive(let migration): migration.source.schema
        case .database(let schema): schema
        }
    }

    /// Whether the model was guessed from tables, so that it cannot be migrated.
    var isInferred: Bool { if case .sqlite(let model) = self { model.source == .inferred } else { false } }

    var warnings: [Diagnostic] { if case .sqlite(let model) = self { model.warnings } else { [] } }
}
