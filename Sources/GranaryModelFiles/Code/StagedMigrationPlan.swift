import GranaryModel

/// The stages of a staged migration through the versions of a chain.
///
/// Core Data uses one inferred mapping for a store whose version is in a lightweight stage: to the older version of the
/// next custom stage, or to the last version if no custom stage follows. Several lightweight stages in a row are like
/// one, so only a custom stage divides a way for which one mapping cannot be inferred. A custom stage also uses an
/// inferred mapping, between calls of its two handlers. A version is either in one lightweight stage or in custom
/// stages, of which two adjacent ones can share it. (Measured by others: Apple's developer forums, threads 734693 and
/// 804902.)
struct StagedMigrationPlan {
    enum Stage: Equatable {
        /// The indexes of the versions.
        case lightweight([Int])
        /// A step to the next version.
        case custom(from: Int, to: Int)
    }

    /// The stages, the oldest first.
    let stages: [Stage]

    /// The plan with the fewest and easiest custom stages for a chain up to the version `last`.
    init(_ chain: ModelVersionChain, through last: Int) {
        // The first version from which on Core Data infers one mapping to a version, from all versions before it.
        let starts = (0...last).map { end in
            (0..<end).reversed().first { !Self.isCertain(chain.step(from: $0, to: end)) }.map { $0 + 1 } ?? 0
        }
        // For each version: the older version of the next custom stage, and the cost of all further custom stages.
        var best = [(hub: Int?, cost: Int)](repeating: (nil, 0), count: last + 1)
        for place in (0..<last).reversed() where starts[last] > place {
            best[place].cost = .max
            for hub in (place..<last).reversed() where starts[hub] <= place {
                // A lightweight stage without a version would be needed between two custom stages.
                if place > 0, hub == place + 1 { continue }
                let cost = Self.cost(chain.step(from: hub, to: hub + 1)) + best[hub + 1].cost
                if cost < best[place].cost { best[place] = (hub, cost) }
            }
        }
        stages = Self.stages(hubs: best.map(\.hub), through: last)
    }

    private static func stages(hubs: [Int?], through last: Int) -> [Stage] {
        var stages: [Stage] = []
        var place = 0
        while place < last {
            // A custom stage has migrated to the version at `place`, except at the beginning.
            let first = place == 0 ? 0 : place + 1
            guard let hub = hubs[place] else {
                stages.append(.lightweight(Array(first...last)))
                break
            }
            if first < hub { stages.append(.lightweight(Array(first..<hub))) }
            stages.append(.custom(from: hub, to: hub + 1))
            place = hub + 1
        }
        return stages
    }

    /// Whether Core Data infers the mapping for every store.
    static func isCertain(_ migration: ModelDifference.Migration) -> Bool {
        switch migration {
        case .none, .granaryOnly, .inferred: true
        case .inferredIfDataFits, .unsure, .needsMapping: false
        }
    }

    /// The work that a custom stage causes.
    private static func cost(_ migration: ModelDifference.Migration) -> Int {
        switch migration {
        case .none, .granaryOnly, .inferred: 1
        case .inferredIfDataFits: 100
        case .unsure: 1_000
        case .needsMapping: 100_000
        }
    }
}
