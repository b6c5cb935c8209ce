import GranaryBase
import GranaryCoordination
import GranaryModel

/// Objects numbered from 0: generated ones, or stored ones.
struct ObjectSpan: Sendable {
    struct Object: Sendable, Hashable {
        /// The index of the concrete entity.
        let entity: Int32
        let key: Int64
    }

    private struct Segment: Sendable {
        let entity: Int
        let firstKey: Int64
        let start: UInt64
        let count: UInt64
    }

    private let segments: [Segment]
    private let stored: [Object]
    let count: UInt64

    init(kinds: [GeneratedObjects.Kind]) {
        var segments: [Segment] = []
        var start: UInt64 = 0
        for kind in kinds {
            segments.append(
                Segment(entity: kind.entity.index, firstKey: kind.firstKey, start: start, count: kind.count))
            start += kind.count
        }
        self.segments = segments
        stored = []
        count = start
    }

    init(stored: [Object]) {
        segments = []
        self.stored = stored
        count = UInt64(stored.count)
    }

    /// Whether the objects are stored ones.
    var isStored: Bool { !stored.isEmpty }

    /// The object with a number below ``count``.
    subscript(index: UInt64) -> Object {
        if isStored { return stored[Int(min(index, count - 1))] }
        guard let place = segments.last(where: { $0.start <= index }) else { return Object(entity: 0, key: 0) }
        return Object(entity: Int32(place.entity), key: place.firstKey + Int64(index - place.start))
    }

    /// The number of the first generated object of an entity; nil if there is none.
    func start(of entity: Int) -> UInt64? { segments.first { $0.entity == entity }?.start }

    /// Whether two spans have the same generated objects.
    func isSame(as other: ObjectSpan) -> Bool {
        !isStored && !other.isStored && segments.map(\.entity) == other.segments.map(\.entity)
    }
}
