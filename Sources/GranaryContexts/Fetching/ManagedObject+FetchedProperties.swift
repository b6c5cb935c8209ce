import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Fetched properties. (`NSFetchedPropertyDescription`)
extension ManagedObject {
    /// Returns the objects of a fetched property, as they are now. They are of the object's store.
    ///
    /// In the predicate of the model, `$FETCH_SOURCE` is this object, and `$FETCHED_PROPERTY` is the property, whose
    /// `name` and `userInfo` can be used: `$FETCHED_PROPERTY.userInfo.limit`. Key paths from the object are evaluated
    /// once, before the fetch.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the entity has no such fetched property, or its predicate is
    ///   invalid; as `ManagedObjectContext.fetch(_:)`.
    public func fetchedObjects(_ name: String) throws -> [ManagedObject] {
        let context = try liveContext()
        let property = try fetchedProperty(name)
        var request = try FetchRequest(property.fetchRequest)
        request.predicate = try request.predicate.map { predicate in
            try predicate.mapping { (expression) throws(GranaryError) -> ObjectExpression in
                switch expression {
                case .path(let path, .variable("FETCH_SOURCE")): return try converting { try constant(path) }
                case .path(let path, .variable("FETCHED_PROPERTY")): return Self.constant(path, of: property)
                default: return expression
                }
            }.substituting(["FETCH_SOURCE": .object(objectID.predicateReference)])
        }
        if let store = objectID.storeIdentifier { request.affectedStores = [store] }
        return try context.fetch(request)
    }

    private func fetchedProperty(_ name: String) throws(GranaryError) -> FetchedPropertyDescription {
        var names: [String] = []
        var next: Int? = entity.index
        while let index = next {
            let declaring = layout.schema.entities[index]
            if let found = declaring.description.fetchedProperties.first(where: { $0.name == name }) { return found }
            names += declaring.description.fetchedProperties.map(\.name)
            next = declaring.superentity
        }
        throw GranaryError(
            .usage,
            "\(entity.name) has no fetched property \"\(Diagnostic.shortened(name))\""
                + NearestText.hint(for: name, in: names))
    }

    /// The value of a key path of this object.
    private func constant(_ path: String) throws -> ObjectExpression {
        let resolver = PredicateResolver(schema: layout.schema, entity: entity)
        let expression = CompiledExpression(try resolver.resolve(.keyPath(path)))
        let failure = SubjectFailure()
        let value = try expression.value(on: ObjectSubject(object: self, failure: failure))
        try failure.check()
        return value?.expression ?? .null
    }

    private static func constant(_ path: String, of property: FetchedPropertyDescription) -> ObjectExpression {
        if path == "name" { return .constant(.string(property.name)) }
        let prefix = "userInfo."
        guard path.hasPrefix(prefix), let value = property.userInfo[String(path.dropFirst(prefix.count))] else {
            return .null
        }
        return value.expression
    }
}
