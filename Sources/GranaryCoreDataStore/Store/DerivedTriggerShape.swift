import GranaryCoordination

/// Whether a trigger does no more than keep one derived attribute, as Core Data's own do (sqlite-layout §9):
///
/// `CREATE TRIGGER Z_DA_… AFTER … ON T FOR EACH ROW [WHEN (…)] BEGIN UPDATE T SET C = … WHERE …;
/// SELECT NSCoreDataDATrigger…; END`
///
/// A name proves nothing. Frameworks differ in the expressions, so the shape is judged, not the words: two statements,
/// the first setting one column that the model calls derived, the second calling Core Data's function.
package enum DerivedTriggerShape {
    /// - Parameter columns: the derived attributes' columns by table.
    package static func fits(_ sql: String, columns: [String: Set<String>]) -> Bool {
        // SQLite's blanks are ASCII; any other is part of a name.
        let words = sql.split { $0.isASCII && $0.isWhitespace }.map(String.init)
        let text = words.joined(separator: " ")
        let upper = text.uppercased()
        // RAISE is a function, and may be part of a name too. WITH RECURSIVE can run for ever.
        let dense = words.joined().uppercased()
        guard upper.hasPrefix("CREATE TRIGGER Z_DA_"), upper.hasSuffix("; END"), !dense.contains("RAISE("),
            !dense.contains("(WITH"), !text.contains("--"), !text.contains("/*"), words.count > 4,
            words[3].uppercased() == "AFTER",
            let begin = words.firstIndex(where: { $0.uppercased() == "BEGIN" })
        else { return false }
        // Before BEGIN stands a condition at most, which changes nothing. A quote could hide where things begin and end.
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
        // The one literal that derived sums need.
        let isPlain = words.allSatisfy { $0 == "'integer'" || !$0.contains(where: isQuote) }
        guard isPlain, !joinsEverything(words), words.count > 7,
            words[0].uppercased() == "UPDATE", words[2].uppercased() == "SET", words[4] == "=",
            columns[words[1]]?.contains(words[3]) == true
        else { return false }
        // A comma outside brackets would set another column as well.
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

    /// Whether a FROM has several tables without a condition between them, which could take for ever.
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
        words.count > 1 && words[0].uppercased() == "SELECT" && words[1].hasPrefix("NSCoreDataDATrigger")
    }
}
