import GranaryBase
import GranaryPredicates

/// The predicates and expressions that a model holds as text.
///
/// A text that cannot be parsed is a warning: the rest of the model works without it.
extension ModelCheck {
    mutating func checkPredicates(of entity: EntityDescription) {
        for attribute in entity.attributes {
            guard let text = attribute.derivationExpression, !ObjectExpression.isPlainKeyPath(text) else { continue }
            do throws(PredicateSyntaxError) {
                _ = try ObjectExpression.parse(text)
            } catch {
                report(
                    .modelSyntax, "its derivation cannot be parsed: \(error.line)", entity.name, attribute.name,
                    severity: .warning)
            }
        }
        for property in entity.fetchedProperties {
            let request = property.fetchRequest
            check(request.predicateFormat, "its predicate", entity.name, property.name, on: request.entityName)
        }
        for index in entity.fetchIndexes {
            check(index.partialIndexPredicate, "the predicate of the index \(quoted(index.name))", entity.name, nil)
            for case let text? in index.elements.map(\.expression) {
                do throws(PredicateSyntaxError) {
                    _ = try ObjectExpression.parse(text)
                } catch {
                    report(
                        .modelSyntax,
                        "the expression \(quoted(text)) of the index \(quoted(index.name)) cannot be parsed: "
                            + error.line, entity.name, severity: .warning)
                }
            }
        }
    }

    mutating func checkPredicate(of template: FetchRequestTemplate) {
        check(
            template.predicateFormat, "the predicate of the fetch request \(quoted(template.name))",
            template.entityName, nil, on: template.entityName)
    }

    /// Checks a text. An empty one, which the model editor writes for a cleared field, is no predicate.
    ///
    /// - Parameter fetched: the entity of the objects that the predicate tests; nil if it is not known.
    private mutating func check(
        _ text: String?, _ what: String, _ entity: String, _ property: String?, on fetched: String? = nil
    ) {
        guard let text, !text.isEmpty else { return }
        do throws(PredicateSyntaxError) {
            let predicate = try ObjectPredicate.parse(text)
            if let fetched { checkLists(of: predicate, on: fetched, what, entity, property) }
        } catch {
            report(
                .modelSyntax, "\(what) cannot be parsed: \(error.line)", entity, property, severity: .warning)
        }
    }

    /// Warns of integers in a list that should contain a text: a store converts them, an evaluation in memory by
    /// `NSPredicate` finds nothing.
    private mutating func checkLists(
        of predicate: ObjectPredicate, on fetched: String, _ what: String, _ entity: String, _ property: String?
    ) {
        for case .predicate(.comparison(let comparison)) in predicate.parts
        where comparison.operation == .isIn && isText(comparison.left, of: fetched) {
            guard case .list(let elements) = comparison.right,
                let number = elements.lazy.compactMap(\.integerText).first
            else { continue }
            report(
                .modelRule,
                "\(what) compares the text \(comparison.left) with the number \(number); write \"\(number)\"", entity,
                property, severity: .warning)
        }
    }

    private func isText(_ expression: ObjectExpression, of entity: String) -> Bool {
        guard case .keyPath(let name) = expression else { return false }
        var next: String? = entity
        // Superentities can form a circle in an invalid model.
        for _ in model.entities {
            guard let found = model.entities.first(where: { $0.name == next }) else { return false }
            if let attribute = found.attributes.first(where: { $0.name == name }) { return attribute.type == .string }
            next = found.superentityName
        }
        return false
    }
}
