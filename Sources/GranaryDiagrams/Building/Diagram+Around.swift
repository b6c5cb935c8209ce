extension Diagram {
    /// The part of the diagram with an entity and those that at most `depth` links lead to; nil if there is no such
    /// entity.
    package func around(_ name: String, depth: Int) -> Diagram? {
        guard let start = boxes.firstIndex(where: { $0.name == name }) else { return nil }
        var neighbours = boxes.map { _ in [Int]() }
        for link in links {
            neighbours[link.from.box].append(link.to.box)
            neighbours[link.to.box].append(link.from.box)
        }
        var reached: Set<Int> = [start]
        var edge = [start]
        for _ in 0..<max(0, min(depth, boxes.count)) {
            edge = edge.flatMap { neighbours[$0] }.filter { reached.insert($0).inserted }
            if edge.isEmpty { break }
        }
        return part(reached.sorted())
    }

    /// The diagram of some boxes, with the links between them.
    private func part(_ kept: [Int]) -> Diagram {
        let places = Dictionary(kept.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var diagram = self
        diagram.boxes = kept.map { boxes[$0] }
        diagram.links = links.compactMap { link in
            guard let from = places[link.from.box], let to = places[link.to.box] else { return nil }
            return Link(
                isInheritance: link.isInheritance,
                from: End(box: from, row: link.from.row, cardinality: link.from.cardinality),
                to: End(box: to, row: link.to.row, cardinality: link.to.cardinality), change: link.change)
        }
        return diagram
    }
}
