/// Distributes linked nodes over columns, so that every edge leads to the right.
struct LayerAssignment {
    /// The column of each node.
    private(set) var layers: [Int]
    /// The edges to the right, each with its index among the given ones.
    private(set) var edges: [(from: Int, to: Int)]
    /// Whether an edge was turned around.
    private(set) var isReversed: [Bool]

    /// - Parameters:
    ///   - edges: between different nodes, in the direction in which they should lead if possible.
    ///   - heights: of the nodes with the space around them.
    ///   - limit: the height of a column, if its nodes are more than one.
    init(nodes: Int, edges given: [(from: Int, to: Int)], heights: [Double], limit: Double) {
        let order = Self.order(nodes, given)
        edges = given.map { order[$0.from] < order[$0.to] ? $0 : (from: $0.to, to: $0.from) }
        isReversed = given.map { order[$0.from] >= order[$0.to] }
        layers = Array(repeating: 0, count: nodes)
        var before = Array(repeating: [Int](), count: nodes)
        var behind = before
        for edge in edges {
            before[edge.to].append(edge.from)
            behind[edge.from].append(edge.to)
        }
        let sorted = (0..<nodes).sorted { order[$0] < order[$1] }
        // The longest way to the end: nodes with much behind them come first.
        var depth = Array(repeating: 0, count: nodes)
        for node in sorted.reversed() { depth[node] = behind[node].map { depth[$0] + 1 }.max() ?? 0 }
        var used: [Double] = []
        func fits(_ node: Int, _ layer: Int) -> Bool {
            layer >= used.count || used[layer] == 0 || used[layer] + heights[node] <= limit
        }
        func put(_ node: Int, _ layer: Int) {
            while used.count <= layer { used.append(0) }
            used[layer] += heights[node]
            layers[node] = layer
        }
        var missing = before.map(\.count)
        var ready = sorted.filter { missing[$0] == 0 }
        while !ready.isEmpty {
            ready.sort { (depth[$1], order[$0]) < (depth[$0], order[$1]) }
            var next: [Int] = []
            for node in ready {
                var layer = before[node].map { layers[$0] + 1 }.max() ?? 0
                while !fits(node, layer) { layer += 1 }
                put(node, layer)
                for other in behind[node] {
                    missing[other] -= 1
                    if missing[other] == 0 { next.append(other) }
                }
            }
            ready = next
        }
        // A node without anything before it stands beside what follows.
        for node in sorted.reversed() where before[node].isEmpty {
            guard let nearest = behind[node].map({ layers[$0] - 1 }).min(), nearest > layers[node] else { continue }
            for layer in stride(from: nearest, to: layers[node], by: -1) where fits(node, layer) {
                used[layers[node]] -= heights[node]
                put(node, layer)
                break
            }
        }
    }

    /// Numbers of the nodes such that few edges lead to a lower one: the order in which a search in depth leaves them,
    /// backwards.
    private static func order(_ nodes: Int, _ edges: [(from: Int, to: Int)]) -> [Int] {
        var behind = Array(repeating: [Int](), count: nodes)
        var count = Array(repeating: 0, count: nodes)
        for edge in edges {
            behind[edge.from].append(edge.to)
            count[edge.to] += 1
        }
        var left: [Int] = []
        var seen = Array(repeating: false, count: nodes)
        for start in (0..<nodes).sorted(by: { (count[$0], $0) < (count[$1], $1) }) where !seen[start] {
            seen[start] = true
            var open: [(node: Int, next: Int)] = [(start, 0)]
            while let top = open.last {
                guard top.next < behind[top.node].count else {
                    left.append(top.node)
                    open.removeLast()
                    continue
                }
                open[open.count - 1].next += 1
                let other = behind[top.node][top.next]
                if !seen[other] {
                    seen[other] = true
                    open.append((other, 0))
                }
            }
        }
        var order = Array(repeating: 0, count: nodes)
        for (number, node) in left.reversed().enumerated() { order[node] = number }
        return order
    }
}
