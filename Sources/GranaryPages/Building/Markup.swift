import GranaryBase

/// Parts of pages.
package enum Markup {
    static func text(_ text: String) -> String { MarkupText.escaped(text) }

    /// A table with a caption and headers.
    ///
    /// - Parameter numbers: the columns of numbers, which are aligned at the right.
    static func table(_ caption: String, _ headers: [String], _ rows: [[String]], numbers: Set<Int> = []) -> String {
        func style(_ column: Int) -> String { numbers.contains(column) ? " class=\"n\"" : "" }
        let head = headers.enumerated().map { "<th scope=\"col\"\(style($0))>\($1)</th>" }.joined()
        let body = rows.map { row in
            "<tr>" + row.enumerated().map { "<td\(style($0))>\($1)</td>" }.joined() + "</tr>\n"
        }.joined()
        return "<table><caption>\(caption)</caption><thead><tr>\(head)</tr></thead><tbody>\n\(body)</tbody></table>\n"
    }

    static func severity(_ severity: Diagnostic.Severity) -> String {
        "<span class=\"\(severity.rawValue)\">\(severity.rawValue)</span>"
    }

    /// A bar whose parts have the shares of the counts, with the counts as its text.
    ///
    /// - Parameter names: what the parts are; nil for the names of their styles.
    static func bar(_ parts: [(style: String, count: Int)], names: [String]? = nil) -> String {
        let total = parts.reduce(0.0) { $0 + Double($1.count) }
        let words = zip(names ?? parts.map(\.style), parts).filter { $0.1.count > 0 }
            .map { "\($0.0) \(CountText.grouped($0.1.count))" }
        var x = 0.0
        var shapes = ""
        for part in parts where part.count > 0 {
            // A part that is there can be seen.
            let width = max(4, Double(part.count) / total * 1000)
            shapes += "<rect class=\"\(part.style)\" x=\"\(number(x))\" width=\"\(number(width))\" height=\"20\"/>"
            x += width
        }
        return "<svg class=\"bar\" role=\"img\" aria-label=\"\(text(words.joined(separator: ", ")))\" "
            + "viewBox=\"0 0 \(number(max(x, 1))) 20\" preserveAspectRatio=\"none\">\(shapes)</svg>\n"
    }

    /// Where in something of a length the places are.
    static func histogram(_ places: [Int], of length: Int, label: String) -> String {
        let bins = 40
        var counts = Array(repeating: 0, count: bins)
        for place in places {
            let bin = Int(Double(place) / Double(max(length, 1)) * Double(bins))
            counts[min(max(bin, 0), bins - 1)] += 1
        }
        return histogram(counts: counts, label: label)
    }

    /// A bar for each count.
    package static func histogram(counts: [Int], label: String) -> String {
        let most = Double(counts.max() ?? 1)
        let width = 400 / Double(max(1, counts.count))
        let shapes = counts.enumerated().filter { $0.element > 0 }.map { bin, count in
            // A count that is there can be seen.
            let height = max(2, Double(count) / max(most, 1) * 30)
            return "<rect x=\"\(number(Double(bin) * width))\" y=\"\(number(30 - height))\" "
                + "width=\"\(number(width * 0.9))\" height=\"\(number(height))\"/>"
        }
        return "<svg class=\"hist\" role=\"img\" aria-label=\"\(text(label))\" viewBox=\"0 0 400 30\" "
            + "preserveAspectRatio=\"none\">\(shapes.joined())</svg>\n"
    }

    private static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "0" }
        return "\((value * 10).rounded() / 10)"
    }
}
