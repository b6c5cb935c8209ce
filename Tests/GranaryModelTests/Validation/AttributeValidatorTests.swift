import Foundation
import GranaryBase
import Testing

@testable import GranaryModel
@testable import GranaryPredicates

/// Every rule of every type: its code, Core Data's number, and what it says.
@Suite struct AttributeValidatorTests {
    private func violations(
        _ type: AttributeType, _ options: [AttributeOption], _ value: AttributeValue?
    ) throws -> [Violation] {
        var attribute = AttributeDescription(name: "a", type: type)
        attribute.isOptional = true
        for option in options { option.apply(&attribute) }
        let validator = try AttributeValidator(attribute)
        guard let value else { return validator.violations(of: .null) }
        return value.withBorrowed { validator.violations(of: $0) }
    }

    @Test(arguments: AttributeType.allCases)
    func nullBreaksOnlyTheRuleOfBeingRequired(_ type: AttributeType) throws {
        let rule = AttributeOption.rule(.constant(false), "never")
        #expect(try violations(type, [rule], nil).isEmpty)
        let missing = try violations(type, [rule, .required], nil)
        #expect(missing.map(\.code) == [.valueMissing])
        #expect(missing.map(\.coreDataCode) == [1570])
        #expect(missing.map(\.message) == ["a value is required"])
    }

    @Test(
        arguments: [
            (.integer16, 32_767, nil), (.integer16, -32_768, nil),
            (.integer16, 32_768, "32768 does not fit an Integer 16 (-32768 to 32767)"),
            (.integer16, -32_769, "-32769 does not fit an Integer 16 (-32768 to 32767)"),
            (.integer32, 2_147_483_647, nil), (.integer32, -2_147_483_648, nil),
            (.integer32, 2_147_483_648, "2147483648 does not fit an Integer 32 (-2147483648 to 2147483647)"),
            (.integer64, .integer(.max), nil), (.integer64, .integer(.min), nil),
            (.double, .double(.greatestFiniteMagnitude), nil),
            (.double, .double(.nan), "nan is not a finite number"),
            (.double, .double(.infinity), "inf is not a finite number"),
            (.float, .float(-.infinity), "-inf is not a finite number"),
            (.float, .float(.nan), "nan is not a finite number"),
        ] as [(AttributeType, AttributeValue, String?)])
    func rangeOfTheType(_ type: AttributeType, _ value: AttributeValue, _ message: String?) throws {
        let found = try violations(type, [], value)
        #expect(found.map(\.message) == (message.map { [$0] } ?? []))
        #expect(found.allSatisfy { $0.code == .valueRange && $0.coreDataCode == nil })
    }

    private static let longDecimal = "99999999999999999999999999999999999999"

    @Test(
        arguments: [
            (.integer16, 0, 130, 0, nil), (.integer16, 0, 130, 130, nil),
            (.integer16, 0, 130, -1, "-1 is smaller than the minimum 0"),
            (.integer16, 0, 130, 200, "200 is larger than the maximum 130"),
            (.integer64, .integer(.min), .integer(.max), .integer(.min), nil),
            (
                .integer64, 9_007_199_254_740_993, 9_007_199_254_740_993, 9_007_199_254_740_992,
                "9007199254740992 is smaller than the minimum 9007199254740993"
            ),
            (.decimal, 0.1, 0.3, 0.1, nil), (.decimal, 0.1, 0.3, 0.3, nil),
            (.decimal, 0.1, 0.3, 0.09, "0.09 is smaller than the minimum 0.1"),
            (
                .decimal, 0, .decimal(Decimal(string: longDecimal) ?? 0), .decimal(Decimal(string: longDecimal) ?? 0),
                nil
            ),
            (
                .decimal, 0, .decimal((Decimal(string: longDecimal) ?? 0) - 1),
                .decimal(Decimal(string: longDecimal) ?? 0),
                "\(longDecimal) is larger than the maximum 99999999999999999999999999999999999998"
            ),
            (.double, 0.1, 0.3, 0.1, nil), (.double, 0.1, 0.3, 0.3, nil),
            (.double, 0.1, 0.3, 0.30000000000000004, "0.30000000000000004 is larger than the maximum 0.3"),
            (.double, 0, 1, -0.0, nil),
            (.float, 0.1, 0.3, 0.1, nil),
            (.float, 0.1, 0.3, 0.5, "0.5 is larger than the maximum 0.3"),
            (.float, 0.1, 0.3, 0.05, "0.05 is smaller than the minimum 0.1"),
        ] as [(AttributeType, AttributeValue, AttributeValue, AttributeValue, String?)])
    func boundsOfNumbers(
        _ type: AttributeType, _ minimum: AttributeValue, _ maximum: AttributeValue, _ value: AttributeValue,
        _ message: String?
    ) throws {
        // The value as the attribute's type has it: the literals' own conversion.
        let typed = EntityDescription("E", [.attribute("a", type, .defaultValue(value))]).attributes[0].defaultValue
        let found = try violations(type, [.minimum(minimum), .maximum(maximum)], typed)
        #expect(found.map(\.message) == (message.map { [$0] } ?? []))
        guard let violation = found.first else { return }
        let isSmall = message?.contains("smaller") == true
        #expect(violation.code == (isSmall ? .valueTooSmall : .valueTooLarge))
        #expect(violation.coreDataCode == (isSmall ? 1620 : 1610))
        // Each end alone.
        #expect(try violations(type, [.minimum(minimum)], typed).isEmpty != isSmall)
        #expect(try violations(type, [.maximum(maximum)], typed).isEmpty == isSmall)
    }

    @Test(
        arguments: [
            (0, nil), (86_400, nil), (43_200.5, nil),
            (-0.25, "2000-12-31T23:59:59.75Z is earlier than the minimum 2001-01-01T00:00:00Z"),
            (86_401, "2001-01-02T00:00:01Z is later than the maximum 2001-01-02T00:00:00Z"),
            (1e15, "1000000000000000.0 seconds after 2001 is later than the maximum 2001-01-02T00:00:00Z"),
        ] as [(Double, String?)])
    func boundsOfDates(_ seconds: Double, _ message: String?) throws {
        let bounds: [AttributeOption] = [
            .minimum(.date(Date(timeIntervalSinceReferenceDate: 0))),
            .maximum(.date(Date(timeIntervalSinceReferenceDate: 86_400))),
        ]
        let found = try violations(.date, bounds, .date(Date(timeIntervalSinceReferenceDate: seconds)))
        #expect(found.map(\.message) == (message.map { [$0] } ?? []))
        #expect(found.map(\.code) == (message == nil ? [] : [seconds < 0 ? .valueTooEarly : .valueTooLate]))
        #expect(found.map(\.coreDataCode) == (message == nil ? [] : [seconds < 0 ? 1640 : 1630]))
    }

    @Test func aDateThatIsNoneIsCoreDatasInvalidDate() throws {
        let validator = try AttributeValidator(AttributeDescription(name: "a", type: .date))
        for seconds in [Double.nan, .infinity, -.infinity] {
            let found = validator.violations(of: .date(seconds))
            #expect(found.map(\.code) == [.valueRange])
            #expect(found.map(\.coreDataCode) == [1650])
        }
    }

    @Test(
        arguments: [
            ("ab", nil, nil), ("abcd", nil, nil), ("äöü", nil, nil), ("😀", nil, nil), ("😀😀", nil, nil),
            ("", .valueTooShort, 1670), ("a", .valueTooShort, 1670), ("é", .valueTooShort, 1670),
            ("abcde", .valueTooLong, 1660), ("😀😀a", .valueTooLong, 1660), ("e\u{301}e\u{301}e", .valueTooLong, 1660),
        ] as [(String, Diagnostic.Code?, Int?)])
    func lengthIsInUTF16Units(_ text: String, _ code: Diagnostic.Code?, _ number: Int?) throws {
        let found = try violations(.string, [.length(2...4)], .string(text))
        #expect(found.map(\.code) == (code.map { [$0] } ?? []))
        #expect(found.first?.coreDataCode == number)
        guard let violation = found.first else { return }
        let rule = code == .valueTooShort ? "less than the minimum 2" : "more than the maximum 4"
        #expect(violation.message == "the length \(text.utf16.count) is \(rule) (UTF-16 units)")
    }

    @Test func oneEndOfALengthMayBeOpen() throws {
        var attribute = AttributeDescription(name: "a", type: .string)
        attribute.minimumLength = 1
        let text = AttributeValue.string(String(repeating: "x", count: 100_000))
        let least = try AttributeValidator(attribute)
        #expect(text.withBorrowed { least.violations(of: $0) }.isEmpty)
        attribute.minimumLength = nil
        attribute.maximumLength = 0
        let most = try AttributeValidator(attribute)
        #expect(AttributeValue.string("").withBorrowed { most.violations(of: $0) }.isEmpty)
        #expect(text.withBorrowed { most.violations(of: $0) }.map(\.code) == [.valueTooLong])
    }

    @Test func expressionMatchesTheWholeText() throws {
        let pattern = AttributeOption.pattern("[^@]+@[^@]+")
        #expect(try violations(.string, [pattern], "a@b").isEmpty)
        let found = try violations(.string, [pattern], "a@b@c")
        #expect(found == [Violation(.valuePattern, "\"a@b@c\" does not match [^@]+@[^@]+")])
        #expect(found[0].coreDataCode == 1680)
        let long = try violations(.string, [pattern], .string(String(repeating: "é\n", count: 1_000)))
        #expect(long[0].message.hasPrefix("\"é\\né\\n"))
        #expect(long[0].message.contains("… (3000 bytes)"))
        #expect(long[0].message.unicodeScalars.count < 200)
    }

    @Test func aMatchGivenUpIsNotAMismatch() throws {
        // A back-reference is ICU's, and this one's work doubles with each letter.
        let pattern = "(a?){30}(a+)+(\\2)b"
        let text = AttributeValue.string(String(repeating: "a", count: 200))
        let found = try violations(.string, [.pattern(pattern)], text)
        #expect(found.map(\.code) == [.valuePatternLimit])
        #expect(found.map(\.coreDataCode) == [nil])
        let rule = AttributeOption.rule(.not(.compare(.evaluatedObject, .matches, .constant(.string(pattern)))), "no")
        #expect(try violations(.string, [rule], text).map(\.code) == [.valuePatternLimit])
    }

    @Test func rulesAskForTheirPredicates() throws {
        let salary = AttributeOption.rule(
            .compare(.evaluatedObject, .greaterOrEqual, .constant(0)), "a salary is not negative")
        let found = try violations(.integer32, [salary], -5)
        #expect(found.map(\.code) == [.valuePredicate] && found.map(\.message) == ["a salary is not negative"])
        #expect(found[0].rule?.message == "a salary is not negative" && found[0].rule?.text == "SELF >= 0")
        #expect(found[0].coreDataCode == 1550)
        #expect(try violations(.integer32, [salary], 50).isEmpty)
        let length = AttributeOption.rule(.compare(.keyPath("length"), .greaterOrEqual, .constant(1)), "")
        #expect(try violations(.string, [length], "").map(\.message) == ["length >= 1 is not true"])
        let matches = AttributeOption.rule(
            .compare(.evaluatedObject, .matches, .constant("a+"), options: .caseInsensitive), "")
        #expect(try violations(.string, [matches], "aA").isEmpty)
        #expect(try violations(.string, [matches], "ab").map(\.message) == ["SELF MATCHES[c] \"a+\" is not true"])
    }

    @Test func allBrokenRulesAreSaidAtOnce() throws {
        let found = try violations(
            .string,
            [
                .length(3...4), .pattern("[0-9]+"), .rule(.constant(false), "first"), .rule(.constant(true), "second"),
                .rule(.constant(false), "third"),
            ], "ab")
        #expect(found.map(\.code) == [.valueTooShort, .valuePattern, .valuePredicate, .valuePredicate])
        #expect(found.map(\.coreDataCode) == [1670, 1680, 1550, 1550])
    }

    @Test(
        arguments: [
            (.boolean, true), (.uri, .uri(URL(filePath: "/a"))), (.uuid, .uuid(UUID())),
            (.binary, .binary(Data([0, 1]))),
            (.transformable, .binary(Data())), (.string, ""), (.decimal, .decimal(0)),
        ] as [(AttributeType, AttributeValue)])
    func otherTypesHaveNoRulesOfTheirOwn(_ type: AttributeType, _ value: AttributeValue) throws {
        #expect(try violations(type, [.required], value).isEmpty)
    }

    @Test func diagnosticsReadAsCompilersPrintThem() throws {
        let violation = try violations(.integer16, [.maximum(130)], 200)[0]
        let diagnostic = Diagnostic(
            violation.code, violation.message, at: SourcePosition(file: "patients.csv", line: 57, column: 12),
            entity: "Patient", property: "age")
        #expect(
            diagnostic.description
                == "patients.csv:57:12: error: Patient.age: 200 is larger than the maximum 130 [value.tooLarge]")
    }

    @Test func everyCodeHasCoreDatasNumber() {
        let numbers: [(Diagnostic.Code, Int?)] = [
            (.valuePredicate, 1550), (.uniqueDuplicate, 1551), (.uniqueExists, 1551), (.valueMissing, 1570),
            (.relationshipTooFew, 1580), (.relationshipTooMany, 1590), (.relationshipDenied, 1600),
            (.valueTooLarge, 1610), (.valueTooSmall, 1620), (.valueTooLate, 1630), (.valueTooEarly, 1640),
            (.valueTooLong, 1660), (.valueTooShort, 1670), (.valuePattern, 1680), (.valueRange, nil),
            (.valueSyntax, nil), (.csvSyntax, nil),
        ]
        for (code, number) in numbers { #expect(code.coreDataCode == number, "\(code.rawValue)") }
    }
}
