/// A table that ends where the page is full.
struct SiteTable {
    /// A cell, as HTML.
    struct Cell {
        var html: String
        /// Whether it is a number, which is aligned at the right.
        var isNumber = false
        /// Whether it is kept on one line: names of objects and dates.
        var isLine = false

        fileprivate var style: String { isNumber ? " class=\"n\"" : isLine ? " class=\"line\"" : "" }
    }

    private let caption: String
    private let head: String
    private var rows = ""
    /// The maximum number of bytes of the rows.
    private let limit: Int
    /// The number of rows.
    private(set) var count = 0

    /// - Parameters:
    ///   - caption: HTML.
    ///   - headers: HTML.
    init(_ caption: String, headers: [Cell], limit: Int = 1_000_000) {
        self.caption = caption
        head = headers.map { "<th scope=\"col\"\($0.style)>\($0.html)</th>" }.joined()
        self.limit = limit
    }

    /// Adds a row; false if it does not fit.
    mutating func add(_ cells: [Cell]) -> Bool {
        let row = cells.map { "<td\($0.style)>\($0.html)</td>" }.joined()
        guard rows.utf8.count + row.utf8.count <= limit else { return false }
        rows += "<tr>\(row)</tr>\n"
        count += 1
        return true
    }

    var html: String {
        "<div class=\"scroll\"><table><caption>\(caption)</caption><thead><tr>\(head)</tr></thead>\n<tbody>\n"
            + (rows.isEmpty ? "<tr><td>none</td></tr>\n" : rows) + "</tbody></table></div>\n"
    }
}
