/// An element of a Codable struct.
struct ShapeElement: Hashable {
    let name: String
    let isOptional: Bool
    let shape: PropertyShape
}
