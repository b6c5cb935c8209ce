import GranaryCoordination

/// The result of resolution: which records are rejected, and the objects that the references of the others mean.
struct ResolvedImport {
    let read: ReadImport
    /// The records that were rejected after reading.
    let rejected: RejectedRecordSet
    /// The references of accepted records, in the order of reading.
    let references: [ReferenceResolver.Resolved]
    /// The objects that references create.
    let creator: MissingObjectCreator
    /// For each root entity, the highest primary key in stored references to missing objects.
    let missingKeys: [Int: Int64]
    /// Stored objects whose unique values other objects take over.
    let freed: [FreedKey]
}
