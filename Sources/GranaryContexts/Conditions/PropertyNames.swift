import GranaryBase
import Synchronization

/// The names in the model of the properties of classes (``ManagedObject/propertyNames``). Each class is asked once.
enum PropertyNames {
    // Key paths are not Sendable, so the lock has the only references to these.
    private static let classes = Mutex<[ObjectIdentifier: [AnyKeyPath: String]]>([:])

    /// Returns the name of the property that a key path of a class leads to.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the class does not list the property.
    static func name<Object: ManagedObject>(of keyPath: PartialKeyPath<Object>) throws(GranaryError) -> String {
        let id = ObjectIdentifier(Object.self)
        if let name = classes.withLock({ $0[id]?[keyPath] }) { return name }
        // Outside the lock, because the class can be somebody's own.
        let names = Object.propertyNames
        guard let name = names[keyPath] else {
            throw unknown("\(Object.self)", "\(type(of: keyPath).valueType)", isEmpty: names.isEmpty)
        }
        classes.withLock { $0[id] = names }
        return name
    }

    private static func unknown(_ className: String, _ type: String, isEmpty: Bool) -> GranaryError {
        let remedy =
            "generate the class again with `granary model code`, or override `propertyNames` in a class that you write"
        guard !isEmpty else {
            return GranaryError(
                .usage, "\(className).propertyNames is empty, so its key paths have no names in the model; \(remedy)")
        }
        return GranaryError(
            .usage,
            "\(className).propertyNames has no name for a property of the type \(type); a condition or an order can use "
                + "only properties that are in the model. If it is one, \(remedy)")
    }
}
