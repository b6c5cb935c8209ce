#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryModel
    import GranaryPredicates

    extension SearchSQL {
        /// The part of a condition that SQL can test, and the rest; the two are joined by AND.
        func split(_ predicate: ObjectPredicate) -> (condition: String?, rest: ObjectPredicate?) {
            let parts = if case .and(let parts) = predicate { parts } else { [predicate] }
            var conditions: [String] = []
            var rest: [ObjectPredicate] = []
            for part in parts {
                if let condition = attempt({ condition(part) }) {
                    conditions.append(condition)
                } else {
                    rest.append(part)
                }
            }
            return (
                conditions.isEmpty ? nil : Self.joined(conditions[...], "AND"),
                rest.isEmpty ? nil : rest.count == 1 ? rest[0] : .and(rest)
            )
        }

        /// A condition that is true exactly where the predicate is; it may be NULL instead of false. The depth of a predicate
        /// is limited by ``PredicateResolver``.
        private func condition(_ predicate: ObjectPredicate) -> String? {
            switch predicate {
            case .constant(let truth): return truth ? "true" : "false"
            case .and(let parts): return conditions(parts).map { Self.joined($0[...], "AND") }
            case .or(let parts): return conditions(parts).map { Self.joined($0[...], "OR") }
            case .not(let part): return condition(part).map { "(\($0)) IS NOT TRUE" }
            case .comparison(let comparison):
                guard comparison.modifier == .direct, countComparison() else { return nil }
                return condition(comparison)
            }
        }

        private func conditions(_ parts: [ObjectPredicate]) -> [String]? {
            var result: [String] = []
            for part in parts {
                guard let condition = condition(part) else { return nil }
                result.append(condition)
            }
            return result
        }

        private func condition(_ comparison: ObjectPredicate.Comparison) -> String? {
            guard let left = value(comparison.left) else { return nil }
            // Without options, and with [n], text compares by its bytes.
            let isPlain = comparison.options.isEmpty || comparison.options == .normalized
            guard isPlain || left.kind != .text else { return nil }
            switch comparison.operation {
            case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
                return self.comparison(left, comparison.operation, comparison.right)
            case .isIn: return membership(left, comparison.right)
            case .between:
                guard case .list(let bounds) = comparison.right, bounds.count == 2,
                    let above = self.comparison(left, .greaterOrEqual, bounds[0]),
                    let below = self.comparison(left, .lessOrEqual, bounds[1])
                else { return nil }
                return "(\(above) AND \(below))"
            case .beginsWith: return text(comparison.right, left) { "starts_with(\(left.sql), \($0))" }
            case .contains: return text(comparison.right, left) { "strpos(\(left.sql), \($0)) > 0" }
            case .matches, .like, .endsWith: return nil
            }
        }

        private func value(_ expression: ObjectExpression) -> Term? {
            switch expression {
            case .evaluatedObject: key
            case .keyPath(let path): term(path)
            default: nil
            }
        }

        private func comparison(
            _ left: Term, _ operation: ObjectPredicate.Operator, _ right: ObjectExpression
        ) -> String? {
            let isOrder = operation != .equal && operation != .notEqual
            if isOrder, case .object = left.kind { return nil }
            switch right {
            case .null:
                switch operation {
                case .equal: return "\(left.sql) IS NULL"
                case .notEqual: return "\(left.sql) IS NOT NULL"
                default: return "false"
                }
            case .constant(let value):
                guard let (column, constant) = constant(value, for: left) else { return nil }
                return operation == .notEqual
                    ? "\(column) IS DISTINCT FROM \(constant)" : "\(column) \(Self.sign(operation)) \(constant)"
            case .object(let reference):
                guard case .object(let root) = left.kind, schema.entity(named: reference.root)?.root == root else {
                    return nil
                }
                var found: Int64 = -1
                if case .stored(let key) = reference.key, reference.store == identifier { found = key }
                let constant = bind(.bigint) { $0.appendField(found) }
                return operation == .notEqual ? "\(left.sql) IS DISTINCT FROM \(constant)" : "\(left.sql) = \(constant)"
            case .keyPath, .evaluatedObject:
                guard let right = value(right), right.kind == left.kind else { return nil }
                switch operation {
                case .equal: return "\(left.sql) IS NOT DISTINCT FROM \(right.sql)"
                case .notEqual: return "\(left.sql) IS DISTINCT FROM \(right.sql)"
                default: return "\(left.sql) \(Self.sign(operation)) \(right.sql)"
                }
            default: return nil
            }
        }

        private static func sign(_ operation: ObjectPredicate.Operator) -> String {
            operation == .equal ? "=" : operation.rawValue
        }

        private func membership(_ left: Term, _ right: ObjectExpression) -> String? {
            guard case .list(let elements) = right, elements.count <= Self.listLimit else { return nil }
            var tests: [String] = []
            // Elements of one form are one array.
            var integers: [Int64] = []
            var texts: [String] = []
            for element in elements where element != .null {
                switch (left.kind, element) {
                case (.integer, .constant(.integer(let value))): integers.append(value)
                case (.text, .constant(.string(let text))):
                    // No stored text contains it.
                    if !text.utf8.contains(0) { texts.append(text) }
                default:
                    guard countComparison(), let test = comparison(left, .equal, element) else { return nil }
                    tests.append(test)
                }
            }
            if !integers.isEmpty {
                parameters.add(list: integers)
                tests.append("\(left.sql) = ANY($\(parameters.types.count))")
            }
            if !texts.isEmpty {
                parameters.add(list: texts)
                tests.append("\(left.sql) = ANY($\(parameters.types.count))")
            }
            return Self.joined(tests[...], "OR")
        }

        private func text(_ right: ObjectExpression, _ left: Term, _ body: (String) -> String) -> String? {
            guard left.kind == .text, case .constant(.string(let text)) = right else { return nil }
            if text.utf8.contains(0) { return "false" }
            return body(bind(.text) { $0.appendField(text.utf8) })
        }

        /// The two sides of a comparison with a constant. Integers and decimals compare by their digits, a number with a
        /// floating-point number as doubles.
        private func constant(_ value: AttributeValue, for left: Term) -> (column: String, constant: String)? {
            func real(_ number: Double) -> (String, String)? {
                guard !number.isNaN else { return nil }
                let column = left.kind == .real ? left.sql : "(\(left.sql))::double precision"
                return (column, bind(.doublePrecision) { $0.appendField(number) })
            }
            func decimal(_ number: ExactDecimal) -> (String, String) {
                let column = left.kind == .decimal ? left.sql : "(\(left.sql))::numeric"
                return (column, bind(.numeric) { NumericValue.append(number, to: &$0) })
            }
            switch (left.kind, value) {
            case (.integer, .integer(let number)): return (left.sql, bind(.bigint) { $0.appendField(number) })
            case (.integer, .boolean(let truth)):
                return (left.sql, bind(.bigint) { $0.appendField(truth ? 1 : 0 as Int64) })
            case (.decimal, .integer(let number)): return decimal(ExactDecimal(number))
            case (.decimal, .boolean(let truth)): return decimal(ExactDecimal(truth ? 1 : 0))
            case (.real, .integer(let number)): return Double(exactly: number).flatMap(real)
            case (.real, .boolean(let truth)): return real(truth ? 1 : 0)
            case (.integer, .decimal(let number)), (.decimal, .decimal(let number)):
                return ExactDecimal(exactly: number).map(decimal)
            case (.real, .decimal(let number)): return ExactDecimal(exactly: number).flatMap { real($0.nearestDouble) }
            case (.integer, .double(let number)): return integer(left, number, real)
            case (.integer, .float(let number)): return integer(left, Double(number), real)
            case (.decimal, .double(let number)), (.real, .double(let number)): return real(number)
            case (.decimal, .float(let number)), (.real, .float(let number)): return real(Double(number))
            case (.text, .string(let text)):
                return text.utf8.contains(0) ? nil : (left.sql, bind(.text) { $0.appendField(text.utf8) })
            case (.text, .uri(let url)):
                return (left.sql, bind(.text) { $0.appendField(url.absoluteString.utf8) })
            case (.date, .date(let date)):
                let seconds = date.timeIntervalSinceReferenceDate
                return seconds.isNaN ? nil : (left.sql, bind(.doublePrecision) { $0.appendField(seconds) })
            case (.uuid, .uuid(let uuid)):
                return (left.sql, bind(.uuid) { buffer in withUnsafeBytes(of: uuid.uuid) { buffer.appendField($0) } })
            default: return nil
            }
        }

        /// A column of integers and a floating-point constant. As doubles, large integers would be rounded, but a constant
        /// with a fraction is far below them.
        private func integer(
            _ left: Term, _ number: Double, _ real: (Double) -> (String, String)?
        ) -> (column: String, constant: String)? {
            if let whole = Int64(exactly: number) { return (left.sql, bind(.bigint) { $0.appendField(whole) }) }
            return number.magnitude < 0x1p52 ? real(number) : nil
        }
    }
#endif
