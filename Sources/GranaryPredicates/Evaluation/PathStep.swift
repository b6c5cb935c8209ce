/// One step of a prepared key path.
indirect enum PathStep: Sendable {
    /// The value of a property.
    case key(String)
    /// `self`, `objectID`: the object itself.
    case itself
    /// `@count`.
    case count
    /// `@sum`, `@avg`, `@min` and `@max` of the values that the steps lead to.
    case aggregate(PredicateAggregate, [PathStep])
    /// `@unionOfObjects` and `@distinctUnionOfObjects` of the values that the steps lead to.
    case union(isDistinct: Bool, [PathStep])
    /// An unknown collection operator.
    case unknown

    /// The step of a key that is not a collection operator with steps of its own.
    init(key: String) {
        switch key {
        case "self", "objectID": self = .itself
        case CollectionOperator.count.rawValue: self = .count
        default: self = key.hasPrefix("@") ? .unknown : .key(key)
        }
    }

    static func keys(of path: String) -> [String] { path.split(separator: ".").map(String.init) }

    /// The keys after a collection operator, up to the next operator, lead to the values that it takes.
    static func steps(of keys: ArraySlice<String>) -> [PathStep] {
        var keys = keys
        var steps: [PathStep] = []
        while let key = keys.popFirst() {
            guard let operation = CollectionOperator(rawValue: key), operation != .count else {
                steps.append(PathStep(key: key))
                continue
            }
            let inner = keys.prefix { !$0.hasPrefix("@") }
            keys = keys.dropFirst(inner.count)
            let values = inner.map { PathStep(key: $0) }
            if let aggregate = operation.aggregate {
                steps.append(.aggregate(aggregate, values))
            } else {
                steps.append(.union(isDistinct: operation == .distinctUnion, values))
            }
        }
        return steps
    }

    func value(of operand: PredicateOperand?, _ run: inout PredicateRun) -> PredicateOperand? {
        switch self {
        case .key(let key): return Self.value(of: operand, forKey: key, &run)
        case .itself: return operand?.itself
        case .count: return .value(.integer(Int64(operand.elements.count)))
        case .aggregate(let aggregate, let steps):
            return aggregate.value(of: Self.values(of: operand, steps, &run)).map(PredicateOperand.value)
        case .union(let isDistinct, let steps):
            let values = Self.values(of: operand, steps, &run)
            return .list(isDistinct ? DistinctOperands.distinct(values) : values.filter { $0 != nil })
        case .unknown: return nil
        }
    }

    /// The values that the steps lead to from each element of a collection.
    private static func values(
        of operand: PredicateOperand?, _ steps: [PathStep], _ run: inout PredicateRun
    ) -> [PredicateOperand?] {
        let elements = operand.elements
        guard !steps.isEmpty else { return elements }
        var current: PredicateOperand? = .list(elements)
        for step in steps { current = step.value(of: current, &run) }
        return current.elements
    }

    private static func value(
        of operand: PredicateOperand?, forKey key: String, _ run: inout PredicateRun
    ) -> PredicateOperand? {
        switch operand {
        case nil, .reference?: return nil
        case .subject(let subject)?: return subject.predicateValue(forKey: key)
        case .value(let value)?: return ValueSubject(value: value).predicateValue(forKey: key)
        case .list(let elements)?:
            // The results of one element that are a list become elements; NULL stays an element.
            var result: [PredicateOperand?] = []
            result.reserveCapacity(elements.count)
            for element in elements {
                guard run.goesOn(result.count) else { return nil }
                let value = Self.value(of: element, forKey: key, &run)
                if case .list(let inner)? = value { result.append(contentsOf: inner) } else { result.append(value) }
            }
            return .list(result)
        }
    }
}

extension PredicateOperand {
    /// The object for the keys `self` and `objectID`; for a list, of every element. Values have no such key.
    fileprivate var itself: PredicateOperand? {
        switch self {
        case .subject, .reference: self
        case .value: nil
        case .list(let elements): .list(elements.map { $0?.itself })
        }
    }
}
