public import GranaryBase
public import GranaryCoordination
import GranaryModel

/// Objects of a class.
extension ManagedObjectContext {
    /// Returns the object with an ID and its values, as ``existingObject(with:)``.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if it is an object of another class; otherwise as
    ///   ``existingObject(with:)``.
    public func existingObject<Object: ManagedObject>(
        _ type: Object.Type, with id: ManagedObjectID
    ) throws -> Object {
        try cast(try existingObject(with: id), to: type)
    }

    /// Returns the object with an ID, as ``object(with:)``: it may be a fault, and may not exist.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the ID is of an entity of another class.
    public func object<Object: ManagedObject>(
        _ type: Object.Type, with id: ManagedObjectID
    ) throws(GranaryError) -> Object {
        try cast(object(with: id), to: type)
    }

    /// Inserts a new object as ``insert(_:)`` and sets its values in a closure:
    /// `try context.insert(Book.self) { $0.title = "Solaris" }`.
    ///
    /// - Throws: as ``insert(_:)``; any error from `body`, and the object is not inserted then.
    @discardableResult
    public func insert<Object: ManagedObject>(
        _ type: Object.Type, _ body: (Object) throws -> Void
    ) throws -> Object {
        let object = try insert(type)
        do {
            try body(object)
        } catch {
            try delete(object)
            throw error
        }
        return object
    }

    private func cast<Object: ManagedObject>(
        _ object: ManagedObject, to type: Object.Type
    ) throws(GranaryError) -> Object {
        if let result = object as? Object { return result }
        let hint =
            Swift.type(of: object) == ManagedObject.self
            ? "; is the class registered, such as by classes: of the container?" : ""
        throw GranaryError(
            .usage, "\(object.objectID) is an object of the class \(Swift.type(of: object)), not \(type)\(hint)")
    }
}
