import StoreTestSupport

/// Relationships as a plain list of pairs, searched from end to end: slow, and obviously right.
struct LinkTwin {
    struct Relation {
        let forward: String
        let backward: String?
        /// How many an object has at either end.
        var forwardIsMany = true
        var backwardIsMany = true
        var isOrdered = false
        /// Its own inverse: a pair counts both ways round.
        var isSymmetric = false
        /// Without an inverse, but with one owner only. Who owned an object is known once the owner's links are read.
        var isExclusive = false
    }

    struct Pair: Equatable {
        let from: Int
        let to: Int
    }

    /// Those of the conformance model's Node.
    static let relations: [Relation] = [
        Relation(forward: "mate", backward: nil, forwardIsMany: false, backwardIsMany: false, isSymmetric: true),
        Relation(forward: "next", backward: "previous", forwardIsMany: false, backwardIsMany: false),
        Relation(forward: "children", backward: "parent", backwardIsMany: false),
        Relation(forward: "members", backward: "team", backwardIsMany: false, isOrdered: true),
        Relation(forward: "likes", backward: "likedBy"),
        Relation(forward: "ranks", backward: "rankedBy", isOrdered: true),
        Relation(forward: "friends", backward: nil, isSymmetric: true),
        Relation(forward: "pointer", backward: nil, forwardIsMany: false),
        Relation(forward: "keeps", backward: nil, backwardIsMany: false, isExclusive: true),
    ]

    var pairs: [[Pair]] = Array(repeating: [], count: relations.count)

    /// The objects at the other end of `object`; in order where there is one, seen forward.
    func linked(_ relation: Int, _ object: Int, forward: Bool) -> [Int] {
        var found: [Int] = []
        for pair in pairs[relation] {
            if forward, pair.from == object { found.append(pair.to) }
            if !forward, pair.to == object { found.append(pair.from) }
            if Self.relations[relation].isSymmetric, forward, pair.to == object, pair.from != object {
                found.append(pair.from)
            }
        }
        return found
    }

    mutating func link(_ relation: Int, _ from: Int, _ to: Int) {
        guard !linked(relation, from, forward: true).contains(to) else { return }
        let rule = Self.relations[relation]
        if rule.isSymmetric, !rule.forwardIsMany {
            for end in [from, to] { pairs[relation].removeAll { $0.from == end || $0.to == end } }
        } else {
            if !rule.forwardIsMany { pairs[relation].removeAll { $0.from == from } }
            if !rule.backwardIsMany { pairs[relation].removeAll { $0.to == to } }
        }
        pairs[relation].append(Pair(from: from, to: to))
    }

    mutating func unlink(_ relation: Int, _ from: Int, _ to: Int) {
        let isSymmetric = Self.relations[relation].isSymmetric
        pairs[relation].removeAll {
            ($0.from == from && $0.to == to) || (isSymmetric && $0.from == to && $0.to == from)
        }
    }

    mutating func replace(_ relation: Int, _ object: Int, forward: Bool, with others: [Int]) {
        for other in linked(relation, object, forward: forward) where !others.contains(other) {
            forward ? unlink(relation, object, other) : unlink(relation, other, object)
        }
        for other in others { forward ? link(relation, object, other) : link(relation, other, object) }
        guard forward, Self.relations[relation].isOrdered else { return }
        pairs[relation].removeAll { $0.from == object }
        pairs[relation] += others.map { Pair(from: object, to: $0) }
    }

    mutating func remove(_ object: Int) {
        for relation in pairs.indices { pairs[relation].removeAll { $0.from == object || $0.to == object } }
    }
}
