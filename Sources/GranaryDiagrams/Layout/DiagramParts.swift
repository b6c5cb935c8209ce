/// The parts of a diagram that no link joins.
struct DiagramParts {
    /// The boxes of each part with more than one box, or with a link from a box to itself.
    private(set) var components: [[Int]] = []
    /// The boxes without links.
    private(set) var orphans: [Int] = []

    init(_ diagram: Diagram) {
        var neighbours = diagram.boxes.map { _ in [Int]() }
        for link in diagram.links {
            neighbours[link.from.box].append(link.to.box)
            neighbours[link.to.box].append(link.from.box)
        }
        var seen: Set<Int> = []
        for start in diagram.boxes.indices where seen.insert(start).inserted {
            guard !neighbours[start].isEmpty else {
                orphans.append(start)
                continue
            }
            var part = [start]
            var open = [start]
            while let box = open.popLast() {
                for other in neighbours[box] where seen.insert(other).inserted {
                    part.append(other)
                    open.append(other)
                }
            }
            components.append(part.sorted())
        }
    }
}
