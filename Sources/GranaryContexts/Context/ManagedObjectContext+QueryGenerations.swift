public import GranaryBase
public import GranaryCoordination

extension ManagedObjectContext {
    /// A context that cannot save. It keeps one state of the stores, if one of them can.
    convenience init(reading coordinator: PersistentStoreCoordinator) throws(GranaryError) {
        self.init(coordinator: coordinator)
        isForReading = true
        if coordinator.hasQueryGenerations { try setQueryGeneration(.current) }
    }

    /// - Throws: ``GranaryError`` with code `usage` if the context was made by `PersistentContainer.read`.
    func checkMayWrite() throws(GranaryError) {
        guard isForReading else { return }
        throw GranaryError(
            .usage, "a context of PersistentContainer.read cannot write; use perform or performBackgroundTask")
    }

    /// The state of the stores that the context reads; nil if it reads the present state each time.
    /// (`queryGenerationToken`)
    public var queryGenerationToken: QueryGenerationToken? {
        queryGeneration.map { QueryGenerationToken(generation: $0) }
    }

    /// Makes all fetches and faults read one state of the stores, whatever others save meanwhile.
    /// (`setQueryGenerationFrom(_:)`)
    ///
    /// With ``QueryGenerationToken/current`` it is the state at the next read. The token of another context gives the
    /// same state, and nil ends it. A save of this context, a merge, ``reset()`` and a conflict move the context to the
    /// state at that time. Saves compare with the present state of the stores, as without a token. Batch requests change
    /// the present state, too.
    ///
    /// Only SQLite stores with a write-ahead log can keep a state (``PersistentStoreDescription/JournalMode/wal``). Each
    /// token in use holds a connection, at most 64 a store, and the log cannot shrink before it is released.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the context has a parent, which it reads; if no store can keep a
    ///   state; or if the token belongs to another container.
    public func setQueryGeneration(_ token: QueryGenerationToken?) throws(GranaryError) {
        guard let token else {
            queryGeneration = nil
            return
        }
        guard parent == nil else {
            throw GranaryError(
                .usage, "a child context reads its parent; set the query generation of the topmost context")
        }
        guard persistentStoreCoordinator.hasQueryGenerations else {
            throw GranaryError(
                .usage,
                "query generations require an SQLite store that is open for writing with a write-ahead log; set "
                    + "journalMode = .wal in its PersistentStoreDescription")
        }
        if let generation = token.generation, generation.coordinator !== persistentStoreCoordinator {
            throw GranaryError(.usage, "the query generation belongs to another container")
        }
        queryGeneration = token.generation ?? QueryGeneration(persistentStoreCoordinator)
    }

    /// Moves a context with a query generation to the state at the next read.
    func advanceQueryGeneration() {
        if queryGeneration != nil { queryGeneration = QueryGeneration(persistentStoreCoordinator) }
    }

    /// What rows are read at: rows of another generation are not used again.
    var generation: Int {
        var top = self
        while let parent = top.parent { top = parent }
        return top.queryGeneration?.number ?? persistentStoreCoordinator.generation
    }

    /// Runs `body` to read a store, in one snapshot and in the query generation. `body` must not use the context.
    func reading<Result>(
        _ store: PersistentStore, _ body: (any StoreBackend) throws -> sending Result
    ) throws -> sending Result {
        var top = self
        while let parent = top.parent { top = parent }
        return try store.reading(top.queryGeneration, body)
    }
}
