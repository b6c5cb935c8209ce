import GranaryModel

/// How many objects of two ends are linked, and by how many links, such that all counts are allowed. The links are
/// spread evenly.
struct LinkDegrees: Sendable {
    /// The number of linked objects of each end.
    let first: UInt64
    let second: UInt64
    let links: UInt64

    static let none = LinkDegrees(first: 0, second: 0, links: 0)

    private init(first: UInt64, second: UInt64, links: UInt64) {
        self.first = first
        self.second = second
        self.links = links
    }

    /// - Parameters:
    ///   - counts: the numbers of objects.
    ///   - wanted: the numbers of objects to link, if all need not be linked.
    /// - Returns: nil if there is no solution.
    static func solve(
        _ a: LinkEnd, _ b: LinkEnd, counts: (UInt64, UInt64), wanted: (UInt64, UInt64)
    ) -> LinkDegrees? {
        let mustLink = a.must > 0 && counts.0 > 0 || b.must > 0 && counts.1 > 0
        // An end that is needed by the other offers all its objects.
        var first = a.must > 0 || b.must > 0 ? counts.0 : min(counts.0, wanted.0)
        var second = a.must > 0 || b.must > 0 ? counts.1 : min(counts.1, wanted.1)
        for _ in 0..<8 {
            if a.must == 0 { first = a.step > second ? 0 : min(first, product(second, b.limit) / a.step) }
            if b.must == 0 { second = b.step > first ? 0 : min(second, product(first, a.limit) / b.step) }
        }
        guard first > 0, second > 0 else { return mustLink ? nil : LinkDegrees.none }
        let lower = max(product(first, a.step), product(second, b.step))
        let upper = min(product(first, a.limit), product(second, b.limit), product(first, second))
        guard a.step <= second, b.step <= first, lower <= upper else { return mustLink ? nil : LinkDegrees.none }
        let links = min(max(lower, product(max(first, second), 2)), upper)
        return LinkDegrees(first: first, second: second, links: links)
    }

    static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (result, overflow) = left.multipliedReportingOverflow(by: right)
        return overflow ? .max : result
    }
}
