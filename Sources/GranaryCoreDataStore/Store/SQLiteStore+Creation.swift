package import Foundation
package import GranaryBase
import GranaryCoordination
package import GranaryModel
import GranarySQLite

extension SQLiteStore {
    /// Opens the store at a path, or creates an empty one if nothing exists there.
    ///
    /// If another process creates the store at the same time, that store is opened.
    ///
    /// - Throws: ``GranaryError``, as ``open(path:schema:readOnly:tracksHistory:busyTimeout:)`` and
    ///   ``create(path:schema:tracksHistory:busyTimeout:identifier:like:permissions:replacing:)``.
    package static func openOrCreate(
        path: String, schema: Schema, tracksHistory: Bool = false, busyTimeout: Duration = .seconds(5),
        comparesHashes: Bool = true
    ) throws(GranaryError) -> sending SQLiteStore {
        guard !PublishedFile.isTaken(path) else {
            return try open(
                path: path, schema: schema, tracksHistory: tracksHistory, busyTimeout: busyTimeout,
                comparesHashes: comparesHashes)
        }
        let store = try create(path: path, schema: schema, tracksHistory: tracksHistory, busyTimeout: busyTimeout)
        do throws(GranaryError) {
            try store.publish()
            return store
        } catch {
            guard error.code == .uncreatable, PublishedFile.isTaken(path) else { throw error }
            return try open(
                path: path, schema: schema, tracksHistory: tracksHistory, busyTimeout: busyTimeout,
                comparesHashes: comparesHashes)
        }
    }

    /// Creates an empty store under a temporary name. The file is removed with the object unless ``publish()`` is
    /// called.
    ///
    /// - Parameters:
    ///   - tracksHistory: whether the store keeps a persistent history.
    ///   - identifier: the UUID of the store; nil for a new one.
    ///   - template: the store with the same schema from which join table names are taken; nil for Granary's names.
    ///   - permissions: the file's mode; the umask is applied. SQLite itself creates databases with the default.
    ///   - replacing: whether a store may have the final name. ``publish()`` replaces it.
    /// - Throws: ``GranaryError`` with code `uncreatable` if a file with the final name exists or none can be created.
    package static func create(
        path: String, schema: Schema, tracksHistory: Bool = false, busyTimeout: Duration = .seconds(5),
        identifier: UUID? = nil, like template: StoreTemplate? = nil, permissions: UInt32 = 0o644,
        replacing: Bool = false
    ) throws(GranaryError) -> SQLiteStore {
        let isTaken = replacing && PublishedFile.isTaken(path)
        if !isTaken { try checkNameIsFree(path) }
        let layout = StoreLayoutBuilder.layout(for: schema, present: template?.present ?? PresentTables())
        try checkLimits(layout, schema, path)
        let metadata = StoreMetadata(schema: schema, identifier: (identifier ?? UUID()).uuidString)
        // The files that a log names can belong to the store that is replaced later.
        if !isTaken { try converting { try ExternalFilesLog.removeAbandonedFiles(ofStore: path, nil) } }
        let partial = try PartialFile.create(for: path, permissions: permissions)
        let buildPath = partial.path
        do throws(GranaryError) {
            return try converting {
                let connection = try Connection(path: buildPath, mode: .create, busyTimeout: busyTimeout)
                let store = SQLiteStore(
                    schema: schema, layout: layout, metadata: metadata, path: path, connection: connection,
                    busyTimeout: busyTimeout, partial: partial)
                store.isOwnMaking = true
                store.replacesStore = isTaken
                store.derivesIdentifier = identifier == nil
                try store.writeEmptyStore(tracksHistory: tracksHistory)
                try allowTrees(connection, try connection.schema(), schema: schema, layout: layout)
                return store
            }
        } catch {
            PublishedFile.discard(buildPath)
            // Error messages name the final path.
            var error = error
            error.message.replace(buildPath, with: path)
            throw error
        }
    }

    /// Gives a new store its final name and reopens it there. An existing file is never replaced, except a store that
    /// ``create(path:schema:tracksHistory:busyTimeout:identifier:like:permissions:replacing:)`` was told to replace. At
    /// every moment, that store or the new one has the name.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable` or `inputOutput` if the store could not be renamed. This
    ///   object must then not be used any more; the temporary file is removed with it. If a file of the replaced store
    ///   cannot be removed, the message says that the new store is complete.
    package func publish() throws(GranaryError) {
        guard let partial else { return }
        var old: [StoreBelongings] = []
        if replacesStore, PublishedFile.isTaken(path) {
            let own = try converting { try Self.namedFiles(connection) }
            try converting { try connection.close() }
            old = try Self.replace(path: path, with: partial.path, keeping: own, busyTimeout: busyTimeout)
        } else {
            try Self.checkNameIsFree(path)
            try converting { try connection.close() }
            try PublishedFile.publish(partial.path, as: path)
        }
        self.partial = nil
        unpublishedFiles = []
        unpublishedLogs = []
        unpublishedRuns = []
        // SQLite derives the names of journals from the file's name, so the old connection cannot be used any more.
        connection = try converting { try Connection(path: path, mode: .readWrite, busyTimeout: busyTimeout) }
        try converting {
            try noteSchema()
            try Self.allowTrees(connection, try connection.schema(), schema: schema, layout: layout)
            try applyJournal()
            if schema.model.isSwiftData { history = HistoryTables(schema: schema) }
        }
        guard replacesStore else { return }
        replacesStore = false
        do throws(GranaryError) {
            for part in old { try part.remove() }
            // Of killed processes that were to replace the old store.
            try converting { try ExternalFilesLog.removeAbandonedFiles(ofStore: path, connection) }
        } catch {
            throw GranaryError(
                error.code, "\(path): the new store is complete, but a file of the old one is left: \(error.message)",
                underlying: error)
        }
    }

    /// Checks that no file and no journal has the name. SQLite would apply the journal of a removed store to the new
    /// one and destroy it.
    private static func checkNameIsFree(_ path: String) throws(GranaryError) {
        guard !PublishedFile.isTaken(path) else { throw GranaryError(.uncreatable, "\(path): already exists") }
        for suffix in PublishedFile.companionSuffixes where PublishedFile.isTaken(path + suffix) {
            throw GranaryError(
                .uncreatable,
                "\(path): \(path + suffix) belongs to an earlier store of that name; move or remove it")
        }
    }

    private static func checkLimits(_ layout: StoreLayout, _ schema: Schema, _ path: String) throws(GranaryError) {
        for table in layout.tables where table.columns.count + 3 > StoreLayout.columnLimit {
            let entity = schema.entities[table.root].name
            throw GranaryError(
                Diagnostic(
                    .limitExceeded,
                    "\(path): \(entity) and its subentities need \(table.columns.count + 3) columns; SQLite's limit is "
                        + "\(StoreLayout.columnLimit)", entity: entity))
        }
    }

    /// The pragmas of the connection to an unpublished store.
    static let buildSettings = """
        PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA cache_size = -4096; PRAGMA secure_delete = OFF
        """

    /// Writes the pragmas, tables and bookkeeping rows of a store without objects.
    private func writeEmptyStore(tracksHistory: Bool) throws {
        // Core Data sets the first two pragmas; they must precede the first table. The others make writing faster and
        // apply to this connection only. A crash may leave a broken file, but only under the temporary name.
        try connection.execute(
            """
            PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2; \(Self.buildSettings)
            """)
        try connection.transaction(.exclusive) {
            try connection.createSchema(layout.creationSQL(schema: schema))
            let insertNumber = "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)"
            try connection.withStatement(insertNumber) { statement in
                for entity in schema.entities {
                    try statement.bind(Int64(entity.number), at: 1)
                    try statement.bind(entity.name, at: 2)
                    try statement.bind(Int64(entity.superentity.map { $0 + 1 } ?? 0), at: 3)
                    try statement.run()
                }
            }
            let insertMetadata = "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)"
            try connection.withStatement(insertMetadata) { statement in
                try statement.bind(metadata.identifier, at: 1)
                try statement.bind(blob: metadata.propertyList(), at: 2)
                try statement.run()
            }
            try writeModelCache()
            if tracksHistory {
                try createHistory()
            } else if schema.model.isSwiftData {
                try createUnusedHistory()
            }
        }
    }
}
