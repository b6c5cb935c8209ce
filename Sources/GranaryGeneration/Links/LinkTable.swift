import GranaryModel

/// Links between the objects of two ends, computed from their numbers without a list.
///
/// Link *e* joins the objects *e* mod *first* and *e* + ⌊*e* / *period*⌋ + *shift* mod *second*, where the period is
/// the least common multiple. All links are different, and the numbers of links of the objects of an end differ by at
/// most one.
struct LinkTable: ObjectLinks {
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
