/// Boxes in columns, with a lane for each link in the columns that it passes.
struct LayerGrid {
    private struct Route {
        let link: Int
        let startsAtFrom: Bool
        /// The nodes from the left box over the lanes to the right box.
        let nodes: [Int]
        let leftPort: Double
        let rightPort: Double
    }

    private let lane: Double
    private let boxCount: Int
    private var layers: [Int]
    private var heights: [Double]
    private var gaps: [Double]
    private var columns: [[Int]]
    /// The widths of the columns.
    private var widths: [Double]
    private var routes: [Route] = []
    private var tops: [Double] = []

    init(boxes: [Int], shapes: [BoxShape], layers: [Int], lane: Double) {
        self.lane = lane
        self.layers = layers
        boxCount = boxes.count
        heights = boxes.map { shapes[$0].height }
        gaps = boxes.map { _ in DiagramLayout.boxGap }
        let count = (layers.max() ?? -1) + 1
        columns = Array(repeating: [], count: count)
        widths = Array(repeating: 0, count: count)
        for (number, box) in boxes.enumerated() {
            columns[layers[number]].append(number)
            widths[layers[number]] = max(widths[layers[number]], shapes[box].width)
        }
    }

    /// Adds a link between two nodes, with the heights at which it begins and ends in its boxes.
    mutating func add(
        _ link: Int, startsAtFrom: Bool, _ edge: (from: Int, to: Int), _ leftPort: Double, _ rightPort: Double
    ) {
        var nodes = [edge.from]
        for layer in (layers[edge.from] + 1)..<max(layers[edge.from] + 1, layers[edge.to]) {
            nodes.append(heights.count)
            columns[layer].append(heights.count)
            layers.append(layer)
            heights.append(lane)
            gaps.append(lane)
        }
        nodes.append(edge.to)
        routes.append(
            Route(link: link, startsAtFrom: startsAtFrom, nodes: nodes, leftPort: leftPort, rightPort: rightPort))
    }

    /// Orders the columns and gives all nodes their heights.
    mutating func arrange() {
        var edges: [LayerHeights.Edge] = []
        for route in routes {
            for (left, right) in zip(route.nodes, route.nodes.dropFirst()) {
                edges.append(
                    LayerHeights.Edge(
                        from: left, to: right, fromPort: left < boxCount ? route.leftPort : lane / 2,
                        toPort: right < boxCount ? route.rightPort : lane / 2))
            }
        }
        columns = LayerOrder(columns, edges: edges.map { ($0.from, $0.to) }, nodes: heights.count).columns
        // A lane keeps its distance from a box.
        for column in columns {
            for (node, next) in zip(column, column.dropFirst()) where (node < boxCount) != (next < boxCount) {
                gaps[node] = DiagramLayout.boxGap / 2
            }
        }
        tops = LayerHeights(columns, edges: edges, heights: heights, gaps: gaps).tops
    }

    private func x(of layer: Int) -> Double {
        widths.prefix(layer).reduce(0, +) + Double(layer) * DiagramLayout.columnGap
    }

    func frame(_ node: Int) -> DiagramLayout.Frame {
        DiagramLayout.Frame(
            x: x(of: layers[node]), y: tops[node], width: widths[layers[node]], height: heights[node])
    }

    var paths: [DiagramLayout.Path] {
        routes.map { route in
            var points: [DiagramLayout.Point] = []
            for (place, node) in route.nodes.enumerated() {
                let frame = frame(node)
                if place == 0 {
                    points.append(.init(x: frame.right, y: frame.y + route.leftPort))
                } else if place == route.nodes.count - 1 {
                    points.append(.init(x: frame.x, y: frame.y + route.rightPort))
                } else {
                    points.append(.init(x: frame.x, y: frame.y + lane / 2))
                    points.append(.init(x: frame.right, y: frame.y + lane / 2))
                }
            }
            return DiagramLayout.Path(link: route.link, points: points, startsAtFrom: route.startsAtFrom)
        }
    }
}
