import GranaryBase
import GranaryCoordination
import GranaryModel
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
        var request = FetchRequest(Values.entityName, where: predicate)
        request.sortDescriptors = sort
        request.fetchLimit = limit
        request.fetchOffset = offset
        return try values(type, of: request)
    }

    /// Returns the values of the stored objects that a request finds, without making objects. Unsaved changes are not
    /// included.
    ///
    /// Generated code has a form for each class:
    ///
    /// ```swift
    /// let books = try context.values(of: FetchRequest(Book.self).where { $0.pages > 10 }.sort(\.title).limit(20))
    /// ```
    /// - Throws: as ``values(_:where:sort:limit:offset:)``; ``GranaryError`` with code `usage` if the request is for
    ///   another entity.
    public func values<Values: ManagedObjectValues, Object: ManagedObject>(
        _ type: Values.Type, of request: FetchRequest<Object>
    ) throws -> [Values] {
        try requireStores()
        let named = try named(request)
        let coordinator = persistentStoreCoordinator
        let wanted = try coordinator.entity(named: Values.entityName)
        let entity = try coordinator.entity(named: named.entityName ?? "")
        guard wanted.family.contains(entity.index) else {
            throw GranaryError(.usage, "the request is for \(entity.name), but the values are of \(wanted.name)")
        }
        return try ValueSearch<Values>(named, context: self).values()
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

    /// Returns the values of the stored objects that a request finds, as the context's function of the same name, in the
    /// background.
    ///
    /// - Throws: as the context's function.
    public func values<Values: ManagedObjectValues, Object: ManagedObject>(
        _ type: Values.Type, of request: FetchRequest<Object>
    ) async throws -> [Values] {
        try await read { try $0.values(type, of: request) }
    }

    /// The `userInfo` with which a decoder decodes IDs and values of this container's objects.
    public var decodingUserInfo: [CodingUserInfoKey: any Sendable] { persistentStoreCoordinator.decodingUserInfo }
}
