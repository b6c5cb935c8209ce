import GranaryBase
import GranaryCoordination
import GranaryModel

/// One object: all its properties, and the objects that refer to it.
struct ObjectPage {
    /// The number of scalars of a text.
    private static let textLength = 50_000
    /// The number of objects of a to-many relationship that are shown.
    private static let linkCount = 20
    /// The number of its objects to which they are counted.
    private static let countedLinks = 1_000

    private let context: PageContext

    static func make(_ context: PageContext) throws -> SitePage {
        let place = try context.object()
        return try context.withRow(place) { batch, row, place in
            try ObjectPage(context: context).make(batch, row, place)
        }
    }

    private func make(_ batch: borrowing RowBatch, _ row: Int, _ place: ObjectPlace) throws -> SitePage {
        let entity = context.schema.entities[place.entity]
        var labels = ObjectLabels(context.store, zone: context.zone)
        var page = SitePage(labels.label(of: batch, row: row))
        page.add(
            "<p>\(ValueMarkup.isolated(context.objectName(place))), "
                + context.link(context.entityAddress(entity), ValueMarkup.isolated(entity.name))
                + ", version \(batch.rows[row].version), which each save of the object raises</p>\n")
        page.section("Attributes", attributes(batch, row, place, entity))
        page.section("Relationships", try relationships(batch, row, place, entity, &labels))
        let others = referring(to: place, entity)
        if !others.isEmpty { page.section("Referred to by", others) }
        page.section("Origin", origin(place))
        return page
    }

    private func attributes(
        _ batch: borrowing RowBatch, _ row: Int, _ place: ObjectPlace, _ entity: Schema.Entity
    ) -> String {
        var table = SiteTable(
            "stored attributes", headers: [.init(html: "Attribute"), .init(html: "Type"), .init(html: "Value")])
        for attribute in entity.attributes where attribute.isPersistent {
            let value = ShownValue(batch, row: row, of: attribute, limit: Self.textLength)
            let cells: [SiteTable.Cell] = [
                .init(html: ValueMarkup.isolated(attribute.name)),
                .init(html: "<span class=\"soft\">\(MarkupText.escaped(attribute.type.name))</span>"),
            ]
            let html = context.values.whole(value, attribute, context.carried(context.valueAddress(place, attribute)))
            if table.add(cells + [.init(html: html)]) { continue }
            // Many long texts: the others are cut more.
            let short = ShownValue(batch, row: row, of: attribute, limit: 100)
            guard
                table.add(
                    cells + [.init(html: context.values.cell(short, attribute, context.valueAddress(place, attribute)))]
                )
            else { break }
        }
        return table.html
    }

    private func relationships(
        _ batch: borrowing RowBatch, _ row: Int, _ place: ObjectPlace, _ entity: Schema.Entity,
        _ labels: inout ObjectLabels
    ) throws -> String {
        var table = SiteTable(
            "relationships of the model",
            headers: [.init(html: "Relationship"), .init(html: "Inverse"), .init(html: "Objects")])
        for relationship in entity.relationships where relationship.isPersistent {
            let inverse = relationship.inverse.map { inverse in
                let owner = context.schema.entities[inverse.owner]
                return ValueMarkup.isolated("\(owner.name).\(owner.relationships[inverse.relationship].name)")
            }
            let objects =
                relationship.isToMany
                ? try toMany(relationship, of: place, &labels) : try toOne(relationship, batch, row, &labels)
            guard
                table.add([
                    .init(html: ValueMarkup.isolated(relationship.name)),
                    .init(html: inverse ?? "<span class=\"soft\">none</span>"), .init(html: objects),
                ])
            else { break }
        }
        return table.html
    }

    private func toOne(
        _ relationship: Schema.Relationship, _ batch: borrowing RowBatch, _ row: Int, _ labels: inout ObjectLabels
    ) throws -> String {
        switch batch[row, relationship.slot] {
        case .reference(let key, let entity):
            let other = ObjectPlace(entity: Int(entity), key: key)
            try labels.load([other])
            return context.objectLink(other, labels)
        case .null: return ValueMarkup.null
        default: return ValueMarkup.unreadable("not a reference")
        }
    }

    private func toMany(
        _ relationship: Schema.Relationship, of place: ObjectPlace, _ labels: inout ObjectLabels
    ) throws -> String {
        let links = try LinksPage.links(relationship, of: place.key, skipping: 0, limit: Self.countedLinks + 1, context)
        guard !links.isEmpty else { return "<span class=\"soft\">none</span>" }
        let shown = Array(links.prefix(Self.linkCount))
        try labels.load(shown)
        let list = shown.map { context.objectLink($0, labels) }.joined(separator: ", ")
        let all = context.link(
            LinksPage.address(relationship, of: place, context),
            links.count > shown.count ? "… all →" : "as a list →")
        let number =
            links.count > Self.countedLinks
            ? "more than \(CountText.grouped(Self.countedLinks))" : CountText.grouped(links.count)
        return "\(number): \(list) \(all)"
    }

    /// Lists of the objects that refer to this one by a relationship without an inverse.
    private func referring(to place: ObjectPlace, _ entity: Schema.Entity) -> String {
        var links: [String] = []
        for other in context.schema.entities {
            for relationship in other.relationships
            where relationship.owner == other.index && relationship.isPersistent && relationship.inverse == nil
                && context.schema.entities[relationship.destination].family.contains(entity.index)
            {
                let address = ListLink.address(other, relationship, to: place, context.schema)
                links.append(
                    "<li>" + context.link(address, ValueMarkup.isolated("\(other.name).\(relationship.name)")) + "</li>"
                )
            }
            if links.count >= 200 { break }
        }
        return links.isEmpty ? "" : "<ul>\(links.joined())</ul>\n"
    }

    /// What the ledger of imports says. It has the numbers of the objects that a run wrote, and not the objects.
    private func origin(_ place: ObjectPlace) -> String {
        let runs = context.store.importRuns
        guard !runs.isEmpty else {
            return "<p class=\"soft\">The store has no record of an import.</p>\n"
        }
        let link = context.link(PageAddress("/runs"), runs.count == 1 ? "one import" : "imports")
        guard runs.count == 1, let run = runs.first else {
            return "<p>The store does not say which of its \(link) wrote this object.</p>\n"
        }
        let sources = run.sources.prefix(5).map { ValueMarkup.isolated($0.name) }.joined(separator: ", ")
        return "<p>The store has \(link), \(ValueMarkup.isolated(run.id))"
            + (sources.isEmpty ? "" : ", from \(sources)") + ".</p>\n"
    }
}
