import GranaryBase
import GranaryModel

/// Plans the links of a relationship if a rule gives their numbers at one end or at both.
struct CountedLinkPlanner {
    /// One end of the relationship.
    struct End {
        /// `Patient.visits`; for an end without a relationship that of the other end.
        let name: String
        /// The counts that the objects have; nil without a rule.
        let rule: LinkCounts?
        /// What the model allows.
        let end: LinkEnd
        /// The number of objects.
        let count: UInt64
        let entity: String
        let order: Permutation
        /// The stream of the counts.
        let stream: RandomStream
    }

    /// Why there are no links with such counts.
    struct Problem: Error {
        let isFirst: Bool
        let message: String
    }

    let first: End
    let second: End
    let hasSameEnds: Bool

    /// The links; nil for none.
    func links() throws(Problem) -> (any ObjectLinks)? {
        let drawn = (first: try drawn(isFirst: true), second: try drawn(isFirst: false))
        switch drawn {
        case (nil, nil): return nil
        case (let counts?, nil): return try links(counts, ownersAreFirst: true)
        case (nil, let counts?): return try links(counts, ownersAreFirst: false)
        case (var one?, var other?):
            let (low, high) = (
                max(one.range.lowerBound, other.range.lowerBound), min(one.range.upperBound, other.range.upperBound)
            )
            guard low <= high else { throw contradiction }
            // The sum between those that were drawn.
            let middle = one.sum / 2 + other.sum / 2
            let goal = min(max(middle, low), high)
            guard one.adjust(to: goal...goal, first.order), other.adjust(to: goal...goal, second.order),
                let links = PairedLinks(one.counts, other.counts, (first.order, second.order))
            else { throw contradiction }
            return goal == 0 ? nil : links
        }
    }

    private var contradiction: Problem {
        Problem(
            isFirst: true,
            message: "no links have the counts of \(first.name) and \(second.name) for \(first.count) objects of "
                + "\(first.entity) and \(second.count) of \(second.entity)")
    }

    private func drawn(isFirst: Bool) throws(Problem) -> DrawnCounts? {
        let (own, other) = isFirst ? (first, second) : (second, first)
        guard let rule = own.rule, own.count > 0 else { return nil }
        guard own.count <= LinkCounts.limit else {
            throw Problem(isFirst: isFirst, message: "counts are given for at most \(LinkCounts.limit) objects")
        }
        guard let allowed = rule.allowed(by: own.end, others: other.count) else {
            let least = max(own.end.must, rule.smallest)
            let message =
                other.count < least
                ? "each object of \(own.entity) needs \(least) of \(other.entity), and there "
                    + (other.count == 1 ? "is 1" : "are \(other.count)")
                : "\(LinkCounts.key) has no count that the model allows (\(Self.text(own.end)))"
            throw Problem(isFirst: isFirst, message: message)
        }
        return DrawnCounts(allowed, objects: own.count, own.stream)
    }

    private static func text(_ end: LinkEnd) -> String {
        let least = end.must > 0 ? "at least \(end.must)" : end.step > 1 ? "0, or at least \(end.step)" : "at least 0"
        return end.limit == .max ? least : "\(least), at most \(end.limit)"
    }

    /// Links whose numbers one end gives, and the other end shares equally.
    private func links(_ drawn: DrawnCounts, ownersAreFirst: Bool) throws(Problem) -> (any ObjectLinks)? {
        var drawn = drawn
        let (owner, member) = ownersAreFirst ? (first, second) : (second, first)
        let isExclusive = member.end.limit == 1
        let least = member.end.must > 0 ? LinkDegrees.product(member.count, member.end.step) : 0
        var most = LinkDegrees.product(member.count, member.end.limit)
        guard drawn.range.upperBound >= least else {
            throw Problem(
                isFirst: ownersAreFirst,
                message: "the counts allow \(drawn.range.upperBound) links, and \(member.count) objects of "
                    + "\(member.entity) need \(member.end.step == 1 ? "one" : "\(member.end.step)") each. The largest "
                    + "count of \(member.entity) is \(drawn.range.upperBound / max(1, member.end.step))")
        }
        guard drawn.range.lowerBound <= most else {
            let largest = most / max(1, drawn.range.lowerBound / owner.count)
            throw Problem(
                isFirst: ownersAreFirst,
                message: "the counts need at least \(drawn.range.lowerBound) links, and \(member.count) objects of "
                    + "\(member.entity) can have \(most). The largest count of \(owner.entity) is \(largest)")
        }
        // A tree has an object without a parent, unless the counts or the model do not allow it.
        if hasSameEnds, isExclusive, least < most, drawn.range.lowerBound < most { most -= 1 }
        guard drawn.adjust(to: least...most, owner.order) else {
            throw Problem(
                isFirst: ownersAreFirst,
                message:
                    "no counts of \(LinkCounts.key) add up to the \(least == most ? "" : "at least ")\(least) links "
                    + "that \(member.count) objects of \(member.entity) need")
        }
        guard drawn.sum > 0 else { return nil }
        if hasSameEnds, isExclusive {
            return CountedLinks(treeOf: drawn.counts, ownersAreFirst: ownersAreFirst, owner.order)
        }
        let members = member.end.step > 1 ? min(member.count, drawn.sum / member.end.step) : member.count
        let share = members == 0 ? 0 : drawn.sum / members + (drawn.sum % members == 0 ? 0 : 1)
        guard members > 0, share <= member.end.limit, drawn.counts.allSatisfy({ UInt64($0) <= members }) else {
            throw Problem(
                isFirst: ownersAreFirst,
                message: "no links satisfy the counts and the rules of \(member.name) for \(owner.count) objects of "
                    + "\(owner.entity) and \(member.count) of \(member.entity)")
        }
        return CountedLinks(
            drawn.counts, ownersAreFirst: ownersAreFirst, members: members, member.order, shift: hasSameEnds ? 1 : 0)
    }
}
