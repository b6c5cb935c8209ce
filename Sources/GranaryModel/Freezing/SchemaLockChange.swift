/// A difference between a frozen version and the model.
public struct SchemaLockChange: Sendable, Hashable {
    /// The name of the version.
    public let version: String
    /// The entity; nil if the version no longer exists.
    public let entity: String?
    /// The property; nil if the entity itself differs.
    public let property: String?
    /// What differs: `type: String -> Integer 64`.
    public let what: String

    package init(version: String, entity: String?, property: String?, what: String) {
        self.version = version
        self.entity = entity
        self.property = property
        self.what = what
    }
}

extension SchemaLockChange: CustomStringConvertible {
    /// `SchemaV1: Trip.name: type: String -> Integer 64`
    public var description: String {
        let subject = [entity, property].compactMap { $0 }.joined(separator: ".")
        return "\(version): " + (subject.isEmpty ? "" : "\(subject): ") + what
    }
}
