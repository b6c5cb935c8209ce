import GranaryBase
import GranaryModel
import Testing

@testable import GranaryModelFiles

struct PredicateFormatTests {
    /// Texts that Apple prints so: read and printed, they are the same.
    @Test(arguments: [
        "length >= 1", "ANY a.b == 1", "ALL a.b < 2.5", "name ==[cd] \"x\"", "x BETWEEN {1, 2}", "SELF IN {1, 2, nil}",
        "SELF MATCHES \"\\\\d+\"", "name LIKE \"a*\"", "name BEGINSWITH[cdl] \"a\"", "name ENDSWITH[n] \"a\"",
        "authorAlias == $FETCH_SOURCE.alias AND comment CONTAINS[c] $FETCHED_PROPERTY.userInfo.search",
        "(X == 10 AND Y == 30) AND (Z == 20 OR K == 40)",
        "((X == 10 AND V == 11) AND (Y == 30 OR W == 5)) OR (Z == 20 OR (K == 40 AND C == 11))",
        "NOT (a == 1 OR b == 2)", "NOT a == 1", "(NOT a == 1) AND b == 2", "TRUEPREDICATE", "FALSEPREDICATE",
        "count:(pages) > 3", "pages.@count > 3", "#size.#in == nil", "date < CAST(631123200.000000, \"NSDate\")",
        "a + (b * 2) == 3", "(a + b) ** 2 == 3", "now() > created",
        "FUNCTION(name, \"stringByAppendingString:\", \"x\") == \"ax\"", "CAST(x, \"NSNumber\") == 1",
        "a == \"\\\"\\n\"",
    ])
    func survivesReadingAndPrinting(_ text: String) throws {
        #expect(PredicateFormat.text(of: try PredicateFormat.predicate(text)) == text)
    }

    @Test(arguments: [
        ("available = true", "available == 1"), ("a=b", "a == b"), ("a <> NULL", "a != nil"), ("a =< 1", "a <= 1"),
        ("a => 1", "a >= 1"), ("a == 'x\\'y'", "a == \"x'y\""),
        ("a==1&&b==2||!c==3", "(a == 1 AND b == 2) OR (NOT c == 3)"),
        ("(available = 1)", "available == 1"), ("((a > 1) and (b > 2))", "a > 1 AND b > 2"),
        ("a = 0x1F", "a == 31"), ("a = -5", "a == -5"), ("a = -9223372036854775808", "a == -9223372036854775808"),
        ("a = 1.50", "a == 1.5"), ("a = 2.0", "a == 2"), ("some x.y == YES", "ANY x.y == 1"),
        ("NONE x.y == 1", "NOT ANY x.y == 1"), ("SELF.name == 1", "name == 1"), ("sum(x.y) > 1", "sum:(x.y) > 1"),
        ("a between { 1 , 2 }", "a BETWEEN {1, 2}"), ("(a + 1) > 2", "a + 1 > 2"),
        ("$x.y.z contains 'a'", "$x.y.z CONTAINS \"a\""),
        ("name == '\\u00e9'", "name == \"é\""), ("a in {}", "a IN {}"), ("{1} contains a", "{1} CONTAINS a"),
    ])
    func readsEverySpelling(_ text: String, _ printed: String) throws {
        #expect(PredicateFormat.text(of: try PredicateFormat.predicate(text)) == printed)
    }

    @Test func fiveTermsAreOneAnd() throws {
        let node = try PredicateFormat.predicate("a = 1 and b = 2 AND c = 3 && d = 4 And e = 5")
        guard case .compound(.and, let parts) = node else {
            Issue.record("no AND")
            return
        }
        #expect(parts.count == 5)
    }

    @Test(arguments: [
        ("", "column 1: expected a value, found the end"), ("a", "column 2: expected a comparison operator"),
        ("a ==", "column 5: expected a value, found the end"), ("a == 1 b", "column 8: expected AND, OR or the end"),
        ("é == ^", "column 6: a character that has no meaning"), ("a == 'x", "column 6: the text that begins here"),
        ("a == %@", "column 6: placeholders"), ("%K == 1", "column 1: placeholders"),
        ("SUBQUERY(a, $x, $x.b == 1).@count > 0", "column 1: SUBQUERY is not supported"),
        ("in == 1", "column 1: expected a value"), ("a ==[q] 1", "column 6: expected the options"),
        ("(a == 1", "column 8: expected \")\""), ("a IN {1 2}", "column 9: expected \",\" or \"}\""),
        ("1 == (a == 2)", "expected a value, found a condition"),
        ("a == 1 AND b", "column 13: expected a comparison"),
        ("add(1, 2) == 3", "column 1: the function add has 2 arguments"), ("a == 99e999", "is not a number"),
        ("a[0] == 1", "column 2: expected a comparison operator"), ("a. == 1", "column 4: expected a key"),
    ])
    func saysWhatIsWrongAndWhere(_ text: String, _ message: String) throws {
        let error = try #require(throws: GranaryError.self) { try PredicateFormat.predicate(text) }
        #expect(error.message.contains(message), "\(error.message)")
        #expect(error.diagnostics.first?.code == .modelSyntax)
    }

    @Test(arguments: [
        String(repeating: "(", count: 100_000), String(repeating: "NOT ", count: 100_000),
        String(repeating: "{", count: 100_000), String(repeating: "f(", count: 100_000),
        "a" + String(repeating: " + 1", count: 100_000) + " > 1",
    ])
    func refusesDeepNesting(_ text: String) throws {
        let error = try #require(throws: GranaryError.self) { try PredicateFormat.predicate(text) }
        #expect(error.message.contains("64"))
    }

    @Test func readsWideConditionsOnce() throws {
        let text = (0..<5_000).map { "(a == \($0))" }.joined(separator: " OR ")
        let node = try PredicateFormat.predicate(text)
        guard case .compound(.or, let parts) = node else {
            Issue.record("no OR")
            return
        }
        #expect(parts.count == 5_000)
    }

    @Test(arguments: [
        "pages.@count", "articles.@sum.words", "articles.words.@sum", "now()", "canonical:(name)", "uppercase:(x)",
        "legalEntity.name", "name", "sum:(items.price)", "in.size", "average:(items.price)",
    ])
    func derivationsKeepTheirSpelling(_ text: String) throws {
        let expression = try PredicateFormat.derivation(text)
        #expect(PredicateFormat.derivationText(of: expression) == text)
    }

    @Test func countIsAFunction() throws {
        #expect(try PredicateFormat.derivation("pages.@count") == .call("count:", .path("pages")))
        #expect(try PredicateFormat.derivation("now()") == .call("now"))
        #expect(PredicateFormat.text(of: try PredicateFormat.derivation("pages.@count")) == "count:(pages)")
        #expect(throws: GranaryError.self) { try PredicateFormat.derivation("a..b") }
        #expect(throws: GranaryError.self) { try PredicateFormat.derivation("") }
    }
}
