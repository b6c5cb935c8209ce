import GranaryBase

/// A named subset of the entities, for a store that contains only these.
public struct ConfigurationDescription: Sendable, Hashable {
    /// The name, which must be unique in a model.
    public var name: String
    /// The names of its entities, which must exist in the model.
    public var entityNames: [String]
    /// Data of the source that Granary does not interpret. It is kept and written back.
    public var notes: [String: String] = [:]

    /// A configuration of entities.
    public init(name: String, entityNames: [String]) {
        self.name = name
        self.entityNames = entityNames
    }
}
