/// Places the boxes that links join in columns, and the links in the space between the columns.
///
/// links → directions and columns → a place in each column between → order in the columns → heights
struct ComponentLayout {
    /// The frames by box.
    private(set) var frames: [Int: DiagramLayout.Frame] = [:]
    private(set) var paths: [DiagramLayout.Path] = []
    private(set) var width = 0.0
    private(set) var height = 0.0
    /// The first box, which decides between parts of one size.
    let first: Int

    /// The height of a link in a column that it passes.
    private static let lane = 8.0
    private static let loopWidth = 34.0

    init(_ boxes: [Int], _ diagram: Diagram, _ shapes: [BoxShape]) {
        first = boxes.first ?? 0
        let numbers = Dictionary(boxes.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let links = diagram.links.indices.filter { numbers[diagram.links[$0].from.box] != nil }
        let edges = links.filter { diagram.links[$0].from.box != diagram.links[$0].to.box }
        let directed = edges.compactMap { Self.direction(diagram.links[$0], numbers) }
        let area = boxes.reduce(0.0) { sum, box in
            sum + (shapes[box].width + DiagramLayout.columnGap) * (shapes[box].height + DiagramLayout.boxGap)
        }
        let tallest = boxes.map { shapes[$0].height }.max() ?? 0
        let assignment = LayerAssignment(
            nodes: boxes.count, edges: directed.map { ($0.from, $0.to) },
            heights: boxes.map { shapes[$0].height + DiagramLayout.boxGap },
            limit: max((area / DiagramLayout.aspect).squareRoot(), tallest + DiagramLayout.boxGap, 300))
        var grid = LayerGrid(boxes: boxes, shapes: shapes, layers: assignment.layers, lane: Self.lane)
        for (place, link) in edges.enumerated() {
            // Which end of the link is on the left.
            let startsAtFrom = directed[place].startsAtFrom != assignment.isReversed[place]
            let (left, right) =
                startsAtFrom
                ? (diagram.links[link].from, diagram.links[link].to)
                : (diagram.links[link].to, diagram.links[link].from)
            grid.add(
                link, startsAtFrom: startsAtFrom, assignment.edges[place], shapes[left.box].port(left.row),
                shapes[right.box].port(right.row))
        }
        grid.arrange()
        for (number, box) in boxes.enumerated() { frames[box] = grid.frame(number) }
        paths = grid.paths
        for link in links where diagram.links[link].from.box == diagram.links[link].to.box {
            addLoop(link, diagram.links[link], shapes)
        }
        width = (frames.values.map(\.right) + paths.flatMap { $0.points.map(\.x) }).max() ?? 0
        // A link can pass below all boxes.
        height = (frames.values.map(\.bottom) + paths.flatMap { $0.points.map { $0.y + Self.lane } }).max() ?? 0
    }

    /// The ends of a link from left to right: superentities and the one object of many are on the left.
    private static func direction(
        _ link: Diagram.Link, _ numbers: [Int: Int]
    ) -> (from: Int, to: Int, startsAtFrom: Bool)? {
        guard let from = numbers[link.from.box], let to = numbers[link.to.box] else { return nil }
        let manyAtFrom = link.from.cardinality == .zeroOrMore || link.from.cardinality == .oneOrMore
        let manyAtTo = link.to.cardinality == .zeroOrMore || link.to.cardinality == .oneOrMore
        let isTurned = link.isInheritance || !manyAtTo && (manyAtFrom || link.from.cardinality == nil)
        return isTurned ? (to, from, false) : (from, to, true)
    }

    private mutating func addLoop(_ index: Int, _ link: Diagram.Link, _ shapes: [BoxShape]) {
        guard let frame = frames[link.from.box] else { return }
        let shape = shapes[link.from.box]
        let start = frame.y + shape.port(link.from.row)
        var end = frame.y + shape.port(link.to.row)
        // A relationship that is its own inverse.
        if abs(start - end) < 1 { end = start + BoxShape.rowHeight / 3 }
        let x = frame.right
        paths.append(
            DiagramLayout.Path(
                link: index,
                points: [
                    .init(x: x, y: start), .init(x: x + Self.loopWidth, y: start), .init(x: x + Self.loopWidth, y: end),
                    .init(x: x, y: end),
                ],
                isLoop: true))
    }
}
