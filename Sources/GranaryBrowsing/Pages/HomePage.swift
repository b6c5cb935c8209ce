import GranaryBase
import GranaryCoordination
import GranaryModel

/// The first page: the entities with the numbers of their objects.
enum HomePage {
    /// Counting ends after this time; the other entities are shown without a number.
    private static let countingTime = Duration.milliseconds(60)

    static func make(_ context: PageContext) throws -> SitePage {
        var page = SitePage("Entities")
        let count = context.schema.entities.count
        var table = SiteTable(
            "\(CountText.grouped(count)) \(count == 1 ? "entity" : "entities"), subentities below their superentity",
            headers: [.init(html: "Entity"), .init(html: "Objects", isNumber: true), .init(html: "Properties")])
        let start = ContinuousClock.now
        // Entities are numbered depth first, each after its superentity.
        var depths: [Int] = []
        for entity in context.schema.entities {
            let depth = entity.superentity.map { depths[$0] + 1 } ?? 0
            depths.append(depth)
            let isLate = ContinuousClock.now - start > countingTime
            let count =
                isLate
                ? BoundedCount.unknown : try BoundedCount(StoreSearch(entities: entity.family), of: context.store)
            let indent = String(repeating: "<span class=\"soft\">└ </span>", count: min(depth, 10))
            let isAdded = table.add([
                .init(
                    html: indent + context.link(context.entityAddress(entity), ValueMarkup.isolated(entity.name))
                        + (entity.isAbstract ? " <span class=\"soft\">abstract</span>" : "")),
                .init(html: count.text, isNumber: true),
                .init(html: properties(of: entity, context)),
            ])
            guard isAdded else {
                page.add("<p class=\"cut\">Not all entities fit on the page.</p>\n")
                break
            }
        }
        page.add(table.html)
        return page
    }

    private static let shownNames = 8

    private static func properties(of entity: Schema.Entity, _ context: PageContext) -> String {
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        let shown = names.prefix(shownNames).map(ValueMarkup.isolated).joined(separator: ", ")
        return names.count > shownNames
            ? "\(shown) <span class=\"soft\">and \(names.count - shownNames) more</span>" : shown
    }
}
