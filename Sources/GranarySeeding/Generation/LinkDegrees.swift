import GranaryModel

/// The numbers of objects that the objects of one end of a relationship are linked to.
struct LinkEnd: Sendable {
    /// The number that every object needs.
    var must: UInt64
    /// The number that a linked object needs.
    var step: UInt64
    /// The maximum number.
    var limit: UInt64

    /// An end without rules.
    static let free = LinkEnd(must: 0, step: 1, limit: .max)
    /// An end whose objects belong to at most one other object.
    static let exclusive = LinkEnd(must: 0, step: 1, limit: 1)

    init(_ relationship: Schema.Relationship) {
        let description = relationship.description
        guard relationship.isToMany else {
            self.init(must: description.isOptional ? 0 : 1, step: 1, limit: 1)
            return
        }
        let minimum = UInt64(max(0, description.minCount))
        self.init(
            must: description.isOptional ? 0 : minimum, step: max(1, minimum),
            limit: description.maxCount > 0 ? UInt64(description.maxCount) : .max)
    }

    private init(must: UInt64, step: UInt64, limit: UInt64) {
        self.must = must
        self.step = step
        self.limit = limit
    }

    var isFree: Bool { must == 0 && step == 1 && limit == .max }
}

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

/// Links between the objects of two ends, computed from their numbers without a list.
///
/// Link *e* joins the objects *e* mod *first* and *e* + ⌊*e* / *period*⌋ + *shift* mod *second*, where the period is
/// the least common multiple. All links are different, and the numbers of links of the objects of an end differ by at
/// most one.
struct LinkTable: Sendable {
    private let degrees: LinkDegrees
    private let period: UInt64
    private let shift: UInt64
    private let firstOrder: Permutation
    private let secondOrder: Permutation

    /// - Parameters:
    ///   - shift: 1 if both ends have the same objects, so that objects are not linked to themselves where possible.
    init(_ degrees: LinkDegrees, _ firstOrder: Permutation, _ secondOrder: Permutation, shift: UInt64) {
        self.degrees = degrees
        self.shift = shift
        self.firstOrder = firstOrder
        self.secondOrder = secondOrder
        guard degrees.first > 0, degrees.second > 0 else {
            period = 1
            return
        }
        period = degrees.first / Self.divisor(degrees.first, degrees.second) * degrees.second
    }

    private static func divisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }

    /// The objects of the second end that an object of the first one is linked to.
    func second(of object: UInt64) -> [UInt64] {
        var links: [UInt64] = []
        var link = firstOrder.inverse(object)
        guard link < degrees.first else { return links }
        while link < degrees.links {
            links.append(secondOrder((link + link / period + shift) % degrees.second))
            link += degrees.first
        }
        return links
    }

    /// The objects of the first end that an object of the second one is linked to.
    func first(of object: UInt64) -> [UInt64] {
        var links: [UInt64] = []
        let place = secondOrder.inverse(object)
        guard place < degrees.second else { return links }
        var block: UInt64 = 0
        var start: UInt64 = 0
        while start < degrees.links {
            // The first link of the block with this place; the start is a multiple of the second end's number.
            let back = (block + shift) % degrees.second
            var link = start + (place + degrees.second - back) % degrees.second
            let end = min(start + period, degrees.links)
            while link < end {
                links.append(firstOrder(link % degrees.first))
                link += degrees.second
            }
            block += 1
            start += period
        }
        return links
    }
}
