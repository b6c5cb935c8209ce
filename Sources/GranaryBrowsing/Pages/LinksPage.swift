import GranaryBase
import GranaryCoordination
import GranaryModel

/// The objects of a to-many relationship of one object, in the relationship's order.
enum LinksPage {
    /// The number of objects of a page.
    static let size = 100
    /// The maximum number of objects before a page, which are passed over.
    private static let skipLimit = 1_000_000

    /// The address of a page with the objects of a to-many relationship. If the inverse is a to-one, they are a list of
    /// their entity, which can be filtered and sorted.
    static func address(_ relationship: Schema.Relationship, of place: ObjectPlace, _ context: PageContext)
        -> PageAddress
    {
        if let inverse = relationship.inverse, !relationship.description.isOrdered {
            let owner = context.schema.entities[inverse.owner]
            let other = owner.relationships[inverse.relationship]
            if !other.isToMany, other.isPersistent {
                return ListLink.address(owner, other, to: place, context.schema)
            }
        }
        var address = context.objectAddress(place).with("relationship", relationship.name)
        address.path = "/links"
        return address
    }

    static func make(_ context: PageContext) throws -> SitePage {
        let place = try context.object()
        let skipped = context.address["skip"].map { Int($0) ?? -1 } ?? 0
        return try context.withRow(place) { batch, row, place in
            let entity = context.schema.entities[place.entity]
            guard let name = context.address["relationship"], let relationship = entity.relationship(named: name),
                relationship.isToMany, relationship.isPersistent
            else { throw PageError(404, "The object has no such to-many relationship.") }
            guard (0...skipLimit).contains(skipped) else {
                throw PageError(400, "The number of objects to skip is wrong.")
            }
            var labels = ObjectLabels(context.store, zone: context.zone)
            let title = "\(labels.label(of: batch, row: row)): \(relationship.name)"
            var page = SitePage(title)
            page.add("<p>\(context.link(context.objectAddress(place), "the object"))</p>\n")
            let links = try links(relationship, of: place.key, skipping: skipped, limit: size + 1, context)
            let shown = Array(links.prefix(size))
            try labels.load(shown)
            let list = shown.map { "<li>\(context.objectLink($0, labels))</li>\n" }.joined()
            page.add(
                shown.isEmpty
                    ? "<p class=\"soft\">none</p>\n" : "<ol start=\"\(skipped + 1)\">\n\(list)</ol>\n")
            if links.count > shown.count {
                let next = context.address.with("skip", "\(skipped + size)")
                page.add("<p>\(context.link(next, "next page →", attributes: "rel=\"next\""))</p>\n")
            }
            return page
        }
    }

    /// Some of the links of an object. Those before them are passed over, because an order has no keys; they are only
    /// pairs of numbers.
    static func links(
        _ relationship: Schema.Relationship, of owner: Int64, skipping: Int, limit: Int, _ context: PageContext
    ) throws -> [ObjectPlace] {
        var found: [ObjectPlace] = []
        var place = 0
        do {
            try context.store.readLinks(of: relationship, owners: [owner]) { link in
                if place >= skipping { found.append(ObjectPlace(entity: link.entity, key: link.destination)) }
                place += 1
                if place.isMultiple(of: 4096) { try Cancellation.current?.check() }
                if found.count >= limit { throw Enough() }
            }
        } catch let error {
            // A store may wrap the error of the body.
            guard found.count >= limit else { throw error }
        }
        return found
    }

    private struct Enough: Error {}
}
