/// The links between the objects of two ends, both numbered from 0.
protocol ObjectLinks: Sendable {
    /// The objects of the second end that an object of the first one is linked to.
    func second(of object: UInt64) -> [UInt64]
    /// The objects of the first end that an object of the second one is linked to.
    func first(of object: UInt64) -> [UInt64]
}
