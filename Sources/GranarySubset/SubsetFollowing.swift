import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryRecords

/// A to-many relationship of which each object brings some members: those that satisfy a condition, the first ones in an
/// order.
struct SubsetFollowing: Sendable {
    let relationship: Schema.Relationship
    /// The entities whose objects bring members.
    let owners: Range<Int>
    /// Finds all possible members in their order; nil if all members are possible, in the relationship's own order.
    private let search: StoreSearch?
    private let limit: Int

    /// - Throws: ``GranaryError`` with code `usage`.
    init(_ follow: SubsetOptions.Follow, _ schema: Schema) throws(GranaryError) {
        let path = try PropertyPath(follow.relationship, schema)
        guard let found = path.entity.relationship(named: path.property), found.isPersistent else {
            throw GranaryError(
                .usage,
                "\(Diagnostic.shortened(follow.relationship)): \(path.entity.name) has no such stored relationship"
                    + NearestText.hint(for: path.property, in: path.entity.relationships.map(\.name)))
        }
        guard found.isToMany else {
            throw GranaryError(
                .usage, "\(follow.relationship) is a to-one relationship, which is followed always; name a to-many one")
        }
        if let limit = follow.limit, limit < 0 {
            throw GranaryError(.usage, "\(follow.relationship): the limit \(limit) is negative")
        }
        relationship = found
        owners = path.entity.family
        limit = follow.limit ?? .max
        guard follow.predicate != nil || !follow.sortDescriptors.isEmpty else {
            search = nil
            return
        }
        let target = schema.entities[found.destination]
        var search = StoreSearch(entities: target.family, order: follow.sortDescriptors)
        if let predicate = follow.predicate {
            let resolved = try PredicateResolver(schema: schema, entity: target).resolve(predicate)
            try TransientCheck(schema: schema, entity: target).check(resolved)
            search.predicate = resolved
        }
        try PredicateResolver(schema: schema, entity: target).check(follow.sortDescriptors)
        try TransientCheck(schema: schema, entity: target).check(follow.sortDescriptors)
        self.search = search
    }

    /// The place of each possible member in the order; nil if all members are possible. Takes 16 bytes for each.
    func ranks(_ store: any StoreBackend) throws -> [Int64: Int]? {
        guard let search else { return nil }
        var ranks: [Int64: Int] = [:]
        for (place, object) in try store.keys(search).enumerated() { ranks[object.key] = place }
        return ranks
    }

    /// The members that an object brings.
    ///
    /// - Parameters:
    ///   - members: all members of the object, in the relationship's order.
    ///   - ranks: as ``ranks(_:)``.
    func chosen(_ members: [Link], _ ranks: [Int64: Int]?) -> ArraySlice<Link> {
        guard let ranks else { return members.prefix(limit) }
        // Without an order of its own, that of the relationship.
        guard search?.order.isEmpty == false else {
            return members.filter { ranks[$0.destination] != nil }.prefix(limit)
        }
        let possible = members.compactMap { link in ranks[link.destination].map { (link: link, rank: $0) } }
        return possible.sorted { $0.rank < $1.rank }.map(\.link).prefix(limit)
    }
}
