import GranaryBase

/// One way to damage a record of JSON.
struct FaultJSONDamage: Sendable {
    enum Kind: Sendable {
        /// The member has another value, which means this.
        case member(FaultColumn, String, FaultReading)
        /// The object is broken.
        case line(@Sendable (String) -> String)
    }

    let name: String
    /// What may be reported; empty for anything.
    let codes: [Diagnostic.Code]
    var property: String?
    /// Whether it breaks the syntax, which ends the reading of an array.
    var isForLines = false
    let kind: Kind

    static let all: [FaultJSONDamage] = members + texts + records + lines + lines

    private static func member(_ column: FaultColumn, _ text: String, _ code: Diagnostic.Code) -> FaultJSONDamage {
        // A key that nobody has.
        let reading = code == .relationshipNotFound ? FaultReading.keys([[0]]) : .bad
        return FaultJSONDamage(
            name: "\(column.rawValue) \(text)", codes: [code], property: column.rawValue,
            kind: .member(column, text, reading))
    }

    /// Values of the wrong kind, and numbers past the end of their type.
    private static let members: [FaultJSONDamage] = [
        member(.small, "true", .valueSyntax), member(.small, "40000", .valueRange),
        member(.middle, "1.0", .valueSyntax),
        member(.middle, "[1]", .valueSyntax), member(.large, "9223372036854775808", .valueRange),
        member(.large, "9007199254740993.0", .valueSyntax), member(.exact, "1e400", .valueRange),
        member(.exact, "false", .valueSyntax), member(.rough, "1e39", .valueRange),
        member(.price, "123456789012345678901234567890123456789", .valuePrecision),
        member(.price, "{\"a\":1}", .valueSyntax), member(.note, "5", .valueSyntax),
        member(.note, "false", .valueSyntax),
        member(.name, "[]", .valueSyntax), member(.name, "{}", .valueSyntax), member(.name, "[\"ab\"]", .valueSyntax),
        member(.name, "null", .valueMissing), member(.code, "null", .valueMissing), member(.code, "12", .valueSyntax),
        member(.flag, "2", .valueSyntax), member(.flag, "\"maybe\"", .valueSyntax), member(.day, "0", .valueSyntax),
        member(.uid, "1", .valueSyntax), member(.link, "true", .valueSyntax), member(.data, "[]", .valueSyntax),
        member(.group, "[\"Sales\"]", .valueSyntax), member(.group, "7", .valueSyntax),
        member(.badge, "1.5", .valueSyntax), member(.badge, "999999", .relationshipNotFound),
        member(.tags, "[\"new\", \"nowhere\"]", .relationshipNotFound), member(.tags, "[[\"new\"]]", .valueSyntax),
        member(.tags, "[7]", .valueSyntax), member(.parent, "\"no such\"", .relationshipNotFound),
    ]

    /// The texts that are no values in CSV are none in a string of JSON; what is NULL there is `null` here.
    private static let texts: [FaultJSONDamage] = FaultDamage.texts.compactMap { damage in
        guard case .text(let column, let text, let isQuoted) = damage.kind else { return nil }
        let reading = FaultTwin.read(column, Array(text.utf8), isQuoted: isQuoted)
        let isNull = text.isEmpty && !isQuoted
        return FaultJSONDamage(
            name: damage.name, codes: damage.codes, property: damage.property,
            kind: .member(column, isNull ? "null" : FaultJSON.string(text), reading))
    }

    private static let records: [FaultJSONDamage] = [
        FaultJSONDamage(
            name: "member twice", codes: [.headerDuplicate],
            kind: .line { "{\"name\":\"twice\", " + "\"name\":\"twice\", " + String($0.dropFirst()) }),
        FaultJSONDamage(
            name: "half a surrogate pair", codes: [.jsonSyntax, .encodingInvalid],
            kind: .line { "{\"name\":\"\\ud800\", " + String($0.dropFirst()) }),
        FaultJSONDamage(name: "a number", codes: [.jsonSyntax], kind: .line { _ in "5" }),
        FaultJSONDamage(name: "a list", codes: [.jsonSyntax], kind: .line { "[" + $0 + "]" }),
    ]

    /// A member that stands twice may be told first.
    private static func line(_ name: String, _ change: @escaping @Sendable (String) -> String) -> FaultJSONDamage {
        FaultJSONDamage(name: name, codes: [.jsonSyntax, .headerDuplicate], isForLines: true, kind: .line(change))
    }

    private static let lines: [FaultJSONDamage] = [
        line("garbage behind") { $0 + " x" }, line("two objects") { $0 + $0 }, line("a comma behind") { $0 + "," },
        line("a comma too many") { String($0.dropLast()) + ",}" }, line("cut off") { String($0.dropLast(3)) },
        line("an open string") { String($0.dropLast()) + ", \"note\":\"abc}" }, line("a comment") { "/* x */" + $0 },
        line("NaN") { String($0.dropLast()) + ", \"exact\":NaN}" },
        line("a leading zero") { String($0.dropLast()) + ", \"small\":007}" },
        line("a bare name") { "{name:\"x\", " + String($0.dropFirst()) }, line("nothing but a word") { _ in "null x" },
    ]
}
