import GranaryBase

/// Builds a self-contained page of HTML: without script, without anything from outside, and of a bounded size.
package struct Page {
    /// The maximum size in bytes. What does not fit is left out, and the page says so.
    package static let limit = 1_000_000
    /// What is kept for the end of the page.
    private static let reserve = 10_000

    private var body = ""
    private let title: String
    /// The number of parts that were left out, by what they are.
    private var omitted: [(what: String, count: Int)] = []

    package init(title: String) { self.title = title }

    /// Adds a part if it fits.
    ///
    /// - Parameters:
    ///   - html: a whole part, with all its ends. Texts in it are escaped (``MarkupText``).
    ///   - what: what it is, for the note about what was left out: `example`.
    @discardableResult
    package mutating func add(_ html: String, as what: String) -> Bool {
        guard body.utf8.count + html.utf8.count + Self.style.utf8.count <= Self.limit - Self.reserve else {
            if let place = omitted.firstIndex(where: { $0.what == what }) {
                omitted[place].count += 1
            } else {
                omitted.append((what, 1))
            }
            return false
        }
        body += html
        return true
    }

    /// Adds a section with a heading of the second level.
    package mutating func section(_ title: String, _ content: (inout Self) -> Void) {
        body += "<section aria-label=\"\(MarkupText.escaped(title))\">\n<h2>\(MarkupText.escaped(title))</h2>\n"
        content(&self)
        body += "</section>\n"
    }

    /// The page.
    package var html: String {
        let note =
            omitted.isEmpty
            ? ""
            : "<p class=\"cut\">The page has at most 1 MB. Left out: "
                + omitted.map { CountText.count($0.count, $0.what) }.joined(separator: ", ") + ".</p>\n"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'">
            <meta name="referrer" content="no-referrer">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(MarkupText.escaped(title))</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <header><h1>\(MarkupText.escaped(title))</h1></header>
            <main>
            \(body)\(note)</main>
            </body>
            </html>

            """
    }

    /// The contrast of all texts is at least 4.5 to 1, in the light and in the dark form.
    package static let style = """
        :root{color-scheme:light dark;--text:#1b1f24;--soft:#4b5661;--page:#fff;--line:#c9d1d9;--head:#eef2f6;--mark:#ffe08a;\
        --created:#1a7f37;--updated:#9a6700;--unchanged:#57606a;--skipped:#6e4fa3;--rejected:#b3261e;--bar:#2b5d9b}
        @media (prefers-color-scheme:dark){:root{--text:#e6edf3;--soft:#aab4be;--page:#0d1117;--line:#3d444d;--head:#1c232b;\
        --mark:#6b5200;--created:#56d364;--updated:#e3b341;--unchanged:#9aa4af;--skipped:#bc8cff;--rejected:#ff8a80;--bar:#79b0f2}}
        body{font:15px/1.5 system-ui,"DejaVu Sans",sans-serif;color:var(--text);background:var(--page);margin:0 auto;max-width:72rem;padding:1rem}
        h1{font-size:1.4rem}h2{font-size:1.15rem;border-bottom:1px solid var(--line)}h3{font-size:1rem;margin-bottom:.3rem}
        table{border-collapse:collapse;margin:.5rem 0}caption{text-align:left;color:var(--soft)}
        th,td{text-align:left;vertical-align:top;padding:.15rem .8rem .15rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
        td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}.soft,.place{color:var(--soft)}
        pre{background:var(--head);padding:.5rem;overflow:auto;margin:.3rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
        mark{background:var(--mark);color:var(--text)}code{overflow-wrap:anywhere}.bar{width:100%;height:1.6rem;display:block}
        .hist{height:2rem;width:20rem;max-width:100%}.created{fill:var(--created);color:var(--created)}
        .updated{fill:var(--updated);color:var(--updated)}.unchanged{fill:var(--unchanged);color:var(--unchanged)}
        .skipped{fill:var(--skipped);color:var(--skipped)}.rejected,.error{fill:var(--rejected);color:var(--rejected)}
        .warning{color:var(--updated)}.note{color:var(--soft)}.hist rect{fill:var(--bar)}.cut{font-weight:bold}
        a{color:var(--bar)}:focus-visible{outline:2px solid var(--bar)}summary{cursor:pointer}
        @media print{body{max-width:none}details>*{display:block}a{color:inherit}}
        """
}
