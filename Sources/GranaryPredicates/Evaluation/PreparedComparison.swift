/// A prepared comparison.
final class PreparedComparison: Sendable {
    /// The right side.
    enum Right: Sendable {
        case single(PreparedExpression)
        /// The literal bounds of `BETWEEN`.
        case bounds(PreparedExpression, PreparedExpression)
        /// The elements of a literal list of `IN`.
        case elements([PreparedExpression])
        /// The elements of a literal list of `IN` that are all constants.
        case members(ConstantMembers)
    }

    private let left: PreparedExpression
    private let operation: ObjectPredicate.Operator
    private let modifier: ObjectPredicate.Modifier
    private let rule: TextRule
    private let right: Right
    /// The folded bytes of a constant text on the right, if the rule folds.
    private let foldedRight: [UInt8]?
    /// The constant pattern of `LIKE`.
    private let like: LikePattern?
    /// The constant pattern of `MATCHES`; nil if it is invalid, which the model check and the resolver report.
    private let pattern: Pattern?
    private let hasConstantPattern: Bool

    init(
        left: PreparedExpression, operation: ObjectPredicate.Operator, modifier: ObjectPredicate.Modifier,
        rule: TextRule, right: Right
    ) {
        self.left = left
        self.operation = operation
        self.modifier = modifier
        self.rule = rule
        self.right = right
        var constant: String?
        if case .single(.value(let value)) = right { constant = value.comparedText }
        foldedRight = rule.isFolding ? constant.map { rule.foldedBytes($0) } : nil
        like = operation == .like ? constant.map { rule.withBytes(of: $0) { LikePattern($0) } } : nil
        hasConstantPattern = operation == .matches && constant != nil
        pattern = operation == .matches ? constant.flatMap { Self.pattern($0, rule) } : nil
    }

    func holds<Subject: PredicateSubject>(on subject: Subject, _ run: inout PredicateRun) -> Bool {
        let operand = left.value(on: subject, &run)
        var other: PredicateOperand?
        if case .single(let expression) = right { other = expression.value(on: subject, &run) }
        if modifier == .direct { return holds(operand, other, on: subject, &run) }
        // ANY ends at the first true element, ALL at the first false one.
        let isAny = modifier == .any
        for element in operand.elements {
            guard run.goesOn() else { return false }
            if holds(element, other, on: subject, &run) == isAny { return isAny }
        }
        return !isAny
    }

    private func holds<Subject: PredicateSubject>(
        _ left: PredicateOperand?, _ other: PredicateOperand?, on subject: Subject, _ run: inout PredicateRun
    ) -> Bool {
        switch right {
        case .single: return holds(left, other, &run)
        case .bounds(let lower, let upper):
            return isBetween(left, lower.value(on: subject, &run), upper.value(on: subject, &run))
        case .elements(let elements):
            for element in elements {
                let value = element.value(on: subject, &run)
                if value != nil, OperandComparison.areEqual(left, value, rule) { return true }
            }
            return false
        case .members(let members): return members.contains(left)
        }
    }

    private func holds(_ left: PredicateOperand?, _ right: PredicateOperand?, _ run: inout PredicateRun) -> Bool {
        switch operation {
        case .equal: return isEqual(left, right)
        case .notEqual: return !isEqual(left, right)
        case .less: return order(left, right).map { $0 < 0 } ?? false
        case .lessOrEqual: return order(left, right).map { $0 <= 0 } ?? false
        case .greater: return order(left, right).map { $0 > 0 } ?? false
        case .greaterOrEqual: return order(left, right).map { $0 >= 0 } ?? false
        case .between:
            guard case .list(let bounds)? = right, bounds.count == 2 else { return false }
            return isBetween(left, bounds[0], bounds[1])
        case .isIn:
            if case .list(let elements)? = right { return contains(elements, left) }
            return holdsForTexts(left, right) { ByteText.contains($1, $0) }
        case .contains:
            if case .list(let elements)? = left { return contains(elements, right) }
            return holdsForTexts(left, right) { ByteText.contains($0, $1) }
        case .beginsWith: return holdsForTexts(left, right) { ByteText.hasPrefix($0, $1) }
        case .endsWith: return holdsForTexts(left, right) { ByteText.hasSuffix($0, $1) }
        case .like:
            if let like, let text = left?.text { return rule.withBytes(of: text) { like.matches($0) } }
            return holdsForTexts(left, right) { LikePattern($1).matches($0) }
        case .matches: return matches(left, right, &run)
        }
    }

    private func isEqual(_ left: PredicateOperand?, _ right: PredicateOperand?) -> Bool {
        guard let foldedRight, !rule.isLocalized else { return OperandComparison.areEqual(left, right, rule) }
        guard let text = left?.text else { return false }
        return rule.withBytes(of: text) { text in
            foldedRight.withUnsafeBufferPointer { ByteText.areEqual(text, $0) }
        }
    }

    private func order(_ left: PredicateOperand?, _ right: PredicateOperand?) -> Int? {
        guard let foldedRight, !rule.isLocalized else { return OperandComparison.order(left, right, rule) }
        guard let text = left?.text else { return nil }
        return rule.withBytes(of: text) { text in
            foldedRight.withUnsafeBufferPointer { ByteText.order(text, $0) }
        }
    }

    private func isBetween(
        _ value: PredicateOperand?, _ lower: PredicateOperand?, _ upper: PredicateOperand?
    ) -> Bool {
        guard let least = OperandComparison.order(lower, value, rule), least <= 0,
            let most = OperandComparison.order(value, upper, rule)
        else { return false }
        return most <= 0
    }

    private func contains(_ elements: [PredicateOperand?], _ operand: PredicateOperand?) -> Bool {
        elements.contains { OperandComparison.areEqual($0, operand, rule) }
    }

    /// Calls `body` with the folded bytes of both sides; false if a side is not text.
    private func holdsForTexts(
        _ left: PredicateOperand?, _ right: PredicateOperand?,
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        guard let left = left?.text, let right = right?.text else { return false }
        return rule.withBytes(of: left) { left in
            if let foldedRight { return foldedRight.withUnsafeBufferPointer { body(left, $0) } }
            return rule.withBytes(of: right) { body(left, $0) }
        }
    }

    private func matches(_ left: PredicateOperand?, _ right: PredicateOperand?, _ run: inout PredicateRun) -> Bool {
        guard let text = left?.text else { return false }
        let used = hasConstantPattern ? pattern : right?.text.flatMap { Self.pattern($0, rule) }
        guard let used else { return false }
        let outcome = used.matchesWhole(rule.withoutMarks(text))
        if outcome == .limitReached { run.stop = run.stop ?? .patternLimit }
        return outcome == .match
    }

    private static func pattern(_ source: String, _ rule: TextRule) -> Pattern? {
        try? Pattern(rule.withoutMarks(source), ignoringCase: rule.ignoresCase)
    }
}
