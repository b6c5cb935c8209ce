import Foundation
import GranaryBase
import GranaryModel

/// The text form of predicates and expressions. (`NSPredicate.predicateFormat`, `NSPredicate(format:)`)
enum PredicateFormat {
    /// The reserved words, in upper case. A key with such a name is written with `#`. From Apple's "Predicate Format
    /// String Syntax".
    static let reservedWords: Set<String> = [
        "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES", "CONTAINS",
        "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST",
        "SIZE", "ANYKEY", "SUBQUERY", "FETCH", "CAST", "FUNCTION", "TERNARY", "TRUEPREDICATE", "FALSEPREDICATE",
    ]

    /// The operator signs of Foundation's functions.
    static let signs = [
        "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/", "raise:toPower:": "**",
    ]

    /// Reads a condition.
    ///
    /// - Throws: ``GranaryError`` with `model.syntax`, the column and the expected token; so do the two below.
    static func predicate(_ text: String) throws(GranaryError) -> PredicateNode {
        var parser = try PredicateParser(text)
        return try parser.wholePredicate()
    }

    /// Reads a value.
    static func expression(_ text: String) throws(GranaryError) -> ExpressionNode {
        var parser = try PredicateParser(text)
        return try parser.wholeExpression()
    }

    /// Reads the derivation expression of an attribute in the spelling of the model XML.
    ///
    /// Core Data archives `pages.@count` as the function `count:(pages)`, as a real model shows. Its form of `@sum` is
    /// not known, so `@sum` stays a key path.
    static func derivation(_ text: String) throws(GranaryError) -> ExpressionNode {
        guard isPlainPath(text) else { return try expression(text) }
        guard text.hasSuffix(countSuffix) else { return .path(text) }
        let collection = String(text.dropLast(countSuffix.count))
        return collection.isEmpty || collection.contains("@") ? .path(text) : .call("count:", .path(collection))
    }

    /// The expression in the spelling of the model XML; key paths without `#`, which the XML does not use.
    static func derivationText(of expression: ExpressionNode) -> String {
        switch expression {
        case .keyPath(let path, of: .evaluatedObject): return path
        case .function(let name, let operand, let arguments) where operand == .utilities && arguments.count == 1:
            guard case .keyPath(let path, of: .evaluatedObject)? = arguments.first else { break }
            return name == "count:" && !path.contains("@") ? path + countSuffix : "\(name)(\(path))"
        default: break
        }
        return text(of: expression)
    }

    private static let countSuffix = ".@count"

    private static func isPlainPath(_ text: String) -> Bool {
        let keys = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard let first = keys.first, !first.elementsEqual("SELF".utf8) else { return false }
        // A single reserved word is not a path, and neither is a name that begins with a digit.
        guard keys.count > 1 || !reservedWords.contains(text.uppercased()) else { return false }
        return keys.allSatisfy { key in
            let name = key.first == UInt8(ascii: "@") ? key.dropFirst() : key
            guard let first = name.first, !PredicateLexer.isDigit(first) else { return false }
            return name.allSatisfy(PredicateLexer.isWordByte)
        }
    }
}
