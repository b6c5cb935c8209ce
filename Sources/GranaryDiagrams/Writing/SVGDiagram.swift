import GranaryBase

/// Writes a diagram as SVG, without script and without anything from outside.
package struct SVGDiagram {
    let diagram: Diagram
    let layout: DiagramLayout

    package init(_ diagram: Diagram) {
        self.diagram = diagram
        layout = DiagramLayout(diagram)
    }

    /// The diagram as a part of a page of HTML, whose style sheet contains ``style``.
    ///
    /// - Parameters:
    ///   - title: what the diagram shows.
    ///   - address: the address of the page of an entity, to which its box leads; nil for no link.
    package func fragment(title: String, address: (String) -> String?) -> String {
        document(title: title, attributes: "class=\"diagram\"", hasStyle: false) { index in
            guard let address = address(diagram.boxes[index].name) else { return box(index) }
            return "<a href=\"\(MarkupText.escaped(address))\">\(box(index))</a>"
        }
    }

    /// - Parameter title: what the diagram shows.
    package func text(title: String) -> String {
        document(title: title, attributes: "xmlns=\"http://www.w3.org/2000/svg\"", hasStyle: true, box)
    }

    private func document(
        title: String, attributes: String, hasStyle: Bool, _ box: (Int) -> String
    ) -> String {
        let legend = self.legend
        let width = max(layout.width, legend.width, 200)
        let height = layout.height + legend.height
        var lines = [
            "<svg \(attributes) role=\"\(hasStyle ? "img" : "group")\" width=\"\(Self.number(width))\" "
                + "height=\"\(Self.number(height))\" viewBox=\"0 0 \(Self.number(width)) \(Self.number(height))\">",
            "<title>\(MarkupText.escaped(title))</title>", hasStyle ? "<style>\(Self.style)</style>" : "",
            "<rect class=\"page\" width=\"100%\" height=\"100%\"/>",
        ]
        lines += layout.paths.map(link)
        lines += diagram.boxes.indices.map(box)
        lines += legend.lines
        return lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n</svg>\n"
    }

    package static let style = """
        text{font:12px "DejaVu Sans",Verdana,Arial,sans-serif;fill:#1b1f24}
        .page{fill:#fff}.box{fill:#fff;stroke:#57606a}.head{fill:#dde7f3}.abstract .head{fill:#ececec}
        .name{font-size:13px;font-weight:bold}.abstract .name{font-style:italic}
        .type{fill:#3d4853;text-anchor:end}.note{font-size:10.5px;fill:#7a4a00}.rule{stroke:#d0d7de}
        .link{fill:none;stroke:#57606a;stroke-width:1.2}.inherit{stroke-dasharray:none;stroke:#2b5d9b}
        .mark{fill:#fff;stroke:#57606a;stroke-width:1.2}.inherit.mark{stroke:#2b5d9b}
        .added .box,.link.added,.mark.added{stroke:#1a7f37}.added .head,.row.added{fill:#d6f5de}
        .removed .box,.link.removed,.mark.removed{stroke:#b3261e;stroke-dasharray:5 3}
        .removed .head,.row.removed{fill:#fbdcd9}.removed text,.gone{text-decoration:line-through}
        .changed .box,.link.changed,.mark.changed{stroke:#9a6700}.row.changed{fill:#fff1c9}
        @media (prefers-color-scheme:dark){text{fill:#e6edf3}.page{fill:#0d1117}.box,.mark{fill:#161b22;stroke:#9aa4af}
        .head{fill:#22344d}.abstract .head{fill:#2d333b}.type{fill:#c1c9d2}.note{fill:#f0c36d}.rule{stroke:#3d444d}
        .link{stroke:#9aa4af}.inherit,.inherit.mark{stroke:#79b0f2}.added .head,.row.added{fill:#12351d}
        .removed .head,.row.removed{fill:#4a1613}.row.changed{fill:#43330a}}
        """

    /// A number with at most one digit behind the point.
    static func number(_ value: Double) -> String {
        let tenths = (value * 10).rounded()
        guard tenths.isFinite, abs(tenths) < 1e15 else { return "0" }
        let whole = Int(tenths)
        return whole.isMultiple(of: 10) ? "\(whole / 10)" : "\(Double(whole) / 10)"
    }

    // MARK: - Below the boxes

    private var legend: (lines: [String], width: Double, height: Double) {
        var texts = diagram.groups.enumerated().map { (Self.colour(of: $0), $1) }
        if let verdict = diagram.verdict {
            texts += [
                ("#1a7f37", "added"), ("#b3261e", "removed"), ("#9a6700", "changed"), ("none", verdict),
            ]
        }
        guard !texts.isEmpty else { return ([], 0, 0) }
        var lines: [String] = []
        var width = 0.0
        for (place, (colour, text)) in texts.enumerated() {
            let y = layout.height + 14 + Double(place) * 20
            lines.append(
                "<rect x=\"24\" y=\"\(Self.number(y - 10))\" width=\"12\" height=\"12\" fill=\"\(colour)\"/>"
                    + "<text x=\"44\" y=\"\(Self.number(y))\">\(MarkupText.escaped(text))</text>")
            width = max(width, 68 + TextWidth.of(text))
        }
        return (lines, width, 14 + Double(texts.count) * 20)
    }

    /// The colour of a configuration.
    static func colour(of group: Int) -> String {
        let colours = ["#4878a8", "#c07830", "#5a9a5a", "#9a5aa0", "#a05050", "#707070", "#3c9aa0", "#a09030"]
        return colours[group % colours.count]
    }
}
