/// What identifies an object: the root entity of its hierarchy and its primary key.
struct RowID: Hashable {
    let root: Int
    let key: Int64
}
