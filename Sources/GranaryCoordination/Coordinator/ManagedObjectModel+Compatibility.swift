public import GranaryBase
public import GranaryModel

extension ManagedObjectModel {
    /// Checks whether a store with this metadata can be opened with the model: the store and the configuration must
    /// have the same entities with the same version hashes. (`isConfiguration(withName:compatibleWithStoreMetadata:)`)
    ///
    /// ```swift
    /// let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: .sqlite(url))
    /// if try !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { … }
    /// ```
    ///
    /// - Parameter name: the configuration; nil for all entities.
    /// - Throws: ``GranaryError``: `refused` if the model has problems, `usage` if it has no such configuration.
    public func isConfiguration(
        withName name: String?, compatibleWithStoreMetadata metadata: PersistentStoreMetadata
    ) throws(GranaryError) -> Bool {
        let choice = try ConfigurationChoice(name, of: try resolved())
        return choice.schema.versionHashes == metadata.modelVersionHashes
    }
}

extension ManagedObjectModel {
    /// The key that marks inferred models, entities and relationships in their notes.
    package static let inferredNote = "inferred"

    /// Whether the model was inferred from a store's tables.
    package var isInferred: Bool { notes[Self.inferredNote] != nil }
}
