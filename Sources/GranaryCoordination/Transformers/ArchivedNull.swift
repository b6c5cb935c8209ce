/// The null inside an archived array or dictionary. (`NSNull`, which is not `Sendable` on every platform)
public struct ArchivedNull: Sendable, Hashable {
    /// A null; all are equal.
    public init() {}
}
