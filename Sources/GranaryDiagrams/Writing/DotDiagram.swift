import GranaryBase

/// Writes a diagram in the language of Graphviz.
package enum DotDiagram {
    package static func text(_ diagram: Diagram) -> String {
        var lines = [
            "digraph model {", "  rankdir=LR; node [shape=plaintext, fontname=\"DejaVu Sans\", fontsize=11];",
            "  edge [dir=both, fontname=\"DejaVu Sans\", fontsize=9];",
        ]
        for (group, name) in diagram.groups.enumerated() {
            let members = diagram.boxes.indices.filter { diagram.boxes[$0].group == group }
            lines.append(
                "  subgraph cluster_\(group) { label=\(quoted(name)); \(members.map { "e\($0);" }.joined(separator: " ")) }"
            )
        }
        for (index, box) in diagram.boxes.enumerated() { lines.append(node(index, box)) }
        for link in diagram.links { lines.append(edge(link)) }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    private static func node(_ index: Int, _ box: Diagram.Box) -> String {
        let title = box.isAbstract ? "<i>\(MarkupText.escaped(box.name))</i>" : "<b>\(MarkupText.escaped(box.name))</b>"
        var cells = "<tr><td port=\"h\" colspan=\"2\" bgcolor=\"#dde7f3\">\(title)</td></tr>"
        for (row, content) in box.rows.enumerated() {
            cells +=
                "<tr><td port=\"r\(row)\" align=\"left\">\(MarkupText.escaped(content.name))</td>"
                + "<td port=\"s\(row)\" align=\"right\">\(MarkupText.escaped(content.detail))</td></tr>"
        }
        return
            "  e\(index) [color=\"\(colour(box.change))\", label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\">"
            + "\(cells)</table>>];"
    }

    private static func edge(_ link: Diagram.Link) -> String {
        func port(_ end: Diagram.End) -> String { end.row.map { "e\(end.box):r\($0)" } ?? "e\(end.box):h" }
        let colour = "color=\"\(colour(link.change))\""
        if link.isInheritance {
            return "  \(port(link.to)) -> \(port(link.from)) [arrowtail=empty, arrowhead=none, \(colour)];"
        }
        return "  \(port(link.from)) -> \(port(link.to)) [arrowtail=\(arrow(link.from.cardinality)), "
            + "arrowhead=\(arrow(link.to.cardinality)), \(colour)];"
    }

    private static func arrow(_ cardinality: Diagram.Cardinality?) -> String {
        switch cardinality {
        case nil: "none"
        case .zeroOrOne: "teeodot"
        case .one: "teetee"
        case .zeroOrMore: "crowodot"
        case .oneOrMore: "crowtee"
        }
    }

    private static func colour(_ change: Diagram.Change) -> String {
        switch change {
        case .none: "#57606a"
        case .added: "#1a7f37"
        case .removed: "#b3261e"
        case .changed: "#9a6700"
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + MarkupText.escaped(text).replacing("\\", with: "\\\\") + "\""
    }
}
