import GranaryCoordination

/// Recognises triggers that only update one derived attribute, or one attribute with a trigger key, as Core Data's do
/// (docs/core-data/sqlite-layout.md#derived-attributes, ``TriggerKeySQL``):
///
/// `CREATE TRIGGER Z_DA_… AFTER … ON T FOR EACH ROW [WHEN (…)] BEGIN UPDATE T SET C = … WHERE …;
/// SELECT NSCoreDataDATrigger…; END`, and `ZT_…` with `NSCoreDataTriggerUpdateAffectedObjectValue`.
///
/// The name of a trigger is not enough, and the expressions differ between frameworks. So the structure is checked: the
/// first of two statements sets one column of such an attribute, and the second calls Core Data's function.
package enum DerivedTriggerShape {
    /// The beginnings of the names of such triggers.
    static let prefixes = ["Z_DA_", "ZT_"]

    /// - Parameter columns: the columns that Core Data's triggers set, by table.
    package static func fits(_ sql: String, columns: [String: Set<String>]) -> Bool {
        // SQLite's whitespace is ASCII; other whitespace is part of a name.
        let words = sql.split { $0.isASCII && $0.isWhitespace }.map(String.init)
        let text = words.joined(separator: " ")
        let upper = text.uppercased()
        // RAISE can abort a statement, and WITH RECURSIVE can run forever.
        let dense = words.joined().uppercased()
        guard prefixes.contains(where: { upper.hasPrefix("CREATE TRIGGER \($0)") }), upper.hasSuffix("; END"),
            !dense.contains("RAISE("),
            !dense.contains("(WITH"), !text.contains("--"), !text.contains("/*"), words.count > 4,
            words[3].uppercased() == "AFTER",
            let begin = words.firstIndex(where: { $0.uppercased() == "BEGIN" })
        else { return false }
        // Only a condition may come before BEGIN; it changes nothing. Quotes could hide the end of a statement.
        guard !words[..<begin].contains(where: { $0.contains(";") || $0.contains(where: isQuote) }) else {
            return false
        }
        let body = words[(begin + 1)...].dropLast().joined(separator: " ")
        let statements = body.split(separator: ";", omittingEmptySubsequences: false).map {
            $0.split(separator: " ").map(String.init)
        }
        guard statements.count == 3, statements[2].isEmpty else { return false }
        return updates(statements[0], columns) && calls(statements[1])
    }

    private static func updates(_ words: [String], _ columns: [String: Set<String>]) -> Bool {
        // Derived sums need only this literal.
        let isPlain = words.allSatisfy { $0 == "'integer'" || !$0.contains(where: isQuote) }
        guard isPlain, !joinsEverything(words), words.count > 7,
            words[0].uppercased() == "UPDATE", words[2].uppercased() == "SET", words[4] == "=",
            columns[words[1]]?.contains(words[3]) == true
        else { return false }
        // After a comma outside parentheses, the statement sets another column.
        var depth = 0
        var hasCondition = false
        for word in words[5...] {
            if depth == 0, word.uppercased() == "WHERE" { hasCondition = true }
            for byte in word.utf8 {
                switch byte {
                case UInt8(ascii: "("): depth += 1
                case UInt8(ascii: ")"): depth -= 1
                case UInt8(ascii: ",") where depth <= 0: return false
                default: break
                }
            }
        }
        return hasCondition && depth == 0
    }

    private static func isQuote(_ character: Character) -> Bool { "'\"`[".contains(character) }

    /// Whether a FROM joins tables without a condition; such a join could run forever.
    private static func joinsEverything(_ words: [String]) -> Bool {
        var isInside = false
        for word in words.map({ $0.uppercased() }) {
            if word == "FROM" || word == "JOIN" { isInside = true }
            if word == "CROSS" || isInside && word.contains(",") { return true }
            if word == "WHERE" || word == "ON" || word.contains(")") { isInside = false }
        }
        return false
    }

    private static func calls(_ words: [String]) -> Bool {
        words.count > 1 && words[0].uppercased() == "SELECT"
            && (words[1].hasPrefix("NSCoreDataDATrigger")
                || words[1].hasPrefix("NSCoreDataTriggerUpdateAffectedObjectValue("))
    }
}
