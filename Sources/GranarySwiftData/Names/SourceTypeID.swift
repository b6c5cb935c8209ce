/// The index of a type in a ``SourceIndex``.
struct SourceTypeID: Hashable, Comparable {
    let index: Int

    static func < (left: Self, right: Self) -> Bool { left.index < right.index }
}
