/// Orders the nodes of each column so that few edges between neighbouring columns cross.
struct LayerOrder {
    /// The nodes of each column from top to bottom.
    private(set) var columns: [[Int]]

    private static let sweeps = 12

    /// - Parameter edges: each from a column to the next.
    init(_ columns: [[Int]], edges: [(from: Int, to: Int)], nodes: Int) {
        self.columns = columns
        var before = Array(repeating: [Int](), count: nodes)
        var behind = before
        for edge in edges {
            before[edge.to].append(edge.from)
            behind[edge.from].append(edge.to)
        }
        var places = Array(repeating: 0.0, count: nodes)
        for column in columns { for (place, node) in column.enumerated() { places[node] = Double(place) } }
        var best = (columns: columns, crossings: Self.crossings(columns, behind, places))
        for sweep in 0..<Self.sweeps where best.crossings > 0 {
            let isForward = sweep.isMultiple(of: 2)
            let order = isForward ? Array(self.columns.indices) : self.columns.indices.reversed()
            for column in order {
                sort(column, by: isForward ? before : behind, &places)
            }
            let crossings = Self.crossings(self.columns, behind, places)
            if crossings < best.crossings { best = (self.columns, crossings) }
        }
        self.columns = best.columns
    }

    private mutating func sort(_ column: Int, by neighbours: [[Int]], _ places: inout [Double]) {
        let middles = columns[column].enumerated().map { place, node in
            let others = neighbours[node]
            return others.isEmpty
                ? Double(place) : others.reduce(0) { $0 + places[$1] } / Double(others.count)
        }
        let sorted = columns[column].indices.sorted { (middles[$0], $0) < (middles[$1], $1) }
        columns[column] = sorted.map { columns[column][$0] }
        for (place, node) in columns[column].enumerated() { places[node] = Double(place) }
    }

    /// The number of pairs of edges that cross.
    private static func crossings(_ columns: [[Int]], _ behind: [[Int]], _ places: [Double]) -> Int {
        var sum = 0
        for (column, nodes) in columns.enumerated() where column + 1 < columns.count {
            let ends = nodes.flatMap { node in behind[node].map { Int(places[$0]) }.sorted() }
            var tree = FenwickTree(columns[column + 1].count)
            for (number, end) in ends.enumerated() {
                sum += number - tree.count(through: end)
                tree.add(end)
            }
        }
        return sum
    }

    /// Counts of numbers below a limit.
    private struct FenwickTree {
        private var counts: [Int]

        init(_ size: Int) { counts = Array(repeating: 0, count: size + 1) }

        mutating func add(_ number: Int) {
            var place = number + 1
            while place < counts.count {
                counts[place] += 1
                place += place & -place
            }
        }

        /// How many numbers are at most `number`.
        func count(through number: Int) -> Int {
            var place = min(number + 1, counts.count - 1)
            var sum = 0
            while place > 0 {
                sum += counts[place]
                place -= place & -place
            }
            return sum
        }
    }
}
