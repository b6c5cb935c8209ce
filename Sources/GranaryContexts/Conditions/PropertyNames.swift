import GranaryBase
import Synchronization

/// The names in the model of a class's properties (``ManagedObject/propertyNames``). Each class is asked once.
struct PropertyNames: @unchecked Sendable {  // Key paths of properties are immutable and have no arguments.
    private static let classes = Mutex<[ObjectIdentifier: PropertyNames]>([:])

    private let names: [AnyKeyPath: String]

    /// Returns the name of the property that a key path of a class leads to.
    ///
    /// - Throws: ``GranaryError`` with code `usage` if the class does not list the property.
    static func name(of keyPath: AnyKeyPath, in type: ManagedObject.Type) throws(GranaryError) -> String {
        let all = all(of: type)
        guard let name = all.names[keyPath] else {
            throw unknown("\(type)", "\(Swift.type(of: keyPath).valueType)", isEmpty: all.names.isEmpty)
        }
        return name
    }

    private static func all(of type: ManagedObject.Type) -> PropertyNames {
        let id = ObjectIdentifier(type)
        if let known = classes.withLock({ $0[id] }) { return known }
        // Outside the lock, because the class can be somebody's own.
        let all = PropertyNames(names: type.propertyNames)
        classes.withLock { $0[id] = all }
        return all
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
