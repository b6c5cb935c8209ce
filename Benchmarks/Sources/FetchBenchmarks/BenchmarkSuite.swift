import Measuring

/// All fetches with all fetchers. They take turns in each round, so that a disturbance of the machine meets all of
/// them; a ratio is that of two times of the same round.
struct BenchmarkSuite {
    /// A round repeats a short fetch for this time, and counts the time of one.
    private static let leastTime = Duration.milliseconds(100)

    static var fetchers: [any Fetcher.Type] { [GranaryFetcher.self, GRDBFetcher.self, FloorFetcher.self] }

    let store: String
    let rows: Int

    func run() throws {
        for fetch in Fetch.all where Selection.includes(fetch.title) {
            Table.add(fetch.title, rows, times: try measure(fetch))
        }
    }

    /// The seconds of each round, by the fetcher's index.
    private func measure(_ fetch: Fetch) throws -> [[Double]] {
        var times: [[Double]] = Self.fetchers.map { _ in [] }
        var sums: Set<UInt64> = []
        for _ in 0..<Selection.runs {
            for (index, type) in Self.fetchers.enumerated() {
                let fetcher = try type.init(path: store)
                times[index].append(try Self.time { sums.insert(try fetcher.run(fetch)) })
            }
        }
        guard sums.count == 1, sums.first != 0 else {
            throw BenchmarkError(message: "the fetchers do not agree on \"\(fetch.title)\": \(sums)")
        }
        return times
    }

    private static func time(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        var count = 0
        var passed = Duration.zero
        repeat {
            try body()
            count += 1
            passed = ContinuousClock.now - start
        } while passed < leastTime
        return passed / .seconds(1) / Double(count)
    }
}
