import GranaryBase
import GranaryModel
import GranaryPredicates

/// The predicates and expressions of model files as text.
enum PredicateFormat {
    /// Reads a condition.
    ///
    /// - Throws: ``GranaryError`` with `model.syntax`, the column and the expected token; so do the two below.
    static func predicate(_ text: String) throws(GranaryError) -> ObjectPredicate {
        do throws(PredicateSyntaxError) {
            return try ObjectPredicate.parse(text)
        } catch {
            throw error.modelError
        }
    }

    /// Reads a value.
    static func expression(_ text: String) throws(GranaryError) -> ObjectExpression {
        do throws(PredicateSyntaxError) {
            return try ObjectExpression.parse(text)
        } catch {
            throw error.modelError
        }
    }

    /// Reads the derivation expression of an attribute in the spelling of the model XML.
    ///
    /// Core Data archives `pages.@count` as the function `count:(pages)`, as a real model shows. Its form of `@sum` is
    /// not known, so `@sum` stays a key path.
    static func derivation(_ text: String) throws(GranaryError) -> ObjectExpression {
        guard ObjectExpression.isPlainKeyPath(text) else { return try expression(text) }
        guard text.hasSuffix(countSuffix) else { return .keyPath(text) }
        let collection = String(text.dropLast(countSuffix.count))
        let isPath = !collection.isEmpty && !collection.contains("@")
        return isPath ? .function("count:", [.keyPath(collection)]) : .keyPath(text)
    }

    /// The expression in the spelling of the model XML; key paths without `#`, which the XML does not use.
    static func derivationText(of expression: ObjectExpression) -> String {
        switch expression {
        case .keyPath(let path): return path
        case .function(let name, let arguments) where arguments.count == 1:
            guard case .keyPath(let path)? = arguments.first else { break }
            return name == "count:" && !path.contains("@") ? path + countSuffix : "\(name)(\(path))"
        default: break
        }
        return expression.description
    }

    private static let countSuffix = ".@count"
}
