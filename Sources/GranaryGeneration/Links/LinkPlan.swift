import GranaryModel

/// How the objects of a relationship and its inverse are linked.
struct LinkPlan: Sendable {
    enum Mode: Sendable {
        /// Each object of the first end refers to any object of the second one.
        ///
        /// - Parameters:
        ///   - nullPercent: the percentage of objects without a reference.
        ///   - isTree: whether objects refer only to objects before them.
        case random(nullPercent: UInt64, isTree: Bool)
        case table(any ObjectLinks)
        /// Neighbours in an order refer to each other: a to-one relationship that is its own inverse.
        case pairs(Permutation, linked: UInt64)
        /// Each object is linked to its neighbours in a circle: a to-many relationship that is its own inverse.
        case circle(Permutation, linked: UInt64, degree: UInt64)
    }

    /// The relationship of the first end. If either relationship is a to-one, it is this one.
    let relationship: Schema.Relationship
    let inverse: Schema.Relationship?
    let first: ObjectSpan
    let second: ObjectSpan
    let mode: Mode
    /// Whether both ends have the same objects.
    let hasSameEnds: Bool

    /// The object that a generated object of the first end refers to.
    ///
    /// - Parameters:
    ///   - number: the object's number among all objects of its entity, for random choices.
    func destination(
        of kind: GeneratedObjects.Kind, _ offset: UInt64, number: UInt64, _ stream: RandomStream
    ) -> ObjectSpan.Object? {
        guard let start = first.start(of: kind.entity.index) else { return nil }
        let object = start + offset
        switch mode {
        case .random(let nullPercent, let isTree):
            if stream.number(number, draw: 1, below: 100) < nullPercent { return nil }
            let limit = isTree ? object : second.count
            guard limit > 0 else { return nil }
            var place = stream.number(number, below: limit)
            // An object refers to another one if there is one.
            if !isTree, place == object, hasSameEnds, limit > 1 { place = (place + 1) % limit }
            return second[place]
        case .table(let table): return table.second(of: object).first.map { second[$0] }
        case .pairs(let order, let linked):
            let place = order.inverse(object)
            return place < linked ? second[order(place ^ 1)] : nil
        case .circle: return nil
        }
    }

    /// The object that a generated object of the second end refers to; for a one-to-one relationship.
    func origin(of kind: GeneratedObjects.Kind, _ offset: UInt64) -> ObjectSpan.Object? {
        guard case .table(let table) = mode, let start = second.start(of: kind.entity.index) else { return nil }
        return table.first(of: start + offset).first.map { first[$0] }
    }

    /// The objects that an object of the first end is linked to.
    func members(of object: UInt64) -> [ObjectSpan.Object] {
        switch mode {
        case .table(let table): return table.second(of: object).map { second[$0] }
        case .circle(let order, let linked, let degree):
            let place = order.inverse(object)
            guard place < linked, linked > 1 else { return [] }
            var members: [UInt64] = []
            for distance in 1..<(degree / 2 + 1) {
                members += [(place + distance) % linked, (place + linked - distance) % linked]
            }
            if degree % 2 == 1 { members.append((place + linked / 2) % linked) }
            return members.map { second[order($0)] }
        case .random, .pairs: return []
        }
    }

    /// The objects that an object of the second end is linked to.
    func owners(of object: UInt64) -> [ObjectSpan.Object] {
        guard case .table(let table) = mode else { return [] }
        return table.first(of: object).map { first[$0] }
    }
}
