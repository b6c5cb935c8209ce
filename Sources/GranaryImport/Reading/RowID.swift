/// The root entity and the primary key of an object. Together they identify it.
struct RowID: Hashable {
    let root: Int
    let key: Int64
}
