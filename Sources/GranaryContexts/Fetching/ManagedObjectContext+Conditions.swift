import GranaryBase
import GranaryCoordination
import GranaryModel
public import GranaryPredicates

/// Fetches in one line.
///
/// ```swift
/// let adults = try context.fetch(Customer.self, where: "age >= %@", 18, sort: "name")
/// let last = try context.first(Order.self, where: "customer == %@", customer, sort: "date:desc")
/// ```
/// The condition is in the language of `NSPredicate` and has an argument for each `%@`. The order is a list of key
/// paths separated by commas, each with `:desc` for descending order.
extension ManagedObjectContext {
    /// Returns the objects of the entity that a class is registered for.
    ///
    /// - Throws: as `fetch(_:)`; ``GranaryError`` with code `usage` for a condition that is not in the language.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, where format: String = "TRUEPREDICATE", _ arguments: (any PredicateArgument)?...,
        sort: String? = nil, limit: Int = 0, offset: Int = 0
    ) throws -> [Object] {
        try fetch(
            FetchRequest(type, where: try ObjectPredicate(format: format, arguments: arguments))
                .windowed(sort, limit, offset))
    }

    /// Returns the objects of an entity.
    ///
    /// - Throws: as `fetch(_:)`; ``GranaryError`` with code `usage` for a condition that is not in the language.
    public func fetch(
        _ entityName: String, where format: String = "TRUEPREDICATE", _ arguments: (any PredicateArgument)?...,
        sort: String? = nil, limit: Int = 0, offset: Int = 0
    ) throws -> [ManagedObject] {
        try fetch(
            FetchRequest(entityName, where: try ObjectPredicate(format: format, arguments: arguments))
                .windowed(sort, limit, offset))
    }

    /// Returns the first of the objects of the entity that a class is registered for; nil if there is none.
    ///
    /// - Throws: as `fetch(_:)`; ``GranaryError`` with code `usage` for a condition that is not in the language.
    public func first<Object: ManagedObject>(
        _ type: Object.Type, where format: String = "TRUEPREDICATE", _ arguments: (any PredicateArgument)?...,
        sort: String? = nil
    ) throws -> Object? {
        try fetch(
            FetchRequest(type, where: try ObjectPredicate(format: format, arguments: arguments)).windowed(sort, 1, 0)
        ).first
    }

    /// Returns the first of the objects of an entity; nil if there is none.
    ///
    /// - Throws: as `fetch(_:)`; ``GranaryError`` with code `usage` for a condition that is not in the language.
    public func first(
        _ entityName: String, where format: String = "TRUEPREDICATE", _ arguments: (any PredicateArgument)?...,
        sort: String? = nil
    ) throws -> ManagedObject? {
        try fetch(
            FetchRequest(entityName, where: try ObjectPredicate(format: format, arguments: arguments))
                .windowed(sort, 1, 0)
        ).first
    }

    /// Returns the number of objects of the entity that a class is registered for.
    ///
    /// - Throws: as `fetch(_:)`; ``GranaryError`` with code `usage` for a condition that is not in the language.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, where format: String = "TRUEPREDICATE", _ arguments: (any PredicateArgument)?...
    ) throws -> Int {
        try count(for: FetchRequest(type, where: try ObjectPredicate(format: format, arguments: arguments)))
    }

    /// Returns the number of objects of an entity, without reading them if that is possible.
    ///
    /// - Throws: as `fetch(_:)`; ``GranaryError`` with code `usage` for a condition that is not in the language.
    public func count(
        _ entityName: String, where format: String = "TRUEPREDICATE", _ arguments: (any PredicateArgument)?...
    ) throws -> Int {
        try count(for: FetchRequest(entityName, where: try ObjectPredicate(format: format, arguments: arguments)))
    }
}

extension FetchRequest {
    fileprivate func windowed(_ sort: String?, _ limit: Int, _ offset: Int) throws(GranaryError) -> Self {
        var request = self
        if let sort { request.sortDescriptors = try Self.descriptors(sort) }
        request.fetchLimit = limit
        request.fetchOffset = offset
        return request
    }

    private static func descriptors(_ text: String) throws(GranaryError) -> [ObjectSortDescriptor] {
        var result: [ObjectSortDescriptor] = []
        for key in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = key.split(separator: ":", omittingEmptySubsequences: false)
                .map { String($0.filter { !$0.isWhitespace }) }
            let direction = parts.count == 2 ? parts[1] : "asc"
            guard parts.count <= 2, let path = parts.first, !path.isEmpty, ["asc", "desc"].contains(direction) else {
                throw GranaryError(
                    .usage,
                    "\"\(Diagnostic.shortened(text))\" is not an order; write key paths separated by commas, with "
                        + "\":desc\" after those in descending order")
            }
            result.append(ObjectSortDescriptor(path, ascending: direction == "asc"))
        }
        return result
    }
}
