public import GranaryCoordination
public import GranaryModel

/// What an object holds for one property.
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

    /// The objects of a relationship, whatever its cardinality.
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

/// The objects of a to-many relationship: a set, with a list beside it where the relationship is ordered.
struct LinkedObjects: Equatable {
    let isOrdered: Bool
    private var members: Set<ManagedObjectID>
    private var order: [ManagedObjectID]

    /// - Parameter ids: of equal ones the first counts.
    init(_ ids: [ManagedObjectID] = [], isOrdered: Bool) {
        self.isOrdered = isOrdered
        members = []
        members.reserveCapacity(ids.count)
        order = []
        for id in ids { insert(id) }
    }

    var count: Int { members.count }

    /// All of them: in their order, or in none.
    var ids: [ManagedObjectID] { isOrdered ? order : Array(members) }

    func contains(where isWanted: (ManagedObjectID) -> Bool) -> Bool { members.contains(where: isWanted) }

    func contains(_ id: ManagedObjectID) -> Bool { members.contains(id) }

    /// - Parameter place: where in the order; nil for the end.
    mutating func insert(_ id: ManagedObjectID, at place: Int? = nil) {
        guard members.insert(id).inserted, isOrdered else { return }
        if let place, order.indices.contains(place) { order.insert(id, at: place) } else { order.append(id) }
    }

    /// Gives back where in the order it stood.
    @discardableResult
    mutating func remove(_ id: ManagedObjectID) -> Int? {
        guard members.remove(id) != nil, isOrdered else { return nil }
        // The last one first: what was added last is mostly what goes.
        guard let index = order.lastIndex(of: id) else { return nil }
        order.remove(at: index)
        return index
    }
}

/// The value of a property as it may leave its context: related objects are named by their IDs.
public enum PropertyValue: Sendable, Hashable {
    /// An attribute's value; nil for none.
    case attribute(AttributeValue?)
    /// The object of a to-one relationship; nil for none.
    case object(ManagedObjectID?)
    /// The objects of a to-many relationship, in its order; where it has none, in the order of their keys.
    case objects([ManagedObjectID])
}
