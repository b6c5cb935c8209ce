import GranaryBase
import GranaryModel
import GranaryPredicates
import Testing

/// Texts and how they are printed.
@Suite struct PredicateSpellingTests {
    @Test(arguments: [
        "length >= 1", "ANY a.b == 1", "ALL a.b < 2.5", "name ==[cd] \"x\"", "x BETWEEN {1, 2}", "SELF IN {1, 2, nil}",
        "SELF MATCHES \"\\\\d+\"", "name LIKE \"a*\"", "name BEGINSWITH[cdl] \"a\"", "name ENDSWITH[n] \"a\"",
        "name CONTAINS[cdlnw] \"a\"",
        "authorAlias == $FETCH_SOURCE.alias AND comment CONTAINS[c] $FETCHED_PROPERTY.userInfo.search",
        "(X == 10 AND Y == 30) AND (Z == 20 OR K == 40)",
        "((X == 10 AND V == 11) AND (Y == 30 OR W == 5)) OR (Z == 20 OR (K == 40 AND C == 11))",
        "NOT (a == 1 OR b == 2)", "NOT a == 1", "(NOT a == 1) AND b == 2", "NOT (NOT a == 1)", "TRUEPREDICATE",
        "FALSEPREDICATE", "count:(pages) > 3", "pages.@count > 3", "a.@avg.b > 3", "@count == 2",
        "#size.#in == nil", "date < CAST(631123200.000000, \"NSDate\")", "date == CAST(-0.500000, \"NSDate\")",
        "a + (b * 2) == 3", "(a + b) ** 2 == 3", "0 - a == b - -1", "now() > created", "random() < 0.5",
        "FUNCTION(name, \"stringByAppendingString:\", \"x\") == \"ax\"", "CAST(x, \"NSNumber\") == 1",
        "a == \"\\\"\\n\\u0000\"", "SUBQUERY(tweets, $t, $t.username == $name).@count > 0",
        "SUBQUERY(a, $x, $x.b == 1 AND (NOT $x.c IN {1, 2})).@count == 0",
        "TERNARY(a == 1 OR b == 2, c, \"x\") == \"x\"", "a[0] == 1", "a[FIRST].b == a[LAST]", "a[SIZE] > b[c + 1]",
        "$x[0].y == {1, 2}[1]", "a UNION b == c", "(a UNION b) MINUS c == d", "(a INTERSECT {1}).@count > 0",
        "(a + b).c == 1", "(-5).x == 1", "\"abc\".length == 3", "a == CAST(\"AQID\", \"NSData\")",
        "a == CAST(\"00000000-0000-0000-0000-000000000001\", \"NSUUID\")",
        "a == CAST(\"https://example.com/a?b=1\", \"NSURL\")", "a == CAST(\"0.1\", \"NSDecimalNumber\")",
        "a == 1", "#2x == 1", "a.#3d == 1", "a / 2.0 == 2", "a == 1e+300", "max:(a, b, 3) == 3", "{1, 2, 3} CONTAINS x",
        "(flags & 4) != 0", "(a | (b ^ c)) == (1 << 3)", "a + (b & c) == 1",
        "onesComplement:(a) == 1", "randomn:(3) == 1", "(a & b).c == 1",
    ])
    func survivesReadingAndPrinting(_ text: String) throws {
        #expect(try ObjectPredicate(text).description == text)
    }

    @Test(arguments: [
        ("available = true", "available == 1"), ("a=b", "a == b"), ("a <> NULL", "a != nil"), ("a =< 1", "a <= 1"),
        ("a => 1", "a >= 1"), ("a == 'x\\'y'", "a == \"x'y\""), ("a == no", "a == 0"), ("a != Nil", "a != nil"),
        ("a==1&&b==2||!c==3", "(a == 1 AND b == 2) OR (NOT c == 3)"),
        ("(available = 1)", "available == 1"), ("((a > 1) and (b > 2))", "a > 1 AND b > 2"),
        ("not not a == 1", "NOT (NOT a == 1)"), ("not(a == 1)", "NOT a == 1"),
        ("a == 1 or b == 2 and not c == 3", "a == 1 OR (b == 2 AND (NOT c == 3))"),
        ("a = 0x1F", "a == 31"), ("a = 0b101", "a == 5"), ("a = 0o17", "a == 15"), ("a = -0x10", "a == -16"),
        ("a = -5", "a == -5"), ("a = -9223372036854775808", "a == -9223372036854775808"),
        ("a = 9223372036854775808", "a == 9.223372036854776e+18"), ("a = 1.50", "a == 1.5"), ("a = 1e3", "a == 1000"),
        ("a = -b", "a == 0 - b"), ("a = - -5", "a == 0 - -5"), ("a = -(1 + b)", "a == 0 - (1 + b)"),
        ("a = 1 -2", "a == 1 - 2"), ("a+b*c**d-e/f > 0", "(a + (b * (c ** d))) - (e / f) > 0"),
        ("flags & 4 != 0", "(flags & 4) != 0"), ("(flags & 4) != 0", "(flags & 4) != 0"),
        ("a|b^c&d<<1+2*3 == 0", "(a | (b ^ (c & (d << (1 + (2 * 3)))))) == 0"),
        ("a & b & c == 0", "((a & b) & c) == 0"), ("a << 1 >> b == 0", "((a << 1) >> b) == 0"),
        ("a < b", "a < b"), ("a <= b && c >= d || e <> f", "(a <= b AND c >= d) OR e != f"),
        ("~a == 1", "onesComplement:(a) == 1"), ("~a & -b == 1", "(onesComplement:(a) & (0 - b)) == 1"),
        ("a = -~b", "a == 0 - onesComplement:(b)"), ("a = ~-5", "a == onesComplement:(-5)"),
        ("randomn(3) > 1", "randomn:(3) > 1"), ("random(3) > random()", "random:(3) > random()"),
        ("a\u{A0}==\u{2003}1\u{3000}", "a == 1"), ("ın == 1", "ın == 1"), ("a ==\u{200A}'\u{A0}'", "a == \"\u{A0}\""),
        ("some x.y == YES", "ANY x.y == 1"), ("a = 2.0", "a == 2"),
        ("NONE x.y == 1", "NOT ANY x.y == 1"), ("SELF.name == 1", "name == 1"),
        ("sum(x.y) > 1", "sum:(x.y) > 1"), ("max(a, b) > 1", "max:(a, b) > 1"),
        ("a between { 1 , 2 }", "a BETWEEN {1, 2}"), ("(a + 1) > 2", "a + 1 > 2"),
        ("$x.y.z contains 'a'", "$x.y.z CONTAINS \"a\""), ("($x.y).z == 1", "$x.y.z == 1"),
        ("name == '\\u00e9'", "name == \"é\""), ("name == '\\uD83D\\uDE00'", "name == \"😀\""),
        ("name == '%@ %K'", "name == \"%@ %K\""), ("name == '\\d'", "name == \"d\""),
        ("a in {}", "a IN {}"), ("{1} contains a", "{1} CONTAINS a"), ("a contains[DC] 'b'", "a CONTAINS[cd] \"b\""),
        ("objectFrom:withIndex:(a, 0) == 1", "a[0] == 1"), ("a[first] == a [ size ]", "a[FIRST] == a[SIZE]"),
        ("a union b minus c == d", "(a UNION b) MINUS c == d"),
        ("a == CAST(757382400, 'NSDate')", "a == CAST(757382400.000000, \"NSDate\")"),
        ("a == CAST('2001-01-01T00:00:10Z', 'NSDate')", "a == CAST(10.000000, \"NSDate\")"),
        ("a == CAST('2001-01-02', 'NSDate')", "a == CAST(86400.000000, \"NSDate\")"),
        ("a == CAST('0.10', 'NSDecimalNumber')", "a == CAST(\"0.1\", \"NSDecimalNumber\")"),
        ("#SELF.name == #SELF", "name == SELF"), ("cast == function", "#cast == #function"),
        ("ternary.subquery > fetch", "#ternary.#subquery > #fetch"), ("a\t==\r\n1", "a == 1"),
        // From Apple's Predicate Programming Guide.
        ("NOT (Name == \"Ron\")", "NOT Name == \"Ron\""),
        ("ANY children.age IN {1,2}", "ANY children.age IN {1, 2}"),
        ("name BEGINSWITH[cd] $letter", "name BEGINSWITH[cd] $letter"), ("1 BETWEEN {0, 33}", "1 BETWEEN {0, 33}"),
        ("$INPUT BETWEEN { $LOWER, $UPPER }", "$INPUT BETWEEN {$LOWER, $UPPER}"),
        ("grade == \"7\" or firstName like \"Juan*\"", "grade == \"7\" OR firstName LIKE \"Juan*\""),
        ("(lastName like[cd] 'S?') AND (birthday > $DATE)", "lastName LIKE[cd] \"S?\" AND birthday > $DATE"),
        ("ALL children.age > 18", "ALL children.age > 18"), ("birthday.@max > 5", "birthday.@max > 5"),
    ])
    func readsEverySpelling(_ text: String, _ printed: String) throws {
        let predicate = try ObjectPredicate(text)
        #expect(predicate.description == printed)
        #expect(try ObjectPredicate(printed) == predicate.withWholeSides)
    }

    @Test(
        arguments: [
            ("a == 1", .compare(.keyPath("a"), .equal, .constant(1))),
            ("a.b.@count >[c] nil", .compare(.keyPath("a.b.@count"), .greater, .null, options: .caseInsensitive)),
            ("SELF != YES", .compare(.evaluatedObject, .notEqual, .constant(true))),
            ("$x.a IN {1}", .compare(.path("a", of: .variable("x")), .isIn, .list([.constant(1)]))),
            ("NONE a == 1", .not(.compare(.keyPath("a"), .equal, .constant(1), modifier: .any))),
            (
                "a == 1 AND b == 2 and (c == 3)",
                .and([
                    .compare(.keyPath("a"), .equal, .constant(1)), .compare(.keyPath("b"), .equal, .constant(2)),
                    .compare(.keyPath("c"), .equal, .constant(3)),
                ])
            ),
            (
                "SUBQUERY(a, $x, TRUEPREDICATE).@count == 0",
                .compare(
                    .path("@count", of: .subquery(.keyPath("a"), variable: "x", .constant(true))), .equal, .constant(0))
            ),
            (
                "TERNARY(FALSEPREDICATE, a, b)[LAST] == 0",
                .compare(
                    .element(of: .conditional(.constant(false), .keyPath("a"), .keyPath("b")), .last), .equal,
                    .constant(0))
            ),
            (
                "-a == FUNCTION(b, 'c')",
                .compare(
                    .function("from:subtract:", [.constant(0), .keyPath("a")]), .equal,
                    .method("c", of: .keyPath("b"), []))
            ),
        ] as [(String, ObjectPredicate)])
    func makesTheTree(_ text: String, _ tree: ObjectPredicate) throws {
        #expect(try ObjectPredicate(text) == tree)
    }

    @Test func fiveTermsAreOneAnd() throws {
        guard case .and(let parts) = try ObjectPredicate("a = 1 and b = 2 AND c = 3 && d = 4 And e = 5") else {
            Issue.record("no AND")
            return
        }
        #expect(parts.count == 5)
    }

    @Test func readsWideConditionsOnce() throws {
        let text = (0..<5_000).map { "(a == \($0))" }.joined(separator: " OR ")
        guard case .or(let parts) = try ObjectPredicate(text) else {
            Issue.record("no OR")
            return
        }
        #expect(parts.count == 5_000)
    }

    @Test(arguments: ["a + 1", "a.@count", "now()", "SELF", "{1, 2}", "a UNION b", "TERNARY(a == 1, b, c)"])
    func expressionsAreReadAlone(_ text: String) throws {
        #expect(try ObjectExpression(format: text).description == text)
    }

    @Test(arguments: [
        ("a == 1", true), ("length:(a) > 3", true), ("FUNCTION(a, 'dateByAddingTimeInterval:', 3) > b", true),
        ("SUBQUERY(a, $x, $x.b == 1).@count > 0", true), ("$x == 1", false), ("SUBQUERY(a, $x, $y == 1) == nil", false),
        ("FUNCTION(a, 'b') == 1", false), ("foo(a) == 1", false), ("a ==[w] 'b'", false),
    ])
    func knowsWhatCanBeEvaluated(_ text: String, _ isEvaluable: Bool) throws {
        #expect(try ObjectPredicate(text).isEvaluable == isEvaluable)
    }
}
