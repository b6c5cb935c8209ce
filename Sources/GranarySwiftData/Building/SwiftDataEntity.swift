import GranaryBase

/// A class with `@Model`, as read from the source.
struct SwiftDataEntity {
    let id: SourceTypeID
    let name: String
    let position: SourcePosition
    var properties: [SwiftDataProperty] = []
    var constraints: [[String]] = []
    var indexes: [[String]] = []
    /// The class it inherits from, until expected hashes tell how that is stored.
    var parent: SourceTypeID?
    /// The name of the entity that it is a subentity of.
    var superentity: String?
    /// The properties of its superentities.
    var inherited: [SwiftDataProperty] = []
}
