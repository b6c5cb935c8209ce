import GranaryBase
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// NULL, the empty text, defaults, and what a record leaves out.
@Suite struct NullTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Thing",
            [
                .attribute("plain", .string), .attribute("count", .integer32),
                .attribute("need", .string, .required, .defaultValue("new")),
                .attribute("rank", .integer16, .required, .defaultValue(3)),
                .attribute("hint", .string, .defaultValue("none")),
            ])
    ])
    private static let columns = ["plain", "count", "need", "rank", "hint"]

    @Test func `NULL and the empty text are kept apart`() throws {
        let run = try TestImport.csv("plain,count\n,\n\"\",1\n", "Thing", Self.model)
        #expect(try run.csv("Thing", columns: ["plain", "count"]) == "plain,count\n,\n\"\",1\n")
    }

    @Test func `Other texts are NULL when unquoted, and the empty field is then text`() throws {
        let run = try TestImport.csv("plain,count\nNULL,1\n\"NULL\",1\n\\N,1\n\"\",1\n", "Thing", Self.model) {
            $0.nullTexts = ["NULL", "\\N"]
        }
        #expect(try run.csv("Thing", columns: ["plain", "count"]) == "plain,count\n,1\nNULL,1\n,1\n\"\",1\n")
        let number = try TestImport.csv("plain,count\na,\n", "Thing", Self.model) { $0.nullTexts = ["NULL"] }
        #expect(number.problems == ["2:3 value.syntax count"])
    }

    @Test func `What is left out takes its default, what is NULL does not`() throws {
        let run = try TestImport.json("[{}, {\"hint\": null}]", "Thing", Self.model)
        let expected = "plain,count,need,rank,hint\n,,new,3,none\n,,new,3,\n"
        #expect(try run.csv("Thing", columns: Self.columns) == expected)
    }

    @Test func `NULL in a required property is missing, or its default when that is said`() throws {
        let text = "need,rank\n,\na,4\n"
        let refused = try TestImport.csv(text, "Thing", Self.model)
        #expect(refused.problems == ["2:1 value.missing need", "2:2 value.missing rank"])
        #expect(refused.report.diagnostics.map(\.coreDataCode) == [1570, 1570])
        let taken = try TestImport.csv(text, "Thing", Self.model) { $0.nullIsDefault = true }
        #expect(try taken.csv("Thing", columns: ["need", "rank"]) == "need,rank\nnew,3\na,4\n")
    }
}
