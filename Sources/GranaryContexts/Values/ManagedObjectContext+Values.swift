import GranaryCoordination
public import GranaryPredicates

/// Values of stored objects without the objects.
extension ManagedObjectContext {
    /// Returns the values of the stored objects of an entity and its subentities, without making objects. Unsaved
    /// changes are not included.
    ///
    /// Generated code has a form for each class: `context.values(of: Book.self, where: …)`.
    ///
    /// - Parameters:
    ///   - type: the structure of a generated class, `Book.Values`.
    ///   - predicate: the condition; nil for all objects.
    ///   - sort: the order; empty for that of the objects' keys.
    ///   - limit: the maximum number of results; 0 for all.
    ///   - offset: the number of results to skip.
    /// - Complexity: memory grows with the number of results.
    /// - Throws: as `fetch(_:)`; ``GranaryError`` with code `usage` if the model lacks a property of the structure.
    public func values<Values: ManagedObjectValues>(
        _ type: Values.Type, where predicate: ObjectPredicate? = nil, sort: [ObjectSortDescriptor] = [],
        limit: Int = 0, offset: Int = 0
    ) throws -> [Values] {
        try requireStores()
        var request = FetchRequest(Values.entityName, where: predicate)
        request.sortDescriptors = sort
        request.fetchLimit = limit
        request.fetchOffset = offset
        return try ValueSearch<Values>(request, context: self).values()
    }
}

extension PersistentContainer {
    /// Returns the values of stored objects, as the context's function of the same name, in the background.
    ///
    /// Generated code has a form for each class: `try await container.values(of: Book.self, where: …)`.
    ///
    /// - Throws: as the context's function.
    public func values<Values: ManagedObjectValues>(
        _ type: Values.Type, where predicate: ObjectPredicate? = nil, sort: [ObjectSortDescriptor] = [],
        limit: Int = 0, offset: Int = 0
    ) async throws -> [Values] {
        try await read { try $0.values(type, where: predicate, sort: sort, limit: limit, offset: offset) }
    }

    /// The `userInfo` with which a decoder decodes IDs and values of this container's objects.
    public var decodingUserInfo: [CodingUserInfoKey: any Sendable] { persistentStoreCoordinator.decodingUserInfo }
}
