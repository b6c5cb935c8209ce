import Foundation
import GranaryBase

/// One comparison of two evaluated operands, which is two-valued as in `NSPredicate` in memory.
struct PredicateComparison {
    let operation: ObjectPredicate.Operator
    let options: ObjectPredicate.Options

    func holds(_ left: PredicateOperand?, _ right: PredicateOperand?, _ run: inout PredicateRun) -> Bool {
        switch operation {
        case .equal: isEqual(left, right)
        case .notEqual: !isEqual(left, right)
        case .less: order(left, right).map { $0 < 0 } ?? false
        case .lessOrEqual: order(left, right).map { $0 <= 0 } ?? false
        case .greater: order(left, right).map { $0 > 0 } ?? false
        case .greaterOrEqual: order(left, right).map { $0 >= 0 } ?? false
        case .isIn: contains(right, left)
        case .matches: matches(left, right, &run)
        case .beginsWith: texts(left, right).map { $0.starts(with: $1) } ?? false
        case .endsWith: texts(left, right).map { $0.reversed().starts(with: $1.reversed()) } ?? false
        case .contains: contains(left, right)
        }
    }

    private func isEqual(_ left: PredicateOperand?, _ right: PredicateOperand?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (.value(let left)?, .value(let right)?): compare(left, right) == 0
        default: false
        }
    }

    private func order(_ left: PredicateOperand?, _ right: PredicateOperand?) -> Int? {
        guard case .value(let left)? = left, case .value(let right)? = right else { return nil }
        return compare(left, right)
    }

    /// Negative, zero or positive; nil if the two kinds have no common order.
    func compare(_ left: AttributeValue, _ right: AttributeValue) -> Int? {
        if let left = folded(left), let right = folded(right) {
            return left == right ? 0 : (left.lexicographicallyPrecedes(right) ? -1 : 1)
        }
        if let left = ComparedNumber(left), let right = ComparedNumber(right) { return left.order(to: right) }
        switch (left, right) {
        case (.date(let left), .date(let right)): return left == right ? 0 : (left < right ? -1 : 1)
        case (.uuid, .uuid), (.binary, .binary): return left == right ? 0 : nil
        default: return nil
        }
    }

    private func contains(_ collection: PredicateOperand?, _ element: PredicateOperand?) -> Bool {
        if case .list(let elements)? = collection {
            return elements.contains { isEqual($0, element) }
        }
        guard let (whole, part) = texts(collection, element) else { return false }
        guard !part.isEmpty else { return true }
        guard part.count <= whole.count else { return false }
        return (0...(whole.count - part.count)).contains { whole[$0...].starts(with: part) }
    }

    private func matches(
        _ left: PredicateOperand?, _ right: PredicateOperand?, _ run: inout PredicateRun
    ) -> Bool {
        guard case .value(.string(let text))? = left, case .value(.string(let expression))? = right,
            let pattern = run.patterns.pattern(expression, ignoringCase: options.contains(.caseInsensitive))
        else { return false }
        let outcome = pattern.matchesWhole(text)
        if outcome == .limitReached { run.isLimitReached = true }
        return outcome == .match
    }

    private func texts(_ left: PredicateOperand?, _ right: PredicateOperand?) -> ([UInt8], [UInt8])? {
        guard case .value(let left)? = left, case .value(let right)? = right,
            let left = folded(left), let right = folded(right)
        else { return nil }
        return (left, right)
    }

    /// The bytes by which text compares: the bytes of the text, or of its folded form if there are options.
    private func folded(_ value: AttributeValue) -> [UInt8]? {
        let text: String
        switch value {
        case .string(let value): text = value
        case .uri(let value): text = value.absoluteString
        default: return nil
        }
        guard !options.isEmpty else { return Array(text.utf8) }
        var folding: String.CompareOptions = []
        if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
        return Array(text.folding(options: folding, locale: nil).utf8)
    }
}
