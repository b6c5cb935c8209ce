import GranaryBase
public import GranaryFormats
public import GranaryPersistence

extension Exporter {
    /// Exports what a container's store holds. Unsaved changes of contexts are no part of it.
    ///
    /// - Throws: ``GranaryError``: `usage` for entities and columns that the model does not have; `refused`, naming
    ///   object and property, for a cell that is no value of its attribute, a reference to nothing, and what the
    ///   writer's format cannot hold; `inputOutput` when reading or writing fails on the way. What the writer has
    ///   written then gets no name.
    @discardableResult
    public func run(_ container: PersistentContainer, into writer: some RecordWriter) async throws -> ExportReport {
        try container.withStore { store in try run(store, into: writer) }
    }
}
