/// The random numbers of one value of one object. They depend on the seed number, the names of the entity and the
/// attribute, and the object's number only.
public struct GeneratedRandomNumbers: RandomNumberGenerator, Sendable {
    private let stream: RandomStream
    private let index: UInt64
    private var draw: UInt64 = 0

    init(stream: RandomStream, index: UInt64) {
        self.stream = stream
        self.index = index
    }

    public mutating func next() -> UInt64 {
        defer { draw &+= 1 }
        return stream.number(index, draw: draw)
    }
}
