public import GranaryPredicates

/// The objects that a relationship of built objects leads to.
///
/// ```swift
/// with: [
///     "injury": .existing(name: "Burn"),
///     "responder": nil,
///     "visits": [.new(2, ["paid": false]), .new(1, ["paid": true])],
/// ]
/// ```
public struct SeedLink: Sendable {
    enum Content: Sendable {
        case existing([(name: String, value: SeedValue)])
        case matching(ObjectPredicate)
        case new(ObjectGroup)
    }

    let contents: [Content]

    /// Objects that there are, found by values of attributes: `.existing(name: "Burn")`. Without a name, the value is
    /// that of the entity's uniqueness constraint of one attribute: `.existing("Burn")`.
    ///
    /// A to-one relationship needs exactly one such object, a to-many relationship at least one.
    public static let existing = ExistingObjects()

    /// Objects that there are and that satisfy a predicate.
    ///
    /// A to-one relationship needs exactly one such object, a to-many relationship at least one.
    public static func matching(_ predicate: ObjectPredicate) -> SeedLink {
        SeedLink(contents: [.matching(predicate)])
    }

    /// A new object for each of the built objects.
    ///
    /// - Parameters: as for the function with a count.
    public static func new(
        _ values: [String: SeedValue], of entity: String? = nil, as variants: [SeedVariant] = [],
        with links: [String: SeedLink] = [:]
    ) -> SeedLink { new(1, values, of: entity, as: variants, with: links) }

    /// New objects for each of the built objects.
    ///
    /// - Parameters:
    ///   - count: their number for each built object. A to-one relationship needs 1.
    ///   - values: the values of attributes by name.
    ///   - entity: the entity, if it is a subentity of the relationship's destination.
    ///   - variants: further values and links. Those of later variants win, and `values` and `links` win over all.
    ///   - links: the objects of the new objects' relationships.
    public static func new(
        _ count: Int = 1, _ values: [String: SeedValue] = [:], of entity: String? = nil,
        as variants: [SeedVariant] = [],
        with links: [String: SeedLink] = [:]
    ) -> SeedLink {
        SeedLink(contents: [
            .new(
                ObjectGroup(
                    target: entity.map { .entity($0) } ?? .destination, count: count, values: values,
                    variants: variants,
                    links: links))
        ])
    }
}

extension SeedLink: ExpressibleByNilLiteral {
    /// No object.
    public init(nilLiteral: ()) { self.init(contents: []) }
}

extension SeedLink: ExpressibleByArrayLiteral {
    /// The objects of several links, in this order.
    public init(arrayLiteral elements: SeedLink...) { self.init(contents: elements.flatMap(\.contents)) }
}
