import CFloor

/// Plain SQL in a C loop: what SQLite takes by itself. It keeps nothing of what it reads.
final class FloorFetcher: Fetcher {
    static let title = "C"

    private let database: OpaquePointer

    init(path: String) throws {
        guard let database = floor_fetch_open(path) else {
            throw BenchmarkError(message: "the C loop could not open \(path)")
        }
        self.database = database
    }

    deinit { floor_fetch_close(database) }

    func run(_ fetch: Fetch) throws -> UInt64 {
        let contents =
            switch fetch.results {
            case .objects(.age): FLOOR_FETCH_AGE
            case .objects(.all), .dictionaries: FLOOR_FETCH_ALL
            case .count: FLOOR_FETCH_FIRST
            }
        var sum: UInt64 = 0
        guard floor_fetch(database, fetch.sql, Int32(contents), &sum) >= 0 else {
            throw BenchmarkError(message: "SQLite refuses \(fetch.sql)")
        }
        return sum
    }
}
