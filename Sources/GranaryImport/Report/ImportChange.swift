/// One object that an import changed, or in a dry run would change.
public struct ImportChange: Sendable, Codable, Hashable {
    /// The kind of change.
    public enum Action: String, Sendable, Codable, Hashable, CaseIterable {
        /// A lookup created the object.
        case create
        /// A record set properties.
        case update
        /// A record set properties and default values.
        case replace
        /// Pruning deleted the object.
        case delete
    }

    /// A changed property with its old and new value as text: `"Ann"`, `44`, `NULL`, `Injury/p2`, shortened to 80
    /// characters. A list is `[Tag/p1, Tag/p2]`; a list of more than 5 objects shows up to 5 of those that the other
    /// value lacks, and its count.
    public struct Value: Sendable, Codable, Hashable {
        /// The property's name.
        public var property: String
        /// The value before the import.
        public var old: String
        /// The value after it.
        public var new: String

        /// Creates a changed value.
        package init(_ property: String, old: String, new: String) {
            self.property = property
            self.old = old
            self.new = new
        }
    }

    /// The kind of change.
    public var action: Action
    /// The object's entity.
    public var entity: String
    /// The object's identifier in the store: `Patient/p3`.
    public var id: String
    /// The values of the object's natural key (the entity's uniqueness constraint), such as `"ann@example.org"`; nil if
    /// the entity has none.
    public var key: String?
    /// The source of the record that changed the object; nil if no record did.
    public var file: String?
    /// The physical line of that record, from 1.
    public var line: Int?
    /// The names of the changed properties.
    public var properties: [String]
    /// The old and new values of changed properties; nil for objects that were created or deleted.
    public var values: [Value]?

    /// Creates a change.
    package init(
        _ action: Action, entity: String, id: String, key: String? = nil, file: String? = nil, line: Int? = nil,
        properties: [String] = [], values: [Value]? = nil
    ) {
        self.key = key
        self.values = values
        self.action = action
        self.entity = entity
        self.id = id
        self.file = file
        self.line = line
        self.properties = properties
    }
}
