import GranaryBase
import GranaryDiagrams
import GranaryModel

/// The diagram of the model, whose boxes are links to the entities.
enum DiagramPage {
    /// How many relationships away the entities around one are.
    private static let depth = 1
    /// Larger models are shown around one entity only, because their diagram takes long to place.
    private static let entityLimit = 150

    static func make(_ context: PageContext) throws -> SitePage {
        let around = context.address["around"]
        if let around, context.schema.entity(named: around) == nil {
            throw PageError(404, "The store has no such entity.")
        }
        var page = SitePage(around.map { "Diagram around \($0)" } ?? "Diagram")
        if around == nil, context.schema.entities.count > entityLimit {
            page.add("<p>The model has more than \(entityLimit) entities. Choose one:</p>\n")
            let links = context.schema.entities.map { entity in
                "<li>"
                    + context.link(
                        PageAddress("/diagram", [("around", entity.name)]), ValueMarkup.isolated(entity.name))
                    + "</li>\n"
            }
            page.add("<ul>\n\(links.joined())</ul>\n")
            return page
        }
        let model = context.schema.model
        let whole = Diagram(model)
        let diagram = around.flatMap { whole.around($0, depth: depth) } ?? whole
        if around != nil { page.add("<p>\(context.link(PageAddress("/diagram"), "the whole model"))</p>\n") }
        let svg = SVGDiagram(diagram).fragment(title: "Diagram of the model") { name in
            context.schema.entity(named: name).map { context.carried(context.entityAddress($0)).text }
        }
        page.add("<div class=\"scroll\">\(svg)</div>\n")
        return page
    }
}
