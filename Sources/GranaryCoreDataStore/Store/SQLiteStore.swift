package import GranaryBase
package import GranaryCoordination
package import GranaryModel
package import GranarySQLite

/// A store in Core Data's SQLite layout.
///
/// Opening an existing file checks that it was written for the model. A new store is built under a temporary name in
/// the same folder. ``publish()`` renames the complete file, so an incomplete store never has the final name.
package final class SQLiteStore: StoreBackend, ExternalFileReading {
    package let schema: Schema
    package let layout: StoreLayout
    package internal(set) var metadata: StoreMetadata
    /// The final path of the store.
    package let path: String
    package internal(set) var connection: Connection
    package let sql: StoreSQL
    let busyTimeout: Duration
    /// The tables of the persistent history; nil if the store has none.
    var history: HistoryTables?
    /// The author that the history records for the next transactions. (`NSManagedObjectContext.transactionAuthor`)
    package var transactionAuthor: String?
    /// The context name that the history records for the next transactions.
    package var contextName: String?
    /// SQLite's schema version when the file was last checked; nil for an unpublished store.
    var checkedSchema: Int64?
    /// The schema's tables, indexes and triggers when the file was last checked.
    private var checkedObjects: Set<SchemaObject> = []
    /// The number of the last history transaction that this connection wrote; nil if it wrote none.
    package var lastRecordedTransaction: Int64?
    /// The history transaction that the open transaction writes; nil if it writes none.
    var openHistoryTransaction: Int64?
    private var transactionLogs: [TransactionLog.Reference] = []
    /// The temporary file of a new store; nil after the store is published.
    var partial: PartialFile?
    /// The external files of an unpublished store. They are removed if it is never published.
    var unpublishedFiles: [String] = []
    /// The logs that name those files. They are removed when the files were removed or the store is published.
    var unpublishedLogs: [ExternalFilesLog] = []
    /// The before-images of runs into an unpublished store. They are removed if it is never published.
    var unpublishedRuns: [RunFolder] = []
    /// The metadata that take effect when the current transaction commits.
    var pendingMetadata: StoreMetadata?
    /// Whether ``ship(identifier:)`` derives the UUID from the content: this object created the store without a given
    /// UUID.
    var derivesIdentifier = false
    /// Whether large external files are read only on demand. Only stores opened for reading support this.
    package var leavesFiles = false
    /// Collects missing external files, whose values are then NULL; nil if they are errors.
    package var missingFiles: MissingExternalFiles?
    /// Whether columns have only values of their attributes' storage classes, as far as searches have asked
    /// (``readsAsStored(_:column:as:)``).
    var columnsReadAsStored: [String: Bool] = [:]
    /// Whether tables are checked for damage before rows are read through indexes or by their keys: the store is read
    /// once, by a command.
    var verifiesTables = false
    /// What was checked of which tables.
    var verifiedTables: [String: Requirement] = [:]
    /// Whether this object created the store.
    var isOwnMaking = false
    /// Whether ``publish()`` replaces the store that has the final name.
    var replacesStore = false
    /// The snapshots that connections to the store are reading. Those for reading share it with the writing one.
    var snapshotUse = SnapshotUse()
    /// Whether ``pin()`` keeps a snapshot.
    var isPinned = false
    /// The logs of superfluous external files that rows of snapshots can name.
    var keptLogs: [ExternalFilesLog] = []
    /// The journal settings that ``publish()`` makes; nil values are not set.
    var journal = JournalSettings()

    package var identifier: String { metadata.identifier }
    package var isPublished: Bool { partial == nil }
    package var isReadOnly: Bool { connection.mode == .readOnly }
    /// False: a NUMERIC column stores a Decimal as a double.
    package var capabilities: StoreCapabilities {
        [.history, .revertibleRuns, .pageLoading, .userMetadata, .fileCells, .nullCharacters]
    }

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
        unpin()
        removeKeptFiles()
        guard let partial else { return }
        // Close first: SQLite may write to the file when it closes the connection.
        try? connection.close()
        PublishedFile.discard(partial.path)
        ExternalFolder.discard(unpublishedFiles, ofStore: path)
        for folder in unpublishedRuns { folder.remove() }
    }

    /// Opens an existing store.
    ///
    /// - Parameters:
    ///   - readOnly: whether ``transaction(_:)`` throws. The file and its folder are then not changed, and may be
    ///     write-protected or in use. The store may contain tables that only Core Data may write, such as CloudKit's.
    ///   - tracksHistory: whether to create a persistent history if the store has none. An existing history is always
    ///     kept.
    ///   - comparesHashes: false if the model is known to be the store's, whatever its hashes (``StoreModel``).
    ///   - busyTimeout: how long to wait for another process that has locked the file.
    ///   - once: whether a read-only store may miss later changes by other processes.
    ///   - isInferred: whether the model is inferred from the store's tables. Version hashes are then not compared, and
    ///     the store can only be read.
    /// - Throws: ``GranaryError``: `unreadable` if the file does not exist; `refused` if it is not a Core Data store,
    ///   was written for another model, or contains tables or triggers that make writing unsafe (the diagnostics list
    ///   them); `busy` if another process holds it longer than `busyTimeout`.
    package static func open(
        path: String, schema: Schema, readOnly: Bool = false, tracksHistory: Bool = false,
        busyTimeout: Duration = .seconds(5), isInferred: Bool = false,
        comparesHashes: Bool = true, once: Bool = false
    ) throws(GranaryError) -> SQLiteStore {
        guard readOnly || !isInferred else {
            throw GranaryError(
                .refused, "\(path): the store contains no model, and an inferred model cannot be used for writing",
                help: "--model MODEL")
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
                try refuse(
                    "\(path): the model does not fit the store; without a model, its own one is used, and granary model diff "
                        + "compares the two", metadata.differences(from: schema))
            }
            let present = try PresentTables(connection, objects)
            let layout = StoreLayoutBuilder.layout(for: schema, present: present)
            let check = LayoutCheck(connection: connection, schema: schema, layout: layout, present: present)
            try refuse("\(path): the store's tables do not match its model", try check.problems())
            try refuse("\(path): rows have no valid primary key", try check.keyProblems())
            if !readOnly {
                let problems =
                    WriteGuard.problems(objects, schema: schema, layout: layout)
                    + HistoryTables.problems(present) + check.affinityProblems()
                try refuse("\(path): the store can be read but not written", problems)
                try allowTrees(connection, objects, schema: schema, layout: layout)
                // Removes the partial files of processes that were killed while they created this store, and their
                // external files.
                PartialFile.removeAbandoned(of: path)
                try ExternalFilesLog.removeAbandonedFiles(ofStore: path, connection)
            }
            let store = SQLiteStore(
                schema: schema, layout: layout, metadata: metadata, path: path, connection: connection,
                busyTimeout: busyTimeout)
            try store.openHistory(present, tracksHistory: tracksHistory)
            store.checkedSchema = schemaVersion
            store.checkedObjects = Set(objects)
            // Creating the history changes the schema.
            if tracksHistory { try store.noteSchema() }
            return store
        }
    }

    /// Checks that the file is not truncated: SQLite fills an incomplete page with zeros and reads them.
    package static func checkLength(_ connection: Connection) throws {
        guard let pageSize = try connection.integer(pragma: "page_size"), pageSize > 0,
            let length = connection.fileLength, length % pageSize != 0
        else { return }
        throw GranaryError(
            Diagnostic(
                .storeCorrupt,
                "\(connection.path): the file is truncated: \(length) bytes are not a multiple of its page size, "
                    + "\(pageSize)"))
    }

    /// Lets the triggers of R-trees write, if they and all other objects are Core Data's own. Each transaction checks
    /// that the schema is still the same.
    static func allowTrees(
        _ connection: Connection, _ objects: [SchemaObject], schema: Schema, layout: StoreLayout
    ) throws {
        guard objects.contains(where: \.isRTree),
            KnownTriggers(schema: schema, layout: layout).mayWriteTrees(objects)
        else { return }
        try connection.trustSchema()
    }

    private static func refuse(_ message: String, _ problems: [Diagnostic]) throws(GranaryError) {
        guard problems.isEmpty else { throw GranaryError(.refused, message, diagnostics: problems) }
    }

    package func setAuthor(_ author: String?, contextName: String?) {
        transactionAuthor = author
        self.contextName = contextName
    }

    /// - Throws: ``GranaryError`` with code `usage` if the store is read-only.
    func checkWritable() throws(GranaryError) {
        guard isReadOnly else { return }
        throw GranaryError(.usage, "\(path): the store was opened for reading only")
    }

    /// Records the current schema as checked.
    func noteSchema() throws {
        checkedSchema = try connection.integer(pragma: "schema_version")
        checkedObjects = Set(try connection.schema())
    }

    /// Checks that no other process has changed the schema since it was last checked: it may have created a history or
    /// triggers, or migrated the store.
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
            "\(path): another program changed its tables after it was opened; nothing was written, open it again"
        )
    }

    /// - Throws: what `body` throws, with SQLite's errors as ``GranaryError``; `usage` if the store is read-only.
    package func transaction<Result>(_ body: (any StoreWriter) throws -> Result) throws -> Result {
        try transaction(recording: nil, body)
    }

    /// - Throws: as ``transaction(_:)``; also `refused` if a run of that name exists or a table's rows cannot be
    ///   recorded; `uncreatable` or `inputOutput` if the before-images cannot be written.
    package func transaction<Result>(
        recording run: String?, _ body: (any StoreWriter) throws -> Result
    ) throws -> Result {
        try checkWritable()
        return try withOwnName {
            try withRunRecorder(run) { recorder in
                try withExternalFiles { files in
                    openHistoryTransaction = nil
                    let result = try connection.transaction(.immediate) {
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
                    noteCommit()
                    return result
                }
            }
        }
    }
}

extension SQLiteStore {
    package func dataVersion() throws -> Int64? { try connection.integer(pragma: "data_version") }

    package func add(_ log: TransactionLog) {
        transactionLogs.removeAll { $0.log == nil }
        transactionLogs.append(TransactionLog.Reference(log))
    }

    private func noteCommit() {
        guard let openHistoryTransaction else { return }
        for reference in transactionLogs { reference.log?.add(openHistoryTransaction) }
    }

    /// Runs `body` and converts SQLite's errors into ``GranaryError``, with the store's final path in the message.
    private func withOwnName<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try translating(body) } catch var error as GranaryError {
            if let partial { error.message.replace(partial.path, with: path) }
            throw error
        }
    }
}
