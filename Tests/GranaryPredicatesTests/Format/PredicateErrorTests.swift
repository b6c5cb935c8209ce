import GranaryBase
import GranaryModel
import Testing

@testable import GranaryPredicates

@Suite struct PredicateErrorTests {
    @Test(arguments: [
        ("", "column 1: the condition is incomplete: expected a value, found the end"),
        ("a", "column 2: expected a comparison operator, found the end"),
        ("a ==", "column 5: the condition is incomplete: expected a value, found the end"),
        ("a IS NULL", "column 3: expected a comparison operator, found \"IS\" (write == nil or != nil)"),
        ("a > 10,5", "column 7: expected AND, OR or the end, found \",\" (numbers have a decimal point: 10.5)"),
        ("a > 1 ORDER BY a", "found \"ORDER\" (a condition has no order and no limit)"),
        ("a LIMIT 5", "found \"LIMIT\" (a condition has no order and no limit)"),
        ("a > b.1", "(quote dates: \"2026-01-31\")"),
        ("age > )", "column 7: expected a value, found \")\""),
        ("a == 1 b", "column 8: expected AND, OR or the end, found \"b\""),
        ("é == ?", "column 6: a character that has no meaning here"),
        ("a == 'x", "column 6: the text that begins here has no closing quote"),
        ("a == %z", "column 6: expected a placeholder such as %@ or %K"),
        ("a == 1 %", "column 8: expected a placeholder"),
        ("in == 1", "column 1: expected a value, found \"in\" (a property of this name is written #in)"),
        ("a == 1 AND like == 2", "column 12: expected a value, found \"like\""),
        ("a NOT IN {1}", "found \"NOT\" (NOT stands before the whole comparison)"),
        ("a ==[q] 1", "column 6: expected the options"), ("(a == 1", "column 8: expected \")\", found the end"),
        ("a IN {1 2}", "column 9: expected \",\" or \"}\", found \"2\""),
        ("1 == (a == 2)", "expected a value, found a condition"),
        ("a == 1 AND b", "column 13: expected a comparison operator"),
        ("ANY a", "column 6: expected a comparison operator"),
        ("add(1, 2) == 3", "column 1: the function add:to: takes 2 arguments"),
        ("now(1) == 3", "column 1: the function now takes no arguments"),
        ("sqrt() == 3", "column 1: the function sqrt: takes 1 argument"),
        ("foo(1, 2) == 3", "column 1: there is no function \"foo\" with 2 arguments"),
        ("a == 99e999", "is not a number"),
        ("lenght(1, 2) == 3", "there is no function \"lenght\" with 2 arguments; did you mean \"length\"?"),
        ("sum() == 3", "column 1: the function sum: takes 1 argument"),
        ("random(1, 2) == 3", "column 1: the function random takes no arguments"),
        ("a > .5", "column 5: expected a value, found \".\" (write 0.5)"), ("a > -.25", "(write 0.25)"),
        ("a > .b", "column 5: expected a value, found \".\""),
        ("a == \u{201C}x\u{201D}", "column 6: curly quotes; write \" or '"),
        ("name\u{2019}s == 1", "column 5: curly quotes; write \" or '"),
        ("type UTI-CONFORMS-TO 'x'", "column 6: UTI-CONFORMS-TO is not supported"),
        ("a == 1 AND type uti-equals 'x'", "column 17: UTI-EQUALS is not supported"),
        ("UTI - a", "expected a comparison operator"), ("a UTI-B 1", "found \"UTI\""),
        ("a == %s", "column 6: %s stands for a C string; write %@ for a text"), ("a == %S", "write %@ for a text"),
        ("(flags & ) != 0", "column 10: expected a value, found \")\""), ("a & == 1", "expected a value"),
        ("(a == 1) & 2", "expected a value, found a condition"), ("~ == 1", "column 3: expected a value"),
        ("a == 0xFFFFFFFFFFFFFFFF", "is not a number"), ("a. == 1", "column 4: expected a key"),
        ("a.1 == 1", "column 3: expected a key, found \"1\""), ("foo: == 1", "expected a name without a colon"),
        ("SUBQUERY(a, x, x == 1) == 1", "column 13: expected a variable such as $x, found \"x\""),
        ("SUBQUERY(a, $x) == 1", "column 15: expected \",\""),
        ("TERNARY(a, b, c) == 1", "expected a comparison operator"),
        ("FETCH(a, b) == 1", "column 1: FETCH is not supported"),
        ("CAST(a) == 1", "column 1: CAST takes a value and the name of a class"),
        ("a == CAST('x', 'NSDate')", "column 6: the value of this CAST is not an ISO 8601 date"),
        ("a == CAST('x', 'NSUUID')", "not a UUID"), ("a == CAST('x', 'NSData')", "not Base64"),
        ("a == CAST('x', 'NSDecimalNumber')", "not a number"),
        ("FUNCTION(a) == 1", "column 1: FUNCTION takes an object"), ("a[1 == 1", "column 5: expected \"]\""),
        ("a == '\\u12'", "expected the four digits"), ("a == '\\u+123'", "expected the four digits"),
        ("a == '\\uDC00'", "half of a surrogate pair"), ("a == '\\uD83D\\u0041'", "second half of a surrogate pair"),
        ("$ == 1", "column 2: expected a name after $"), ("a := 1", "column 3: expected a comparison operator"),
    ])
    func saysWhatIsWrongAndWhere(_ text: String, _ message: String) throws {
        let error = try #require(throws: GranaryError.self) { try ObjectPredicate(text) }
        #expect(error.message.contains(message), "\(error.message)")
        #expect(error.message.hasPrefix("predicate, column "))
        #expect(error.code == .usage)
    }

    @Test func theMarkStandsUnderThePlace() throws {
        let error = try #require(throws: GranaryError.self) { try ObjectPredicate("age > )") }
        #expect(error.message == "predicate, column 7: expected a value, found \")\"\n  age > )\n        ^")
        let wide = try #require(throws: GranaryError.self) { try ObjectPredicate("a == \"語😀\" )") }
        #expect(wide.message.hasSuffix("\n  a == \"語😀\" )\n              ^"), "\(wide.message)")
        let line = try #require(throws: GranaryError.self) { try ObjectPredicate("a ==\n\u{1B})") }
        #expect(line.message.hasSuffix("\n  a ==  )\n       ^"), "\(line.message)")
    }

    @Test func aLongTextIsCut() throws {
        let text = String(repeating: "a == 1 AND ", count: 100) + ") " + String(repeating: "AND a == 1 ", count: 100)
        let error = try #require(throws: GranaryError.self) { try ObjectPredicate(text) }
        let lines = error.message.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].count <= 104)
        #expect(lines[1].hasPrefix("  …") && lines[1].hasSuffix("…"))
        let mark = try #require(lines[2].firstIndex(of: "^"))
        let distance = lines[2].distance(from: lines[2].startIndex, to: mark)
        #expect(lines[1][lines[1].index(lines[1].startIndex, offsetBy: distance)] == ")")
    }

    @Test(
        arguments: [
            ("department.name == 1", "department.name", 0), ("a == 1 AND b.c == 2", "b.c", 11),
            ("'b' == 1 AND b == 2", "b", 13), ("SELF.b == 1", "b", 5), ("$x.a == 1 AND a == 2", "a", 14),
            ("a.b == 1 AND a == 2", "a", 13), ("a[0] == 1 AND a == 2", "a", 14),
            ("b(c) == 1 AND b == 2", "b", 14), ("a.@count > 1", "a.@count", 0), ("a == 1", "c", nil),
            ("a == 1", "", nil), ("é == 1 AND #in == 2", "#in", 12), ("a == 1 AND cast == 2", "#cast", 11),
            // Functions, variables, texts.
            ("b == 1 AND lenght(b) > 2", "lenght(", 11), ("lenght:(b) > 2", "lenght(", 0), ("b > lenght", "lenght(", 4),
            ("a == 1 AND $x.b == $y", "$y", 19), ("a MATCHES '['", "\"[\"", 10), ("a MATCHES 'x'", "\"[\"", nil),
            ("a == cast(b, 'X')", "CAST(", 5), ("a == %@", "\"x\"", nil),
            // Sides of comparisons as they are printed.
            ("a == 1 AND  length( b )>'x'", "length:(b)", 12), ("a+b*2 == 'x'", "a + (b * 2)", 0),
            ("c == 1 AND (a + b)*2 == 'x'", "(a + b) * 2", 11), ("1.50 == a", "1.5", 0), ("self == a", "SELF", 0),
            ("(flags&4) != 'x'", "flags & 4", 1),
        ] as [(String, String, Int?)])
    func findsPlaces(_ text: String, _ snippet: String, _ place: Int?) {
        #expect(PredicateText.place(of: snippet, in: text) == place)
    }

    @Test func placesInLongTexts() { Self.checkPlaces(count: 2_000) }

    static func checkPlaces(count: Int) {
        let path = String(repeating: "a.", count: count)
        #expect(PredicateText.place(of: path + "b", in: path + path + "a == 1") == 0)
        #expect(PredicateText.place(of: "b" + path + "b", in: path + path + "a == 1") == nil)
    }

    private static let hostile: [String] = [
        String(repeating: "(", count: 10_000), String(repeating: "NOT ", count: 10_000),
        String(repeating: "!", count: 10_000), String(repeating: "{", count: 10_000),
        String(repeating: "f(", count: 10_000), "a == " + String(repeating: "-", count: 10_000) + "b",
        "a == " + String(repeating: "- ", count: 10_000) + "1", "a == " + String(repeating: "~", count: 10_000) + "1",
        "a" + String(repeating: " & 1", count: 10_000) + " > 1", String(repeating: "1 | 1 ^ 1 & 1 << (", count: 10_000),
        "a" + String(repeating: " + 1", count: 10_000) + " > 1",
        "a" + String(repeating: " ** 1", count: 10_000) + " > 1", String(repeating: "a[", count: 10_000),
        "a" + String(repeating: "[0]", count: 10_000) + " > 1", String(repeating: "SUBQUERY(", count: 10_000),
        String(repeating: "SUBQUERY(a, $x, ", count: 10_000), String(repeating: "TERNARY(", count: 10_000),
        String(repeating: "CAST(", count: 10_000), String(repeating: "FUNCTION(", count: 10_000),
        "a" + String(repeating: " UNION b", count: 10_000) + " == c",
        String(repeating: "TRUEPREDICATE AND (", count: 10_000),
    ]

    @Test(arguments: hostile.indices)
    func refusesDeepNesting(_ index: Int) throws {
        let text = Self.hostile[index]
        let error = try #require(throws: GranaryError.self) { try ObjectPredicate(text) }
        #expect(error.message.contains("deeper than 64 levels"), "\(error.message)")
    }

    @Test func longTextsAreReadOrRefused() throws { try Self.checkLongTexts(count: 10_000) }

    static func checkLongTexts(count: Int) throws {
        let path = String(repeating: "a.", count: count) + "a == 1"
        #expect(throws: Never.self) { try ObjectPredicate(path) }
        let quoted = "a == \"" + String(repeating: "x", count: 10 * count)
        #expect(throws: GranaryError.self) { try ObjectPredicate(quoted) }
        let list = "a IN {" + String(repeating: "1, ", count: count) + "1}"
        #expect(throws: Never.self) { try ObjectPredicate(list) }
    }

    @Test func aTreeOfTheMaximumDepthIsReadAgain() throws {
        var predicate = ObjectPredicate.compare(.keyPath("a"), .equal, .constant(1))
        while !ObjectPredicate.not(predicate).isTooDeep { predicate = .not(predicate) }
        #expect(try ObjectPredicate(predicate.description) == predicate)
        var expression = ObjectExpression.keyPath("a")
        while !ObjectExpression.function("add:to:", [.constant(1), expression]).isTooDeep {
            expression = .function("add:to:", [.constant(1), expression])
        }
        #expect(try ObjectExpression(format: expression.description) == expression)
    }
}

struct PredicateErrorLongTests {
    @Test func longPlacesTakeLinearTime() { PredicateErrorTests.checkPlaces(count: 20_000) }

    /// Each would take minutes if the time grew with the square.
    @Test func longTextsTakeLinearTime() throws { try PredicateErrorTests.checkLongTexts(count: 200_000) }
}
