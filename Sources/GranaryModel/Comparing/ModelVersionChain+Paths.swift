extension ModelVersionChain {
    /// Returns the path with the fewest steps from one version to another, both included, over the versions between
    /// them. No step needs a mapping model. Of several such paths, the result is the one with the most certain steps.
    ///
    /// - Returns: nil if there is no such path. If `from` is the newer version, the path leads to older versions.
    public func shortestPath(from: Int, to: Int) -> [Int]? { shortestPath(from: from, to: to, custom: []) }

    /// As ``shortestPath(from:to:)``, with steps that need no inferred mapping.
    ///
    /// - Parameter custom: the older and the newer version of each such step. No other step goes from before its start
    ///   to behind its end.
    package func shortestPath(from: Int, to: Int, custom: [Range<Int>]) -> [Int]? {
        guard versions.indices.contains(from), versions.indices.contains(to) else { return nil }
        if from == to { return [from] }
        var previous: [Int: Int] = [:]
        var severities = [from: 0]
        var frontier = [from]
        var open = (min(from, to)...max(from, to)).filter { $0 != from && $0 != to }

        /// Adds a version that one step leads to from a version of the frontier.
        func reach(_ place: Int) -> Bool {
            var best: (place: Int, severity: Int)?
            for known in frontier where (known < place) == (from < to) {
                var own = 0
                if !custom.contains(where: { $0.lowerBound == known && $0.upperBound == place }) {
                    if custom.contains(where: { known <= $0.lowerBound && $0.upperBound <= place }) { continue }
                    let migration = step(from: known, to: place)
                    if case .needsMapping = migration { continue }
                    own = migration.severity
                }
                let severity = (severities[known] ?? 0) + own
                if severity < best?.severity ?? Int.max { best = (known, severity) }
            }
            guard let best else { return false }
            previous[place] = best.place
            severities[place] = best.severity
            return true
        }

        while !frontier.isEmpty {
            if reach(to) { return path(to: to, previous) }
            let reached = open.filter(reach)
            open.removeAll { previous[$0] != nil }
            frontier = reached
        }
        return nil
    }

    private func path(to end: Int, _ previous: [Int: Int]) -> [Int] {
        var path = [end]
        var next = previous[end]
        while let place = next {
            path.append(place)
            next = previous[place]
        }
        return path.reversed()
    }
}
