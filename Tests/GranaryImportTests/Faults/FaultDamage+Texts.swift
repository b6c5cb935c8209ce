import GranaryBase

/// Texts that are no values of their columns.
extension FaultDamage {
    private static func text(
        _ column: FaultColumn, _ text: String, _ code: Diagnostic.Code, isQuoted: Bool = false
    ) -> FaultDamage {
        FaultDamage(
            name: "\(column.rawValue) \(isQuoted ? "\"" : "")\(text)", codes: [code], property: column.rawValue,
            kind: .text(column, text, isQuoted: isQuoted))
    }

    private static func syntax(_ column: FaultColumn, _ texts: String...) -> [FaultDamage] {
        texts.map { text(column, $0, .valueSyntax) }
    }

    private static func lost(_ column: FaultColumn, _ texts: String...) -> [FaultDamage] {
        texts.map { text(column, $0, .relationshipNotFound) }
    }

    static let texts: [FaultDamage] = (numbers + others + references).flatMap { $0 }

    // Wrong words, leading zeros, spaces, the ways of other countries, fractions where there are none.
    private static let numbers: [[FaultDamage]] = [
        syntax(.small, "abc", "007", "-01", " 1", "1 ", "1.0", "1e2", "0x1F", "٣", "--1", "+", "1'000", "NULL", "NA"),
        syntax(.middle, "1,000", "1.000", "12a", "1_000", "0b1", "∞", "٣٤", "½", "$5"),
        syntax(.large, "1.234.567", "1 000", "9007199254740993.0", "1e3", "00", "-", "NaN"),
        syntax(.price, "1,5", "1.234,56", "1.", ".5", "01.5", "NaN", "Infinity", "1e", "€5", "5 %", "1..5", "--2"),
        syntax(.exact, "NaN", "Infinity", "-inf", "0x1p3", "1,5", "1_000", "1e+", "one", "+-1", "00.5"),
        syntax(.rough, "NaN", "-Infinity", "1f", "1,5", "nil", "1e5.5"),
        [
            text(.small, "", .valueSyntax, isQuoted: true), text(.price, "", .valueSyntax, isQuoted: true),
            text(.small, "32768", .valueRange), text(.small, "-32769", .valueRange),
            text(.small, "1001", .valueTooLarge), text(.middle, "2147483648", .valueRange),
            text(.middle, "-2147483649", .valueRange), text(.large, "9223372036854775808", .valueRange),
            text(.large, "-9223372036854775809", .valueRange), text(.large, "18446744073709551616", .valueRange),
            text(.price, "123456789012345678901234567890123456789", .valuePrecision),
            text(.price, "0.1234567890123456789012345678901234567891", .valuePrecision),
            text(.price, "1e999", .valueRange), text(.exact, "1e400", .valueRange), text(.exact, "1e-400", .valueRange),
            text(.rough, "1e39", .valueRange), text(.rough, "1e-60", .valueRange),
        ],
    ]

    private static let others: [[FaultDamage]] = [
        syntax(.flag, "maybe", "2", "t", "on", "Ja", "truE ", "-1", "01"),
        // Days that are none, dates without a time or a zone, other orders, other ways of writing.
        syntax(.day, "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-04-31T10:00:00Z", "2024-06-01T12:00:00"),
        syntax(.day, "2024-06-01", "31/12/2024", "12/31/2024", "01.02.2024", "2024-06-01T24:00:00Z", "today"),
        syntax(.day, "2024-06-30T23:59:60Z", "1717243200", "June 1, 2024", "20240601T120000Z", "2024-6-1T12:00:00Z"),
        syntax(.day, "2024-06-01T12:00:00 CET", "2024-06-01T12:60:00Z"),
        syntax(.uid, "2EB8AA08-AA98-11EA-B4AA-73B441D1638", "{2EB8AA08-AA98-11EA-B4AA-73B441D16380}", "1"),
        syntax(.uid, "2EB8AA08AA9811EAB4AA73B441D16380", "2EB8AA08-AA98-11EA-B4AA-73B441D1638G"),
        syntax(.link, "http://a b/", "http://ex%zzample/", "a:b:c d", "http://[::1", "1http://x", "http://é/"),
        syntax(.data, "abc", "R3J*", "R3JhbmFyeQ", "====", "QQ==QQ==", "QR==", "R3Jh bmFy"),
        [
            text(.flag, "", .valueSyntax, isQuoted: true), text(.day, "", .valueSyntax, isQuoted: true),
            text(.link, "", .valueSyntax, isQuoted: true), text(.code, "", .valueMissing),
            text(.name, "", .valueMissing), text(.name, "", .valueTooShort, isQuoted: true),
            text(.code, "", .valueTooShort, isQuoted: true), text(.name, "x", .valueTooShort),
            text(.name, "\u{E9}", .valueTooShort), text(.name, String(repeating: "😀", count: 13), .valueTooLong),
            text(.name, "a name of twenty-five UTF", .valueTooLong), text(.code, "a code too long", .valueTooLong),
            text(.zip, "ab12", .valuePattern), text(.zip, "1", .valuePattern), text(.zip, "1234567", .valuePattern),
            text(.zip, "12\n", .valuePattern), text(.zip, "", .valuePattern, isQuoted: true),
        ],
    ]

    private static let references: [[FaultDamage]] = [
        lost(.group, "Nowhere", "sales", "Sales ", "E\u{301}"), lost(.parent, "no such", "0", "k0"),
        lost(.badge, "999999", "0", "-1"), lost(.tags, "new;nowhere", "nowhere", "new;;last", "new;", "NEW"),
        syntax(.badge, "one", "1.5", "007"), syntax(.tags, "\"new", "new;la\"st", "\"new\"x"),
        [
            text(.group, "", .relationshipNotFound, isQuoted: true),
            text(.parent, "", .relationshipNotFound, isQuoted: true),
        ],
    ]
}
