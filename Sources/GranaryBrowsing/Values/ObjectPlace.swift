import GranaryBase

/// The entity, as an index, and the primary key of an object.
struct ObjectPlace: Hashable {
    let entity: Int
    let key: Int64
}
