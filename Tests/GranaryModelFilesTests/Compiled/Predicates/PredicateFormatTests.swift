import GranaryBase
import GranaryModel
import GranaryPredicates
import Testing

@testable import GranaryModelFiles

/// What model files add to the format language: diagnostics of one line, and derivation expressions.
struct PredicateFormatTests {
    @Test(arguments: [
        ("", "predicate, column 1: the condition is incomplete: expected a value, found the end"),
        ("a == %@", "column 6: placeholders"),
        ("%K == 1", "column 1: placeholders"), ("a == 1 b", "column 8: expected AND, OR or the end"),
    ])
    func saysWhatIsWrongInOneLine(_ text: String, _ message: String) throws {
        let error = try #require(throws: GranaryError.self) { try PredicateFormat.predicate(text) }
        #expect(error.message.contains(message), "\(error.message)")
        #expect(!error.message.contains("\n"))
        #expect(error.diagnostics.first?.code == .modelSyntax)
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
        #expect(try PredicateFormat.derivation("pages.@count") == .function("count:", [.keyPath("pages")]))
        #expect(try PredicateFormat.derivation("now()") == .function("now", []))
        #expect(try PredicateFormat.derivation("pages.@count").description == "count:(pages)")
        #expect(throws: GranaryError.self) { try PredicateFormat.derivation("a..b") }
        #expect(throws: GranaryError.self) { try PredicateFormat.derivation("") }
    }
}
