import GranaryBase

/// Builds a page of the site, of a bounded size.
struct SitePage {
    /// The size in bytes from which on nothing more is added.
    static let limit = 1_800_000

    var status = 200
    private let title: String
    private(set) var body = ""

    init(_ title: String) { self.title = title }

    /// Whether a part still fits.
    func holds(_ html: String) -> Bool { body.utf8.count + html.utf8.count <= Self.limit }

    /// Adds a whole part, with all its ends, or a note that it is too large.
    mutating func add(_ html: String) {
        body += holds(html) ? html : "<p class=\"cut\">Left out: a part of \(SizeText.text(html.utf8.count)).</p>\n"
    }

    mutating func section(_ title: String, _ html: String) {
        add("<section>\n<h2>\(MarkupText.escaped(title))</h2>\n\(html)</section>\n")
    }

    /// The page, with the links that all pages have.
    func html(_ context: PageContext) -> String {
        Self.html(
            title: "\(title) – \(context.name)", heading: title,
            navigation: Self.navigation(context), body: body, footer: Self.zoneForm(context))
    }

    /// A page without a store, for refusals.
    ///
    /// - Parameter home: the name of the store, as a link to the first page; nil for a reader who may not see it.
    static func message(_ status: Int, _ message: String, home: String? = nil) -> String {
        let navigation = home.map { "<nav aria-label=\"Site\"><a href=\"/\">\(ValueMarkup.isolated($0))</a></nav>\n" }
        return html(
            title: "granary browse", heading: "\(status)", navigation: navigation ?? "",
            body: "<p class=\"message\">\(MarkupText.escapedLines(message))</p>\n", footer: "")
    }

    private static func navigation(_ context: PageContext) -> String {
        let places = [("/", context.name), ("/diagram", "Diagram"), ("/runs", "Imports")]
        let links = places.map { path, name in
            let isHere = context.address.path == path
            return context.link(
                PageAddress(path), ValueMarkup.isolated(name),
                attributes: isHere ? "class=\"here\" aria-current=\"page\"" : "")
        }
        return "<nav aria-label=\"Site\">\(links.joined(separator: "\n"))</nav>\n"
    }

    private static func zoneForm(_ context: PageContext) -> String {
        "<footer><form method=\"get\" action=\"\(PageAddress(context.address.path).attribute)\">"
            + hidden(context.address.items)
            + "<label>Time zone of dates <input type=\"text\" name=\"zone\" value=\"\(MarkupText.escaped(context.zone.name))\">"
            + "</label> <button>Use</button></form></footer>\n"
    }

    /// Inputs that carry items of an address on.
    static func hidden(_ items: [PageAddress.Item]) -> String {
        items.map {
            "<input type=\"hidden\" name=\"\(MarkupText.escaped($0.name))\" value=\"\(MarkupText.escaped($0.value))\">"
        }.joined()
    }

    private static func html(
        title: String, heading: String, navigation: String, body: String, footer: String
    ) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(MarkupText.escaped(title))</title>
        <link rel="stylesheet" href="\(SiteFile.style.path)">
        <link rel="icon" href="\(SiteFile.icon.path)">
        </head>
        <body>
        \(navigation)<main>
        <h1>\(ValueMarkup.isolated(heading))</h1>
        \(body)</main>
        \(footer)</body>
        </html>

        """
    }
}
