import GranaryCoordination
import GranaryModel
import GranaryPredicates

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
