import GranaryBase
import GranaryPredicates

extension ModelCheck {
    mutating func check(_ attribute: AttributeDescription, of entity: String) {
        let name = attribute.name
        if attribute.type == .undefined, !attribute.isTransient {
            report(.modelType, "an attribute without a type must be transient", entity, name)
        }
        if attribute.type == .composite, composites.composite(named: attribute.compositeName) == nil {
            report(.modelReference, "there is no composite \(quoted(attribute.compositeName ?? ""))", entity, name)
        }
        checkBounds(of: attribute, in: entity)
        checkLengths(of: attribute, in: entity)
        let isSound = checkRules(of: attribute, in: entity)
        if let value = attribute.defaultValue, isSound { checkDefault(value, of: attribute, in: entity) }
    }

    private mutating func checkBounds(of attribute: AttributeDescription, in entity: String) {
        var areSound = true
        for (what, bound) in [("minimum", attribute.minimumValue), ("maximum", attribute.maximumValue)] {
            guard let bound else { continue }
            switch attribute.type {
            case .integer16, .integer32, .integer64, .decimal, .double, .float, .date:
                if !bound.fits(attribute.type) {
                    report(.modelRule, "the \(what) is not \(attribute.type.phrase)", entity, attribute.name)
                    areSound = false
                } else if !bound.isFinite {
                    report(.modelRule, "the \(what) is not a finite value", entity, attribute.name)
                    areSound = false
                }
            default:
                report(.modelRule, "\(attribute.type.phrase) has no \(what)", entity, attribute.name)
                areSound = false
            }
        }
        guard areSound, let minimum = attribute.minimumValue, let maximum = attribute.maximumValue else { return }
        if !ObjectPredicate.compare(.constant(minimum), .lessOrEqual, .constant(maximum)).evaluate(with: nil) {
            report(.modelRule, "the minimum is larger than the maximum", entity, attribute.name)
        }
    }

    private mutating func checkLengths(of attribute: AttributeDescription, in entity: String) {
        guard attribute.minimumLength != nil || attribute.maximumLength != nil else { return }
        if attribute.type != .string {
            report(.modelRule, "only a String can have a length", entity, attribute.name)
        }
        if (attribute.minimumLength ?? 0) < 0 || (attribute.maximumLength ?? 0) < 0 {
            report(.modelRule, "a length must not be negative", entity, attribute.name)
        }
        if let minimum = attribute.minimumLength, let maximum = attribute.maximumLength, minimum > maximum {
            report(
                .modelRule, "the minimum length \(minimum) is larger than the maximum \(maximum)", entity,
                attribute.name)
        }
    }

    /// Whether the rules can be compiled, so that the default value can be validated.
    private mutating func checkRules(of attribute: AttributeDescription, in entity: String) -> Bool {
        var isSound = true
        if let expression = attribute.regularExpression {
            if attribute.type != .string {
                report(.modelRule, "only a String can have a regular expression", entity, attribute.name)
            }
            isSound = checkExpression(expression, of: attribute, in: entity)
        }
        for rule in attribute.validationRules {
            guard !rule.predicate.isTooDeep else {
                report(
                    .modelRule, "a validation rule nests deeper than \(ObjectPredicate.depthLimit)", entity,
                    attribute.name)
                isSound = false
                continue
            }
            guard rule.predicate.isEvaluable else {
                report(
                    .modelRule,
                    "a validation rule has parts that cannot be evaluated: \(Diagnostic.shortened("\(rule.predicate)"))",
                    entity, attribute.name)
                isSound = false
                continue
            }
            for match in rule.predicate.matchExpressions {
                isSound =
                    checkExpression(match.source, ignoringCase: match.ignoringCase, of: attribute, in: entity)
                    && isSound
            }
        }
        return isSound
    }

    private mutating func checkExpression(
        _ expression: String, ignoringCase: Bool = false, of attribute: AttributeDescription, in entity: String
    ) -> Bool {
        do {
            _ = try Pattern(expression, ignoringCase: ignoringCase)
            return true
        } catch {
            report(.modelRule, "\(error)", entity, attribute.name)
            return false
        }
    }

    private mutating func checkDefault(
        _ value: AttributeValue, of attribute: AttributeDescription, in entity: String
    ) {
        guard value.fits(attribute.type) else {
            report(
                .modelDefault, "the default is \(value.phrase), not \(attribute.type.phrase)", entity, attribute.name)
            return
        }
        guard let validator = try? AttributeValidator(attribute) else { return }
        // Core Data's editor accepts such a default, but an object with it cannot be saved. None of 120 real models has
        // one.
        for violation in value.withBorrowed({ validator.violations(of: $0) }) {
            report(
                .modelDefault, "the default breaks a rule of the attribute: \(violation.message)", entity,
                attribute.name)
        }
    }
}
