import TestSupport

/// JSON texts of arrays and objects without white space between their tokens, as `JSONEncoder` and others write them.
struct RandomJSON {
    var random: SeededGenerator

    private static let strings = [
        "", "a", "Lemon", #"\/"#, #"\""#, #"\\"#, #"\n"#, "é", "e\u{301}", "😀", #"\u00e9"#, #"\ud83d\ude00"#, "[",
        "{\\\"",
        " ", ",;", "=1", "NULL", "\u{2028}", "\u{7F}", "<&>]]>",
    ]
    private static let scalars = [
        "0", "-1", "3000", "2.50", "1e5", "1E+05", "123456789012345678901234567890", "0.1000", "-0.0", "1e999", "true",
        "false", "null",
    ]

    /// A text of at most a number of levels.
    mutating func text(depth: Int) -> String {
        Bool.random(using: &random) ? array(depth) : object(depth)
    }

    private mutating func value(_ depth: Int) -> String {
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where depth > 0: array(depth - 1)
        case 1 where depth > 0: object(depth - 1)
        case 2, 3: string()
        default: Self.scalars.randomElement(using: &random) ?? "0"
        }
    }

    private mutating func string() -> String {
        let parts = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            Self.strings.randomElement(using: &random) ?? ""
        }
        return "\"" + parts.joined() + "\""
    }

    private mutating func array(_ depth: Int) -> String {
        "[" + (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth) }.joined(separator: ",") + "]"
    }

    private mutating func object(_ depth: Int) -> String {
        // The numbers make the names different.
        let members = (0..<Int.random(in: 0...3, using: &random)).map { number in
            string().dropLast() + "\(number)\":" + value(depth)
        }
        return "{" + members.shuffled(using: &random).joined(separator: ",") + "}"
    }
}
