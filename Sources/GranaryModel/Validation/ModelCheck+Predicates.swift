import GranaryBase

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
            check(property.fetchRequest.predicateFormat, "its predicate", entity.name, property.name)
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
            template.entityName, nil)
    }

    /// Checks a text. An empty one, which the model editor writes for a cleared field, is no predicate.
    private mutating func check(_ text: String?, _ what: String, _ entity: String, _ property: String?) {
        guard let text, !text.isEmpty else { return }
        do throws(PredicateSyntaxError) {
            _ = try ObjectPredicate.parse(text)
        } catch {
            report(
                .modelSyntax, "\(what) cannot be parsed: \(error.line)", entity, property, severity: .warning)
        }
    }
}
