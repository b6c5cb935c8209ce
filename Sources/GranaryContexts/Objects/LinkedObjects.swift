import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// The IDs of a to-many relationship: a set, and a list if the relationship is ordered.
struct LinkedObjects: Equatable {
    let isOrdered: Bool
    private var members: Set<ManagedObjectID>
    private var order: [ManagedObjectID]

    /// - Parameter ids: duplicates after the first are ignored.
    init(_ ids: [ManagedObjectID] = [], isOrdered: Bool) {
        self.isOrdered = isOrdered
        members = []
        members.reserveCapacity(ids.count)
        order = []
        for id in ids { insert(id) }
    }

    var count: Int { members.count }

    /// Whether both are copies of one ordered list that was not changed since.
    func hasStorage(of other: LinkedObjects) -> Bool {
        order.count == other.order.count
            && order.withUnsafeBufferPointer { ours in
                other.order.withUnsafeBufferPointer { ours.baseAddress == $0.baseAddress }
            }
    }

    /// All IDs, in order if the relationship is ordered.
    var ids: [ManagedObjectID] { isOrdered ? order : Array(members) }

    func contains(where isWanted: (ManagedObjectID) -> Bool) -> Bool { members.contains(where: isWanted) }

    func contains(_ id: ManagedObjectID) -> Bool { members.contains(id) }

    /// - Parameter place: the place in the order; nil for the end.
    mutating func insert(_ id: ManagedObjectID, at place: Int? = nil) {
        guard members.insert(id).inserted, isOrdered else { return }
        if let place, order.indices.contains(place) { order.insert(id, at: place) } else { order.append(id) }
    }

    /// Removes an ID and returns its place in the order.
    @discardableResult
    mutating func remove(_ id: ManagedObjectID) -> Int? {
        guard members.remove(id) != nil, isOrdered else { return nil }
        // Search from the end: the last added is usually removed first.
        guard let index = order.lastIndex(of: id) else { return nil }
        order.remove(at: index)
        return index
    }
}
