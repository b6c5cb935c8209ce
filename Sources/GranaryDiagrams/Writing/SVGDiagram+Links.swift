import GranaryBase

extension SVGDiagram {
    /// The length of the straight lines at the ends of a link, where the marks are.
    private static let straight = 16.0

    /// A link with the marks at its ends.
    func link(_ path: DiagramLayout.Path) -> String {
        let link = diagram.links[path.link]
        let (first, last) = path.startsAtFrom ? (link.from, link.to) : (link.to, link.from)
        guard let start = path.points.first, let end = path.points.last else { return "" }
        var style = link.isInheritance ? " inherit" : ""
        if link.change != .none { style += " " + link.change.rawValue }
        let endSide = path.isLoop ? 1.0 : -1
        return "<g><title>\(MarkupText.escaped(words(link)))</title><path class=\"link\(style)\" d=\"\(line(path))\"/>"
            + mark(first, at: start, side: 1, isSuperentity: link.isInheritance && !path.startsAtFrom, style)
            + mark(last, at: end, side: endSide, isSuperentity: link.isInheritance && path.startsAtFrom, style) + "</g>"
    }

    private func line(_ path: DiagramLayout.Path) -> String {
        let points = path.points
        guard let first = points.first else { return "" }
        var text = "M\(Self.number(first.x)) \(Self.number(first.y))"
        if path.isLoop, points.count == 4 {
            return text + curve(points[1], points[2], to: points[3])
        }
        // The points are pairs: from a box or lane to the next one.
        for place in stride(from: 0, to: points.count - 1, by: 2) {
            let (start, end) = (points[place], points[place + 1])
            let left = DiagramLayout.Point(x: start.x + Self.straight, y: start.y)
            let right = DiagramLayout.Point(x: end.x - Self.straight, y: end.y)
            let middle = (left.x + right.x) / 2
            text +=
                "H\(Self.number(left.x))" + curve(.init(x: middle, y: left.y), .init(x: middle, y: right.y), to: right)
            text += "H\(Self.number(place + 2 < points.count ? points[place + 2].x : end.x))"
        }
        return text
    }

    private func curve(
        _ first: DiagramLayout.Point, _ second: DiagramLayout.Point, to end: DiagramLayout.Point
    ) -> String {
        "C" + [first, second, end].map { "\(Self.number($0.x)) \(Self.number($0.y))" }.joined(separator: " ")
    }

    /// A crow's foot for many objects, a bar for one, a circle for none; a triangle at a superentity.
    ///
    /// - Parameter side: 1 if the link is right of the box, -1 if it is left.
    private func mark(
        _ end: Diagram.End, at point: DiagramLayout.Point, side: Double, isSuperentity: Bool, _ style: String
    ) -> String {
        let (x, y) = (point.x, point.y)
        func place(_ distance: Double, _ height: Double) -> String {
            "\(Self.number(x + side * distance)) \(Self.number(y + height))"
        }
        if isSuperentity {
            return "<path class=\"mark\(style)\" d=\"M\(place(0, 0))L\(place(11, -6))L\(place(11, 6))Z\"/>"
        }
        guard let cardinality = end.cardinality else { return "" }
        var text = ""
        if cardinality == .zeroOrMore || cardinality == .oneOrMore {
            text += "<path class=\"link\(style)\" d=\"M\(place(0, -5))L\(place(10, 0))L\(place(0, 5))\"/>"
        } else {
            text += "<path class=\"link\(style)\" d=\"M\(place(5, -5))L\(place(5, 5))\"/>"
        }
        if cardinality == .zeroOrMore || cardinality == .zeroOrOne {
            text +=
                "<circle class=\"mark\(style)\" cx=\"\(Self.number(x + side * 13))\" cy=\"\(Self.number(y))\" r=\"3\"/>"
        } else {
            text += "<path class=\"link\(style)\" d=\"M\(place(12, -5))L\(place(12, 5))\"/>"
        }
        return text
    }

    /// `Patient.injury 1 – Injury.patients 0..*`
    private func words(_ link: Diagram.Link) -> String {
        func name(_ end: Diagram.End) -> String {
            let box = diagram.boxes[end.box]
            return end.row.map { "\(box.name).\(box.rows[$0].name)" } ?? box.name
        }
        if link.isInheritance { return "\(name(link.from)) inherits from \(name(link.to))" }
        let inverse = link.to.row == nil ? ", no inverse" : ""
        return "\(name(link.from)) \(link.to.cardinality?.rawValue ?? "") – \(name(link.to)) "
            + "\(link.from.cardinality?.rawValue ?? "")\(inverse)"
    }
}
