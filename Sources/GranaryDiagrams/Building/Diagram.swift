/// The entities of a model and what links them, without places.
package struct Diagram: Sendable {
    /// What became of an element from one version of a model to the next.
    package enum Change: String, Sendable {
        case none, added, removed, changed
    }

    /// A property of an entity.
    package struct Row: Sendable {
        package enum Kind: Sendable {
            case attribute, relationship, fetchedProperty
        }

        package let kind: Kind
        package let name: String
        /// The type of an attribute; of a relationship the destination and how many objects.
        let type: String
        var isOptional = false
        /// `unique`, `derived`, `ordered`, the delete rule and the like.
        var words: [String] = []
        package var change = Change.none
        /// What changed, in words; nil if nothing did.
        package var note: String?

        /// `String? unique`, `Injury 1, deny`
        package var detail: String {
            let start = kind == .attribute && isOptional ? type + "?" : type
            return words.isEmpty ? start : start + (kind == .attribute ? " " : ", ") + words.joined(separator: ", ")
        }
    }

    /// An entity.
    package struct Box: Sendable {
        package let name: String
        package let isAbstract: Bool
        package var rows: [Row]
        /// The index of the first configuration with the entity; nil without configurations.
        package var group: Int?
        package var change = Change.none
        package var note: String?
    }

    /// How many objects of a box can be at an end of a link.
    package enum Cardinality: String, Sendable {
        case zeroOrOne = "0..1"
        case one = "1"
        case zeroOrMore = "0..*"
        case oneOrMore = "1..*"
    }

    /// One end of a link.
    package struct End: Sendable {
        package let box: Int
        /// The relationship, as the index of its row; nil for an end without a relationship.
        package let row: Int?
        /// How many objects of this box an object at the other end has; nil if the other end has no relationship.
        package let cardinality: Cardinality?
    }

    /// A relationship with its inverse, or the inheritance of a subentity (``from``) from its superentity.
    package struct Link: Sendable {
        package let isInheritance: Bool
        package let from: End
        package let to: End
        package var change = Change.none
    }

    package var boxes: [Box]
    package var links: [Link]
    /// The names of the configurations.
    package var groups: [String]
    /// Whether stores of the older version can be migrated, in words; nil for a single model.
    package var verdict: String?

    /// The number of links that begin or end at each box.
    var degrees: [Int] {
        var degrees = boxes.map { _ in 0 }
        for link in links {
            degrees[link.from.box] += 1
            degrees[link.to.box] += 1
        }
        return degrees
    }
}
