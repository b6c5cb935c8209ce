import Foundation
import Measuring

/// All tasks with all contestants. They take turns in each of three rounds, so that a disturbance of the machine meets
/// all of them; the best time counts.
struct BenchmarkSuite {
    enum Discipline: CaseIterable {
        case insert, update, follow, followPrefetched
    }

    private static let rounds = 3

    let people: People
    let folder: URL
    let contestants: [any Contestant.Type] = [GranaryContestant.self, GRDBContestant.self, FloorContestant.self]

    /// The best times, by the contestant's index.
    func run() throws -> [Discipline: [Measured]] {
        var best: [Discipline: [Measured]] = [:]
        best[.insert] = try turns { index, round in
            let store = path(of: index, round)
            try GranaryContestant.makeEmptyStore(at: store)
            let contestant = try contestants[index].init(path: store, people: people)
            return try Measured.time { try contestant.insert() }
        }
        best[.update] = try turns { index, _ in
            let contestant = try lastStore(of: index)
            return try Measured.time { try contestant.update() }
        }
        for index in contestants.indices {
            try FloorContestant.addAddresses(to: path(of: index, Self.rounds - 1), count: people.all.count)
        }
        best[.follow] = try follow(prefetching: false)
        best[.followPrefetched] = try follow(prefetching: true)
        return best
    }

    private func follow(prefetching: Bool) throws -> [Measured] {
        var sums: Set<Int64> = []
        let best = try turns { index, _ in
            let contestant = try lastStore(of: index)
            var sum: Int64 = 0
            let measured = try Measured.time { sum = try contestant.follow(prefetching: prefetching) }
            sums.insert(sum)
            return measured
        }
        // Insertions and updates go into the sum, too.
        guard sums.count == 1, sums.first != 0 else {
            throw BenchmarkError(message: "the contestants do not agree on what is in their stores: \(sums)")
        }
        return best
    }

    private func turns(_ body: (_ index: Int, _ round: Int) throws -> Measured) throws -> [Measured] {
        var times: [[Measured]] = contestants.map { _ in [] }
        for round in 0..<Self.rounds {
            for index in contestants.indices { times[index].append(try body(index, round)) }
        }
        return times.compactMap { $0.min { $0.seconds < $1.seconds } }
    }

    private func path(of index: Int, _ round: Int) -> String {
        folder.appending(path: "\(contestants[index].title)-\(round).sqlite").path
    }

    private func lastStore(of index: Int) throws -> any Contestant {
        try contestants[index].init(path: path(of: index, Self.rounds - 1), people: people)
    }
}

extension BenchmarkSuite.Discipline {
    var title: String {
        switch self {
        case .insert: "insert, save"
        case .update: "fetch, change two values, save"
        case .follow: "follow a to-one, one by one"
        case .followPrefetched: "follow a to-one, prefetched"
        }
    }
}
