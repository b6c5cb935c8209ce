/// Gives the nodes of each column a height near those that they are linked with, in the order of the column.
struct LayerHeights {
    /// The upper edge of each node.
    private(set) var tops: [Double]

    /// The height of the highest column. No other column reaches beyond it.
    private var tallest = 0.0

    private static let sweeps = 16

    /// An edge with the heights of its ends, from the upper edges of their nodes.
    struct Edge {
        let from: Int
        let to: Int
        let fromPort: Double
        let toPort: Double
    }

    /// - Parameters:
    ///   - heights: of the nodes.
    ///   - gaps: the space below each node.
    init(_ columns: [[Int]], edges: [Edge], heights: [Double], gaps: [Double]) {
        tops = Array(repeating: 0, count: heights.count)
        for column in columns {
            var y = 0.0
            for node in column {
                tops[node] = y
                y += heights[node] + gaps[node]
            }
            tallest = max(tallest, y)
        }
        var links = Array(repeating: [(other: Int, offset: Double, isBefore: Bool)](), count: heights.count)
        for edge in edges {
            links[edge.to].append((edge.from, edge.fromPort - edge.toPort, true))
            links[edge.from].append((edge.to, edge.toPort - edge.fromPort, false))
        }
        for sweep in 0..<Self.sweeps {
            let isForward = sweep.isMultiple(of: 2)
            let isLast = sweep >= Self.sweeps - 2
            for column in isForward ? columns : columns.reversed() {
                let wanted = column.map { node in
                    let near = links[node].filter { isLast || $0.isBefore == isForward }
                    guard !near.isEmpty else { return tops[node] }
                    return near.reduce(0) { $0 + tops[$1.other] + $1.offset } / Double(near.count)
                }
                place(column, wanted, heights, gaps)
            }
        }
    }

    /// Places the nodes of a column as near as possible to the wanted heights: neighbours that would overlap move
    /// together to the mean of what they want.
    private mutating func place(_ column: [Int], _ wanted: [Double], _ heights: [Double], _ gaps: [Double]) {
        var groups: [(sum: Double, count: Double, first: Int)] = []
        var offsets: [Double] = []
        var offset = 0.0
        for (place, node) in column.enumerated() {
            offsets.append(offset)
            groups.append((wanted[place] - offset, 1, place))
            offset += heights[node] + gaps[node]
            while groups.count > 1 {
                let (upper, lower) = (groups[groups.count - 2], groups[groups.count - 1])
                guard upper.sum / upper.count > lower.sum / lower.count else { break }
                groups.removeLast()
                groups[groups.count - 1] = (upper.sum + lower.sum, upper.count + lower.count, upper.first)
            }
        }
        for (index, group) in groups.enumerated() {
            let end = index + 1 < groups.count ? groups[index + 1].first : column.count
            let height = min(max(group.sum / group.count, 0), tallest - offset)
            for place in group.first..<end { tops[column[place]] = height + offsets[place] }
        }
    }
}
