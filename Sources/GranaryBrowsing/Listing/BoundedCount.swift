import GranaryBase
import GranaryCoordination

/// The number of objects, as far as it is counted at once.
enum BoundedCount: Equatable {
    /// Objects are counted to this number.
    static let limit = 10_000

    case exact(Int)
    case more
    /// The time was over after this many.
    case atLeast(Int)
    /// There was no time to count.
    case unknown

    /// Counts the objects of a search without a limit.
    init(_ search: StoreSearch, of store: any StoreBackend) throws {
        var search = search
        search.limit = Self.limit + 1
        // Not a COUNT, which would read the whole table.
        let count = try store.keys(search).count
        self = count > Self.limit ? .more : .exact(count)
    }

    /// Counts the objects of a search that can be slow, for a time.
    init(_ search: StoreSearch, of store: any StoreBackend, within time: Duration) throws {
        let end = ContinuousClock.now + time
        var count = 0
        var isLate = false
        try store.search(search, batchSize: 256) { batch in
            count += batch.rows.count
            isLate = ContinuousClock.now >= end
            return count <= Self.limit && !isLate
        }
        self = count > Self.limit ? .more : isLate ? .atLeast(count) : .exact(count)
    }

    var text: String {
        switch self {
        case .atLeast(let count): "at least \(CountText.grouped(count))"
        case .exact(let count): CountText.grouped(count)
        case .more: "more than \(CountText.grouped(Self.limit))"
        case .unknown: "not counted"
        }
    }
}
