/// The entries of one section, in order.
final class ResultsRun {
    let name: String
    private(set) var entries: [ResultsEntry]

    init(name: String, entries: [ResultsEntry] = []) {
        self.name = name
        self.entries = entries
    }

    /// Single insertions and removals move the rest of the array; more of them are cheaper in one pass.
    private static let singleSteps = 16

    /// Removes entries.
    ///
    /// - Parameter items: their places, ascending.
    func remove(_ items: [Int]) {
        guard items.count > Self.singleSteps else {
            for item in items.reversed() { entries.remove(at: item) }
            return
        }
        var kept: [ResultsEntry] = []
        kept.reserveCapacity(entries.count - items.count)
        var next = 0
        for item in items {
            kept += entries[next..<item]
            next = item + 1
        }
        kept += entries[next...]
        entries = kept
    }

    /// Inserts entries.
    ///
    /// - Parameter additions: the entries in order, each with its place among the present ones.
    func insert(_ additions: [(item: Int, entry: ResultsEntry)]) {
        guard additions.count > Self.singleSteps else {
            for addition in additions.reversed() { entries.insert(addition.entry, at: addition.item) }
            return
        }
        var all: [ResultsEntry] = []
        all.reserveCapacity(entries.count + additions.count)
        var next = 0
        for addition in additions {
            all += entries[next..<addition.item]
            all.append(addition.entry)
            next = addition.item
        }
        all += entries[next...]
        entries = all
    }
}
