package import Foundation
package import GranaryBase
import GranaryCoordination
package import GranaryModel
import GranarySQLite

extension SQLiteStore {
    /// Opens the store of that name, or makes an empty one where there is nothing.
    ///
    /// Another process that makes the store at the same time wins: its store is then opened.
    ///
    /// - Throws: ``GranaryError``, as ``open(path:schema:readOnly:tracksHistory:busyTimeout:)`` and
    ///   ``create(path:schema:tracksHistory:busyTimeout:identifier:like:)``.
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

    /// Starts an empty store under a temporary name. Where it is never published, the file goes with the object.
    ///
    /// - Parameters:
    ///   - tracksHistory: whether the store keeps a persistent history.
    ///   - identifier: its UUID; nil for a new one.
    ///   - template: the store whose names of join tables are taken, with the same schema; nil for Granary's own.
    /// - Throws: ``GranaryError`` with code `uncreatable` when there is something of its final name, or none can be made.
    package static func create(
        path: String, schema: Schema, tracksHistory: Bool = false, busyTimeout: Duration = .seconds(5),
        identifier: UUID? = nil, like template: StoreTemplate? = nil
    ) throws(GranaryError) -> SQLiteStore {
        try checkNameIsFree(path)
        let layout = StoreLayoutBuilder.layout(for: schema, present: template?.present ?? PresentTables())
        try checkLimits(layout, schema, path)
        let metadata = StoreMetadata(schema: schema, identifier: (identifier ?? UUID()).uuidString)
        try converting { try ExternalFilesLog.removeAbandonedFiles(ofStore: path, nil) }
        // The mode that SQLite gives a new database.
        let partial = try PartialFile.create(for: path, permissions: 0o644)
        let buildPath = partial.path
        do throws(GranaryError) {
            return try converting {
                let connection = try Connection(path: buildPath, mode: .create, busyTimeout: busyTimeout)
                let store = SQLiteStore(
                    schema: schema, layout: layout, metadata: metadata, path: path, connection: connection,
                    busyTimeout: busyTimeout, partial: partial)
                store.isOwnMaking = true
                store.derivesIdentifier = identifier == nil
                try store.writeEmptyStore(tracksHistory: tracksHistory)
                return store
            }
        } catch {
            PublishedFile.discard(buildPath)
            // The user knows the store by its own name.
            var error = error
            error.message.replace(buildPath, with: path)
            throw error
        }
    }

    /// Gives a new store its name, and goes on with it under that name. What is there already is never replaced.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable` or `inputOutput` when there is no store of that name now; the
    ///   temporary file goes with this object, which is of no more use.
    package func publish() throws(GranaryError) {
        guard let partial else { return }
        try Self.checkNameIsFree(path)
        try converting { try connection.close() }
        try PublishedFile.publish(partial.path, as: path)
        self.partial = nil
        unpublishedFiles = []
        unpublishedLogs = []
        unpublishedRuns = []
        // SQLite finds its journals by the file's name, so the old connection could not go on.
        connection = try converting { try Connection(path: path, mode: .readWrite, busyTimeout: busyTimeout) }
        try converting { try noteSchema() }
    }

    /// SQLite would take what a store that is gone has left behind for a journal of the new one, and destroy it.
    private static func checkNameIsFree(_ path: String) throws(GranaryError) {
        guard !PublishedFile.isTaken(path) else { throw GranaryError(.uncreatable, "\(path): exists already") }
        for suffix in PublishedFile.companionSuffixes where PublishedFile.isTaken(path + suffix) {
            throw GranaryError(
                .uncreatable,
                "\(path): \(path + suffix) is left from an earlier store of that name; move it away or remove it")
        }
    }

    private static func checkLimits(_ layout: StoreLayout, _ schema: Schema, _ path: String) throws(GranaryError) {
        for table in layout.tables where table.columns.count + 3 > StoreLayout.columnLimit {
            let entity = schema.entities[table.root].name
            throw GranaryError(
                Diagnostic(
                    .limitExceeded,
                    "\(path): \(entity) and its subentities need \(table.columns.count + 3) columns, and SQLite's limit "
                        + "is \(StoreLayout.columnLimit)", entity: entity))
        }
    }

    /// The settings of the connection to a store in the making.
    static let buildSettings = """
        PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA cache_size = -4096; PRAGMA secure_delete = OFF
        """

    /// Pragmas, tables and bookkeeping rows of a store without objects.
    private func writeEmptyStore(tracksHistory: Bool) throws {
        // The first two are what Core Data sets; they must come before the first table. The rest is for speed and stays
        // with this connection: the journal lies in memory and nothing is synced while the file has a temporary name. If
        // this process dies, the file is not the store.
        try connection.execute(
            """
            PRAGMA page_size = 4096; PRAGMA auto_vacuum = 2; \(Self.buildSettings)
            """)
        try connection.transaction(.exclusive) {
            for statement in layout.creationSQL(schema: schema) { try connection.execute(statement) }
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
                try metadata.propertyList().withUnsafeBufferPointer { try statement.bindBlob($0, at: 2) }
                try statement.run()
            }
            try writeModelCache()
            if tracksHistory { try createHistory() }
        }
    }
}
