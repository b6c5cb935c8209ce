/// One object that an import changed, or in a dry run would change.
public struct ImportChange: Sendable, Codable, Hashable {
    /// What became of the object.
    public enum Action: String, Sendable, Codable, Hashable, CaseIterable {
        /// A look-up made it, or a record changed, replaced or, by its absence, pruned it.
        case create, update, replace, delete
    }

    /// What became of the object.
    public var action: Action
    /// The object's entity.
    public var entity: String
    /// Its key in the store: `Patient/p3`.
    public var id: String
    /// The source of the record that did it; nil for what no record names.
    public var file: String?
    /// The physical line of that record, from 1.
    public var line: Int?
    /// The properties that were changed, by name.
    public var properties: [String]

    /// A change as a report tells it.
    public init(
        _ action: Action, entity: String, id: String, file: String? = nil, line: Int? = nil, properties: [String] = []
    ) {
        self.action = action
        self.entity = entity
        self.id = id
        self.file = file
        self.line = line
        self.properties = properties
    }
}
