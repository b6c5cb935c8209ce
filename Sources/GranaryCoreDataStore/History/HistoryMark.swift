/// The changed properties of an object. The slots are empty if only its version changes.
struct HistoryMark {
    /// The index of the root entity of its hierarchy.
    let root: Int
    let key: Int64
    var slots = HistorySlots()
}
