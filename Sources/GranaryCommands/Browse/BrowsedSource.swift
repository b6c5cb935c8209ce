import Foundation
import GranaryBase
import GranaryBrowsing
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPostgreSQL
import GranaryRecords
import Synchronization

/// The store of `granary browse`, which each thread opens for itself.
final class BrowsedSource: Sendable {
    private enum Kind {
        case sqlite, archive, postgreSQL
    }

    /// A store of one thread.
    private struct Opened: BrowsedStore {
        let backend: any StoreBackend
        let path: String
        let kind: Kind
        /// The state of the file when it was opened.
        let status: FileStatus?

        var isCurrent: Bool {
            switch kind {
            // Writes change the file; another file in its place has another identity.
            case .sqlite: FileStatus(path: path)?.identity == status?.identity
            // An archive was read as a whole.
            case .archive: FileStatus(path: path) == status
            case .postgreSQL: true
            }
        }
    }

    /// The name of the store in titles, without folders and passwords.
    let name: String
    private let path: String
    private let kind: Kind
    private let model: ManagedObjectModel?
    private let timeout: Duration
    /// Warnings are printed once, not by each thread.
    private let hasWarned = Mutex(false)

    /// - Parameter models: the paths of the model; empty for the model that the store contains.
    /// - Throws: ``GranaryError`` if the model cannot be read.
    init(_ path: String, models: [String], _ options: StoreOptions) throws(GranaryError) {
        self.path = path
        timeout = options.timeout
        model = try ModelArgument.readIfGiven(models)
        if ConnectionText.isConnection(path) {
            kind = .postgreSQL
            name = ConnectionText.displayName(of: path)
        } else {
            kind = StoreFileFormat(fileAt: URL(filePath: path)) == .propertyList ? .archive : .sqlite
            name = URL(filePath: path).lastPathComponent
        }
    }

    /// The number of threads that read at the same time. An archive is in memory, once.
    var threads: Int { kind == .archive ? 1 : 4 }

    /// Opens the store.
    ///
    /// - Throws: ``GranaryError``, as the functions that open the kinds of stores, or restore an export.
    func open() throws -> any BrowsedStore {
        let status = FileStatus(path: path)
        return Opened(backend: try backend(), path: path, kind: kind, status: status)
    }

    private func backend() throws -> any StoreBackend {
        switch kind {
        case .postgreSQL: return try PostgreSQLStores.openForReading(path, model: model, timeout: timeout)
        case .archive:
            // An export has no metadata.
            if (try? ArchiveStore.metadata(path: path)) == nil,
                let store = try ExportedStore.restore(path, model: model)
            {
                return store
            }
            guard let model else { return try ArchiveStore.openWithOwnModel(path: path, readOnly: true) }
            return try ArchiveStore.open(path: path, schema: try model.resolved(), readOnly: true)
        case .sqlite:
            var warnings: [Diagnostic] = []
            let store = try SQLiteStore.openForBrowsing(
                path: path, model: model, busyTimeout: timeout, warnings: &warnings)
            store.leavesFiles = true
            let isFirst = hasWarned.withLock { hasWarned in
                defer { hasWarned = true }
                return !hasWarned
            }
            if isFirst { CommandOutput.log(warnings, limit: DiagnosticOptions.defaultLimit) }
            return store
        }
    }
}
