import GranaryBase

/// A class with `@Model`, as read from the source.
struct SwiftDataEntity {
    let id: SourceTypeID
    let name: String
    let position: SourcePosition
    var properties: [SwiftDataProperty] = []
    var constraints: [[String]] = []
    var indexes: [[String]] = []
}
