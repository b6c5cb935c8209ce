/// A number of objects of an entity.
public struct EntityCount: Sendable, Hashable, Codable {
    /// The entity's name.
    public var name: String
    /// The number of objects, without those of subentities.
    public var count: Int

    package init(name: String, count: Int) {
        self.name = name
        self.count = count
    }
}
