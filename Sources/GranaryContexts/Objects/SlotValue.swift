public import GranaryCoordination
public import GranaryModel

/// The value of one property of an object.
enum SlotValue: Equatable {
    case attribute(AttributeValue?)
    case toOne(ManagedObjectID?)
    /// Nil until the links are read.
    case toMany(LinkedObjects?)

    var attribute: AttributeValue? {
        if case .attribute(let value) = self { value } else { nil }
    }

    var toOne: ManagedObjectID? {
        if case .toOne(let id) = self { id } else { nil }
    }

    /// The IDs of a to-one or to-many relationship.
    var ids: [ManagedObjectID] {
        switch self {
        case .toOne(let id): id.map { [$0] } ?? []
        case .toMany(let links): links?.ids ?? []
        case .attribute: []
        }
    }

    var toMany: LinkedObjects? {
        if case .toMany(let links) = self { links } else { nil }
    }
}

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

/// The value of a property in a form that can leave its context: related objects are represented by their IDs.
public enum PropertyValue: Sendable, Hashable {
    /// An attribute's value; nil for NULL.
    case attribute(AttributeValue?)
    /// The object of a to-one relationship; nil for none.
    case object(ManagedObjectID?)
    /// The objects of a to-many relationship, in its order; if it is unordered, by their keys.
    case objects([ManagedObjectID])
}
