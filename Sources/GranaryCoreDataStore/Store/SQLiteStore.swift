package import GranaryBase
package import GranaryCoordination
package import GranaryModel
package import GranarySQLite

/// A store in Core Data's SQLite layout.
///
/// Opened on a file that exists, it checks that the file was written for the model. A file that does not exist yet is
/// built under a temporary name beside its own; ``publish()`` gives it its name, so that there is the whole store or none.
package final class SQLiteStore: PersistentStore {
    package let schema: Schema
    package let layout: StoreLayout
    package internal(set) var metadata: StoreMetadata
    /// Where the store lies in the end.
    package let path: String
    package internal(set) var connection: Connection
    package let sql: StoreSQL
    let busyTimeout: Duration
    /// The tables of the persistent history; nil where the store has none.
    var history: HistoryTables?
    /// Who the history says made the transactions from now on. (`NSManagedObjectContext.transactionAuthor`)
    package var transactionAuthor: String?
    /// The name of the context that the transactions from now on are of.
    package var contextName: String?
    /// SQLite's count of changes to the schema when the file was looked over; nil for a store in the making.
    var checkedSchema: Int64?
    /// The objects of the schema when the file was last checked.
    private var checkedObjects: Set<SchemaObject> = []
    /// The number of the last transaction in the history that this connection has written; nil for none.
    package var lastRecordedTransaction: Int64?
    /// The file of a new store, under its temporary name; nil once the store is published.
    var partial: PartialFile?
    /// The files with external data of a store in the making, which go with it.
    var unpublishedFiles: [String] = []
    /// The logs that name those files. They are removed when the files were removed or the store is published.
    var unpublishedLogs: [ExternalFilesLog] = []
    /// The before-images of runs into a store in the making, which go with it.
    var unpublishedRuns: [RunFolder] = []
    /// What the metadata are when the transaction that runs is committed.
    var pendingMetadata: StoreMetadata?
    /// Whether ``ship(identifier:)`` works the UUID out: this object has made the store, and nobody has named one.
    var derivesIdentifier = false
    /// Whether large external files are read only on demand; only for stores opened for reading.
    package var leavesFiles = false
    /// Whether this object has made the store.
    var isOwnMaking = false

    package var identifier: String { metadata.identifier }
    package var isPublished: Bool { partial == nil }
    package var isReadOnly: Bool { connection.mode == .readOnly }
    /// A NUMERIC column keeps a Decimal as a double.
    package var keepsExactDecimals: Bool { false }

    package init(
        schema: Schema, layout: StoreLayout, metadata: StoreMetadata, path: String, connection: Connection,
        busyTimeout: Duration, partial: PartialFile? = nil
    ) {
        self.schema = schema
        self.layout = layout
        self.metadata = metadata
        self.path = path
        self.connection = connection
        self.busyTimeout = busyTimeout
        self.partial = partial
        sql = StoreSQL(schema: schema, layout: layout)
    }

    deinit {
        guard let partial else { return }
        // Before the file goes: SQLite may still write to it when it closes.
        try? connection.close()
        PublishedFile.discard(partial.path)
        ExternalFolder.discard(unpublishedFiles, ofStore: path)
        for folder in unpublishedRuns { folder.remove() }
    }

    /// Opens a store that exists.
    ///
    /// - Parameters:
    ///   - readOnly: whether ``transaction(_:)`` will be refused. The file and its folder then stay as they are, and may be
    ///     write-protected or in use; it may have what only Core Data may write to (CloudKit's tables).
    ///   - tracksHistory: whether a store without a persistent history gets one. A store that has one keeps it in any
    ///     case.
    ///   - comparesHashes: false where the model is known to be the store's, whatever its hashes (``StoreModel``).
    ///   - busyTimeout: how long to wait for another process that has locked the file.
    ///   - once: whether a read-only store need not see what others write from now on.
    ///   - isInferred: whether the model is read off the store's tables. Version hashes then say nothing, and the store can
    ///     only be read.
    /// - Throws: ``GranaryError``: `unreadable` without a file, `refused` when it is no Core Data store, was written for
    ///   another model, or has in it what Granary must not write beside (what is wrong is in the diagnostics), `busy` when
    ///   another process holds it longer than `busyTimeout`.
    package static func open(
        path: String, schema: Schema, readOnly: Bool = false, tracksHistory: Bool = false,
        busyTimeout: Duration = .seconds(5), isInferred: Bool = false,
        comparesHashes: Bool = true, once: Bool = false
    ) throws(GranaryError) -> SQLiteStore {
        guard readOnly || !isInferred else {
            throw GranaryError(.refused, "\(path): its model is not known; name it with --model")
        }
        return try converting {
            let connection =
                try readOnly
                ? Connection.reading(path: path, busyTimeout: busyTimeout, once: once)
                : Connection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
            try checkLength(connection)
            let schemaVersion = try connection.integer(pragma: "schema_version")
            let objects = try connection.schema()
            let metadata = try StoreMetadata.read(connection, objects)
            if comparesHashes, !isInferred {
                try refuse("\(path): the model does not fit the store", metadata.differences(from: schema))
            }
            let present = try PresentTables(connection, objects)
            let layout = StoreLayoutBuilder.layout(for: schema, present: present)
            let check = LayoutCheck(connection: connection, schema: schema, layout: layout, present: present)
            try refuse("\(path): the store is not laid out as its model says", try check.problems())
            if !readOnly {
                let problems =
                    WriteGuard.problems(objects, derivedColumns: layout.derivedColumns(of: schema))
                    + HistoryTables.problems(present) + check.affinityProblems()
                try refuse("\(path): the store can be read, but not written", problems)
                // Removes the partial files of processes that were killed while they created this store, and their external
                // files.
                PartialFile.removeAbandoned(of: path)
                try ExternalFilesLog.removeAbandonedFiles(ofStore: path, connection)
            }
            let store = SQLiteStore(
                schema: schema, layout: layout, metadata: metadata, path: path, connection: connection,
                busyTimeout: busyTimeout)
            try store.openHistory(present, tracksHistory: tracksHistory)
            store.checkedSchema = schemaVersion
            store.checkedObjects = Set(objects)
            // A history that was begun here has changed it.
            if tracksHistory { try store.noteSchema() }
            return store
        }
    }

    /// SQLite itself fills up a page that is cut off with zeros, and reads those.
    package static func checkLength(_ connection: Connection) throws {
        guard let pageSize = try connection.integer(pragma: "page_size"), pageSize > 0,
            let length = connection.fileLength, length % pageSize != 0
        else { return }
        throw GranaryError(
            Diagnostic(
                .storeCorrupt,
                "\(connection.path): the file is cut off: \(length) bytes are not a multiple of its page size, "
                    + "\(pageSize)"))
    }

    private static func refuse(_ message: String, _ problems: [Diagnostic]) throws(GranaryError) {
        guard problems.isEmpty else { throw GranaryError(.refused, message, diagnostics: problems) }
    }

    package func setAuthor(_ author: String?, contextName: String?) {
        transactionAuthor = author
        self.contextName = contextName
    }

    /// Notes the present schema as checked.
    func noteSchema() throws {
        checkedSchema = try connection.integer(pragma: "schema_version")
        checkedObjects = Set(try connection.schema())
    }

    /// Others may have begun a history, made triggers or moved the store to another model since the file was looked over.
    private func checkSchemaIsKnown() throws {
        let version = try connection.integer(pragma: "schema_version")
        guard let checkedSchema, version != checkedSchema else { return }
        // A large import drops indexes and creates them again.
        if Set(try connection.schema()) == checkedObjects {
            self.checkedSchema = version
            return
        }
        throw GranaryError(
            .busy,
            "\(path): its tables were changed by another program since it was opened; nothing was written, open it again"
        )
    }

    /// - Throws: whatever `body` throws, SQLite's errors as ``GranaryError``; `usage` when the store is read-only.
    package func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        try transaction(recording: nil, body)
    }

    /// - Throws: also `refused` where a run of that name is there already, or the store has a table whose rows cannot be
    ///   recorded; `uncreatable` and `inputOutput` when the before-images cannot be written.
    package func transaction<Result>(
        recording run: String?, _ body: (any StoreWriter) throws -> Result
    ) throws -> Result {
        guard !isReadOnly else {
            throw GranaryError(.usage, "\(path): the store was opened for reading only")
        }
        return try withOwnName {
            try withRunRecorder(run) { recorder in
                try withExternalFiles { files in
                    try connection.transaction(.immediate) {
                        try checkSchemaIsKnown()
                        try recorder?.begin()
                        let writer = SQLiteWriter(store: self, files: files, recorder: recorder)
                        try writer.history?.begin()
                        let result = try body(writer)
                        try writer.completeIndexes()
                        try writer.history?.finish()
                        try files.prepareCommit()
                        try recorder?.finish(files)
                        return result
                    }
                }
            }
        }
    }
}

extension SQLiteStore {
    /// Runs `body` and turns SQLite's errors into ``GranaryError``, with the name by which the user knows the store.
    private func withOwnName<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try translating(body) } catch var error as GranaryError {
            if let partial { error.message.replace(partial.path, with: path) }
            throw error
        }
    }
}
