import GranaryBase

/// Writes a diagram in the Database Markup Language (dbml.dbdiagram.io). Each table has the column `$id`.
package enum DBMLDiagram {
    package static func text(_ diagram: Diagram) -> String {
        var lines: [String] = []
        for box in diagram.boxes {
            lines.append("Table \(quoted(box.name)) {")
            lines.append("  \"$id\" \"Key\" [pk]")
            for row in box.rows where row.kind == .attribute {
                let settings = (row.isOptional ? [] : ["not null"]) + row.words.filter { $0 == "unique" }
                lines.append(
                    "  \(quoted(row.name)) \(quoted(row.type))"
                        + (settings.isEmpty ? "" : " [\(settings.joined(separator: ", "))]"))
            }
            for row in box.rows where row.kind == .relationship {
                lines.append("  \(quoted(row.name)) \"Key\" [note: \(note(row.detail))]")
            }
            if box.isAbstract { lines.append("  Note: 'abstract'") }
            lines.append("}")
        }
        for link in diagram.links { lines.append(reference(link, diagram)) }
        for (group, name) in diagram.groups.enumerated() {
            let members = diagram.boxes.filter { $0.group == group }.map { quoted($0.name) }
            lines.append("TableGroup \(quoted(name)) {\n  \(members.joined(separator: "\n  "))\n}")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func reference(_ link: Diagram.Link, _ diagram: Diagram) -> String {
        func column(_ end: Diagram.End) -> String {
            let box = diagram.boxes[end.box]
            return quoted(box.name) + "." + (end.row.map { quoted(box.rows[$0].name) } ?? "\"$id\"")
        }
        return "Ref: \(column(link.from)) \(sign(link)) \(column(link.to))"
    }

    private static func sign(_ link: Diagram.Link) -> String {
        func isMany(_ cardinality: Diagram.Cardinality?) -> Bool {
            cardinality == .zeroOrMore || cardinality == .oneOrMore
        }
        if link.isInheritance { return "-" }
        switch (isMany(link.from.cardinality), isMany(link.to.cardinality)) {
        case (true, true): return "<>"
        case (true, false): return ">"
        case (false, true): return "<"
        case (false, false): return link.from.cardinality == nil ? ">" : "-"
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + VisibleText.escaped(text).replacing("\"", with: "'") + "\""
    }

    private static func note(_ text: String) -> String {
        "'" + VisibleText.escaped(text).replacing("'", with: "`") + "'"
    }
}
