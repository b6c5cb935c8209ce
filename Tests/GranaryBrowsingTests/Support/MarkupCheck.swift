/// A strict tokenizer of the HTML that the site writes, as a slow counterpart of its escape rules: a `<` begins a tag of a
/// known name, whose attributes have quotes and known names, and tags nest. Text of a store that is not escaped breaks a rule
/// or has another name.
struct MarkupCheck {
    private static let tags: Set = [
        "html", "head", "meta", "title", "link", "body", "nav", "main", "footer", "section", "h1", "h2", "p", "a",
        "bdi",
        "span", "div", "table", "caption", "thead", "tbody", "tr", "th", "td", "form", "label", "input", "button",
        "details", "summary", "fieldset", "legend", "pre", "code", "img", "br", "ul", "ol", "li", "figure",
        "figcaption", "svg", "g", "rect",
        "path", "text", "circle",
    ]
    private static let empty: Set = ["meta", "link", "input", "img", "br"]
    private static let attributes: Set = [
        "lang", "charset", "name", "content", "rel", "href", "class", "title", "method", "action", "for", "type", "id",
        "value", "maxlength", "checked", "scope", "alt", "src", "start", "aria-label", "aria-current", "aria-invalid",
        "aria-describedby", "aria-hidden", "role", "width", "height", "viewBox", "preserveAspectRatio", "x", "y", "rx",
        "cx", "cy", "r", "d", "fill",
    ]

    /// The values of the attributes `href` and `src`.
    private(set) var addresses: [String] = []
    private(set) var problem: String?

    init(_ html: String) { read(html: html) }

    private mutating func read(html: String) {
        var open: [String] = []
        var rest = Substring(html)
        guard rest.hasPrefix("<!DOCTYPE html>\n") else {
            problem = "no document type"
            return
        }
        rest = rest.dropFirst(16)
        while let start = rest.firstIndex(where: { $0 == "<" || $0 == ">" }) {
            guard rest[start] == "<" else { return fail("a > in a text", rest[start...]) }
            rest = rest[rest.index(after: start)...]
            guard let end = rest.firstIndex(of: ">") else { return fail("a tag without end", rest) }
            var tag = rest[..<end]
            rest = rest[rest.index(after: end)...]
            let isEnd = tag.first == "/"
            if isEnd { tag = tag.dropFirst() }
            let closesItself = tag.last == "/"
            if closesItself { tag = tag.dropLast() }
            let name = tag.prefix { $0.isLetter || $0.isNumber }
            guard Self.tags.contains(String(name)) else { return fail("a tag of an unknown name", tag) }
            if isEnd {
                guard open.popLast() == String(name) else { return fail("ends do not nest", tag) }
                continue
            }
            if let wrong = read(tag.dropFirst(name.count)) { return fail(wrong, tag) }
            if !closesItself, !Self.empty.contains(String(name)) { open.append(String(name)) }
        }
        if !open.isEmpty { problem = "open: \(open)" }
    }

    private mutating func fail(_ problem: String, _ place: Substring) {
        self.problem = "\(problem): \(place.prefix(200))"
    }

    /// Reads attributes, and returns what is wrong.
    private mutating func read(_ text: Substring) -> String? {
        var rest = text
        while rest.first == " " {
            rest = rest.dropFirst()
            let name = rest.prefix { $0.isLetter || $0 == "-" }
            guard Self.attributes.contains(String(name)) else { return "an attribute of an unknown name" }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else {
                if name == "checked" { continue }
                return "an attribute without a value"
            }
            rest = rest.dropFirst()
            guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return "no quotes" }
            let value = rest.dropFirst()[..<end]
            if value.contains("<") { return "a < in a value" }
            if ["href", "src"].contains(String(name)) {
                addresses.append(String(value.replacing("&amp;", with: "&")))
            }
            rest = rest[rest.index(after: end)...]
        }
        return rest.isEmpty ? nil : "something else than attributes"
    }
}
