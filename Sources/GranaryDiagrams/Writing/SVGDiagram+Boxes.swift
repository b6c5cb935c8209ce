import GranaryBase

extension SVGDiagram {
    /// A box with its rows.
    func box(_ index: Int) -> String {
        let (box, shape, frame) = (diagram.boxes[index], layout.shapes[index], layout.frames[index])
        let classes = [box.change == .none ? nil : box.change.rawValue, box.isAbstract ? "abstract" : nil]
        let x = frame.x + BoxShape.padding
        let right = frame.right - BoxShape.padding
        let head = BoxShape.header + (shape.note == nil ? 0 : BoxShape.noteHeight)
        var lines = [
            "<g class=\"\(classes.compactMap { $0 }.joined(separator: " "))\" id=\"e\(index)\">",
            "<title>\(MarkupText.escaped(box.name))\(box.isAbstract ? " (abstract)" : "")</title>",
            rect("box", frame.x, frame.y, frame.width, frame.height, round: true),
            rect("head", frame.x + 0.5, frame.y + 0.5, frame.width - 1, head - 1, round: true),
        ]
        if let group = box.group {
            lines.append(
                "<rect x=\"\(Self.number(frame.x))\" y=\"\(Self.number(frame.y))\" width=\"4\" "
                    + "height=\"\(Self.number(frame.height))\" fill=\"\(Self.colour(of: group))\"/>")
        }
        lines.append(text("name", x, frame.y + 19, shape.title))
        if box.isAbstract { lines.append(text("type", right, frame.y + 19, "abstract")) }
        if let note = shape.note { lines.append(text("note", x, frame.y + 35, note)) }
        for (row, line) in zip(box.rows, shape.lines) {
            let middle = frame.y + line.middle
            if row.change != .none, box.change == .changed {
                let height = BoxShape.rowHeight + (line.note == nil ? 0 : BoxShape.noteHeight)
                lines.append(
                    rect(
                        "row \(row.change.rawValue)", frame.x + 1, middle - BoxShape.rowHeight / 2, frame.width - 2,
                        height))
            }
            lines.append(text(row.change == .removed ? "gone" : "", x, middle + 4, line.name))
            lines.append(text("type", right, middle + 4, line.detail))
            if let note = line.note { lines.append(text("note", x + 8, middle + 18, note)) }
        }
        if let first = zip(box.rows, shape.lines).first(where: { $0.0.kind != .attribute })?.1,
            box.rows.first?.kind == .attribute
        {
            let y = frame.y + first.middle - BoxShape.rowHeight / 2
            lines.append(
                "<path class=\"rule\" d=\"M\(Self.number(frame.x)) \(Self.number(y))H\(Self.number(frame.right))\"/>")
        }
        return lines.joined(separator: "\n") + "\n</g>"
    }

    private func rect(
        _ style: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double, round: Bool = false
    ) -> String {
        "<rect class=\"\(style)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\" "
            + "height=\"\(Self.number(height))\"\(round ? " rx=\"3\"" : "")/>"
    }

    private func text(_ style: String, _ x: Double, _ y: Double, _ text: String) -> String {
        let style = style.isEmpty ? "" : " class=\"\(style)\""
        return "<text\(style) x=\"\(Self.number(x))\" y=\"\(Self.number(y))\">\(MarkupText.escaped(text))</text>"
    }
}
