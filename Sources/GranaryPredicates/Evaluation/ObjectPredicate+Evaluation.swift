import GranaryBase

extension ObjectPredicate {
    /// Whether the predicate is true for a value: a managed object, a dictionary by property names, a list of them, or
    /// a single value. (`NSPredicate.evaluate(with:substitutionVariables:)`)
    ///
    /// ```swift
    /// let adults = try ObjectPredicate("age >= 18")
    /// try adults.evaluate(with: person)
    /// try adults.evaluate(with: ["name": "Ann", "age": 30])
    /// ```
    /// For a managed object, the predicate is checked and its constants converted as in a fetch. For other values
    /// nothing is converted, as in memory in Foundation: the text `"9"` is not the number 9. A name that a dictionary
    /// does not have is NULL. A list is `SELF`, as in `SELF.@count > 3`; ``filter(_:substitutionVariables:)`` tests its
    /// elements.
    ///
    /// - Parameters:
    ///   - value: the object or value; nil for NULL. Dictionaries, lists, sets and optionals can be nested.
    ///   - variables: the values by the variables' names, without `$`; nil is NULL.
    /// - Throws: ``GranaryError`` with code `usage` for a variable without a value, an unknown function, an unknown
    ///   property of a managed object, and a value of a type that predicates do not know; any error from reading a
    ///   managed object.
    public func evaluate(
        with value: Any?, substitutionVariables variables: [String: (any PredicateArgument)?] = [:]
    ) throws -> Bool {
        var evaluation = try Evaluation(self, variables)
        return try evaluation.holds(value)
    }

    /// Returns the values for which the predicate is true, in their order. (`NSArray.filtered(using:)`)
    ///
    /// ```swift
    /// let adults = try ObjectPredicate("age >= 18").filter(people)
    /// ```
    /// - Throws: as ``evaluate(with:substitutionVariables:)``.
    public func filter<Values: Sequence>(
        _ values: Values, substitutionVariables variables: [String: (any PredicateArgument)?] = [:]
    ) throws -> [Values.Element] {
        var evaluation = try Evaluation(self, variables)
        var found: [Values.Element] = []
        for value in values where try evaluation.holds(value) { found.append(value) }
        return found
    }

    /// A predicate with its variables, prepared once for each entity.
    private struct Evaluation {
        private let predicate: ObjectPredicate
        private var compiled: [ObjectIdentifier?: CompiledPredicate] = [:]

        init(_ predicate: ObjectPredicate, _ variables: [String: (any PredicateArgument)?]) throws(GranaryError) {
            try PredicatePart.predicate(predicate).checkDepth()
            self.predicate =
                variables.isEmpty
                ? predicate : predicate.substituting(variables.mapValues { $0?.predicateExpression ?? .null })
            try PredicatePart.predicate(self.predicate).checkDepth()
        }

        mutating func holds(_ value: Any?) throws -> Bool {
            let object = value as? any PredicateObject
            let given = try GivenValue(value)
            let outcome = try prepared(for: object).outcome(on: given.subject)
            try given.check()
            return try outcome.holds
        }

        private mutating func prepared(for object: (any PredicateObject)?) throws(GranaryError) -> CompiledPredicate {
            let id = object?.predicateEntityID
            if let known = compiled[id] { return known }
            let checked: ObjectPredicate
            if let object {
                checked = try object.resolved(predicate)
            } else {
                try PredicatePart.predicate(predicate).checkIsEvaluable("\(predicate)")
                checked = predicate
            }
            let new = CompiledPredicate(checked)
            compiled[id] = new
            return new
        }
    }
}

extension ObjectExpression {
    /// What an expression gives.
    public indirect enum Value: Sendable, Hashable {
        /// A value.
        case value(AttributeValue)
        /// A managed object, by its ID.
        case object(ObjectReference)
        /// Several of them; nil is NULL.
        case list([Value?])

        /// The value; nil for an object and a list.
        public var attributeValue: AttributeValue? { if case .value(let value) = self { value } else { nil } }
    }

    /// The value of the expression on an object or value; nil for NULL. (`NSExpression.expressionValue(with:context:)`)
    ///
    /// ```swift
    /// try ObjectExpression("1 + 2").value(with: nil)?.attributeValue // 3
    /// try ObjectExpression("employees.@count").value(with: department)
    /// ```
    /// - Parameters: as ``ObjectPredicate/evaluate(with:substitutionVariables:)``.
    /// - Throws: as there, and ``GranaryError`` with code `usage` if the result is a dictionary.
    public func value(
        with value: Any?, substitutionVariables variables: [String: (any PredicateArgument)?] = [:]
    ) throws -> Value? {
        try PredicatePart.expression(self).checkDepth()
        var expression =
            variables.isEmpty ? self : substituting(variables.mapValues { $0?.predicateExpression ?? .null })
        try PredicatePart.expression(expression).checkDepth()
        if let object = value as? any PredicateObject {
            expression = try object.resolved(expression)
        } else {
            try PredicatePart.expression(expression).checkIsEvaluable("\(expression)")
        }
        let given = try GivenValue(value)
        let operand = try CompiledExpression(expression).value(on: given.subject)
        try given.check()
        return try operand.map { try Value($0) }
    }
}

extension ObjectExpression.Value {
    /// Lists nest at most as deep as the value that was given.
    fileprivate init(_ operand: PredicateOperand) throws(GranaryError) {
        switch operand {
        case .value(let value): self = .value(value)
        case .reference(let reference): self = .object(reference)
        case .subject(let subject):
            guard let reference = subject.predicateReference else {
                throw GranaryError(.usage, "the expression gives a dictionary; name one of its values")
            }
            self = .object(reference)
        case .list(let elements):
            var values: [Self?] = []
            for element in elements {
                values.append(try element.map { (operand) throws(GranaryError) in try Self(operand) })
            }
            self = .list(values)
        }
    }
}
