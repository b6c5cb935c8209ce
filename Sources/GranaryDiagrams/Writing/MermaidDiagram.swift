import GranaryBase

/// Writes a diagram as a class diagram of Mermaid.
package enum MermaidDiagram {
    package static func text(_ diagram: Diagram) -> String {
        var lines = ["classDiagram", "direction LR"]
        for (index, box) in diagram.boxes.enumerated() {
            lines.append("class E\(index)[\"\(plain(box.name))\"] {")
            if box.isAbstract { lines.append("  <<abstract>>") }
            for row in box.rows where row.kind != .relationship {
                lines.append("  \(plain(row.detail)) \(plain(row.name))\(mark(row.change))")
            }
            lines.append("}")
        }
        for link in diagram.links {
            let (from, to) = ("E\(link.from.box)", "E\(link.to.box)")
            guard !link.isInheritance else {
                lines.append("\(to) <|-- \(from)")
                continue
            }
            let start = link.from.cardinality.map { " \"\($0.rawValue)\"" } ?? ""
            let end = link.to.cardinality.map { "\"\($0.rawValue)\" " } ?? ""
            let arrow = link.to.row == nil ? "-->" : "--"
            let names = [(link.from, link.from.row), (link.to, link.to.row)].compactMap { end, row in
                row.map { plain(diagram.boxes[end.box].rows[$0].name) }
            }
            lines.append("\(from)\(start) \(arrow) \(end)\(to) : \(names.joined(separator: " / "))\(mark(link.change))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func mark(_ change: Diagram.Change) -> String {
        change == .none ? "" : " (\(change.rawValue))"
    }

    /// The text without characters that Mermaid reads as syntax.
    private static func plain(_ text: String) -> String {
        String(
            VisibleText.escaped(text).map { character in
                "\"`;:<>{}[]()#%\\".contains(character) || character.isNewline ? "_" : character
            })
    }
}
