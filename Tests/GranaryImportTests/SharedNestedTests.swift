import Foundation
import GranaryBase
import GranaryContexts
import GranaryImport
import GranaryModel
import GranaryRecords
import Testing
@testable import SeedingTestSupport

/// Nested objects that several records have, if one of these records is rejected.
@Suite struct SharedNestedTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Book",
            [
                .attribute("number", .integer16), .attribute("pages", .integer16, .maximum(999)),
                .toOne("author", "Author", inverse: "books"), .toOne("sequel", "Book", inverse: nil),
            ], unique: [["number"]]),
        EntityDescription(
            "Author",
            [
                .attribute("code", .integer16), .attribute("name", .string),
                .toOne("country", "Country", inverse: nil), .toMany("books", "Book", inverse: "author"),
            ], unique: [["code"]]),
        EntityDescription("Country", [.attribute("iso", .string), .attribute("title", .string)], unique: [["iso"]]),
    ])

    private static let ann = #"{"code":7,"name":"Ann","country":{"iso":"de","title":"Germany"}}"#

    /// A source that can be read again, as a file can.
    private static func load(
        _ bench: EngineBench, _ text: String, run: ImportRunOptions = TestImport.keepGood,
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> TestImport {
        var options = ImportOptions()
        change(&options)
        let source = ImportSource.bytes(Data(text.utf8), name: "in.json")
        return try bench.load([ImportJob(entity: "Book", sources: [source], options: options)], run: run)
    }

    @Test("A rejected record does not claim its nested objects", arguments: EngineBench.Kind.allCases)
    func claims(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let text = """
            [{"number":1,"pages":"many","author":\(Self.ann)},
            {"number":2,"author":\(Self.ann)},
            {"number":3,"author":\(Self.ann)}]
            """
        let run = try Self.load(bench, text)
        #expect(run.lines == ["1 value.syntax pages"], "\(run.messages)")
        #expect(run.counts == RecordCounts(created: 2, rejected: 1) && run.report.nested == 2)
        #expect(try bench.table("Book", "number", "author") == "number,author\n2,7\n3,7\n")
        #expect(try bench.table("Author", "code", "country") == "code,country\n7,de\n")
        #expect(try bench.faults() == [])
        // The corrected record completes the import, with the same command.
        let rest = try Self.load(bench, "[{\"number\":1,\"pages\":9,\"author\":\(Self.ann)}]")
        #expect(rest.problems == [] && rest.counts == RecordCounts(created: 1), "\(rest.messages)")
    }

    @Test("So it is for stored objects that records change", arguments: EngineBench.Kind.allCases)
    func updates(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        try bench.load(csv: "code,name\n7,Anna\n", "Author")
        let text = """
            [{"number":1,"pages":"many","author":\(Self.ann)},
            {"number":2,"author":\(Self.ann)}]
            """
        let run = try Self.load(bench, text, EngineBench.update)
        #expect(run.lines == ["1 value.syntax pages"], "\(run.messages)")
        #expect(try bench.table("Author", "code", "name") == "code,name\n7,Ann\n")
        #expect(try bench.table("Book", "number", "author") == "number,author\n2,7\n")
    }

    @Test("So it is if the record is rejected after reading", arguments: EngineBench.Kind.allCases)
    func late(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let text = """
            [{"number":1,"author":\(Self.ann),"sequel":99},
            {"number":2,"author":\(Self.ann)},
            {"number":3,"author":\(Self.ann),"sequel":1},
            {"number":4,"author":{"code":7,"name":"Anna"}},
            {"number":5,"author":7}]
            """
        let run = try Self.load(bench, text)
        #expect(
            Set(run.lines) == [
                "1 relationship.notFound sequel", "3 relationship.notFound sequel", "4 unique.duplicate code",
            ], "\(run.messages)")
        #expect(run.counts == RecordCounts(created: 2, rejected: 3))
        #expect(try bench.table("Book", "number", "author") == "number,author\n2,7\n5,7\n")
        #expect(try bench.table("Author", "code", "country") == "code,country\n7,de\n")
        #expect(try bench.faults() == [])
    }

    @Test("Nested objects of a rejected record that repeat others are no further reason", arguments: [true, false])
    func furtherReasons(_ isStored: Bool) throws {
        let bench = try EngineBench(Self.model, .memory)
        if isStored { _ = try Self.load(bench, "[{\"number\":9,\"author\":\(Self.ann)}]", run: ImportRunOptions()) }
        let both = #""sequel":{"number":5,"author":\#(Self.ann)}"#
        let text = """
            [{"number":1,"author":\(Self.ann)},
            {"number":2,"pages":"many","author":\(Self.ann),\(both)},
            {"number":3,"pages":"few","author":\(Self.ann)},
            {"number":4,"pages":"few","author":{"code":7,"name":"Bob"}}]
            """
        let run = try Self.load(bench, text)
        #expect(
            run.lines == [
                "2 value.syntax pages", "3 value.syntax pages", "4 value.syntax pages", "4 unique.duplicate code",
            ], "\(run.messages)")
        let first = try Self.load(bench, "[{\"number\":6,\"pages\":\"many\",\"author\":\(Self.ann),\(both)}]")
        #expect(first.lines == ["1 value.syntax pages"], "\(first.messages)")
    }

    @Test("A reference to an object that only a rejected record contains rejects its record") func references() throws {
        let bench = try EngineBench(Self.model, .memory)
        let run = try Self.load(
            bench, "[{\"number\":1,\"pages\":\"many\",\"author\":\(Self.ann)},\n{\"number\":2,\"author\":7}]")
        #expect(run.lines == ["1 value.syntax pages", "2 relationship.notFound author"])
        #expect(run.messages.last == "refers to the record at in.json:1, which is rejected")
    }

    @Test("A record rejected as a whole keeps its own key") func ownKeys() throws {
        let bench = try EngineBench(Self.model, .memory)
        let run = try Self.load(bench, "[{\"number\":1,\"pages\":\"many\"},\n{\"number\":1,\"pages\":2}]")
        #expect(run.lines == ["1 value.syntax pages", "2 unique.duplicate number"])
    }

    @Test("A conflict has the line of the nested object and the first difference", arguments: EngineBench.Kind.allCases)
    func conflict(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let text = """
            [{"number":1,
            "author":{"code":7,"name":"Ann"}},
            {"number":2,
            "author":{"code":7,"name":"Bob"}}]
            """
        let run = try Self.load(bench, text)
        #expect(run.lines == ["4 unique.duplicate code"])
        #expect(
            run.messages == [
                "an object with the same code and other values is nested in the record at in.json:2: name is \"Ann\" "
                    + "there and \"Bob\" here"
            ])
    }

    @Test("A nested object that equals a stored one is that object", arguments: EngineBench.Kind.allCases)
    func stored(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        _ = try Self.load(bench, "[{\"number\":1,\"author\":\(Self.ann)}]", run: ImportRunOptions())
        for (number, author) in [(2, #"{"code":7,"name":"Ann"}"#), (3, Self.ann)] {
            let same = try Self.load(
                bench, "[{\"number\":\(number),\"author\":\(author)}]", run: ImportRunOptions())
            #expect(same.problems == [] && same.counts == RecordCounts(created: 1), "\(same.messages)")
        }
        #expect(try bench.table("Book", "number", "author") == "number,author\n1,7\n2,7\n3,7\n")
        #expect(try bench.count("Author") == 1 && bench.count("Country") == 1)
        for mode in [ImportRunOptions(), TestImport.keepGood] {
            let other = try Self.load(
                bench, "[{\"number\":4,\n\"author\":{\"code\":7,\"name\":\"Bob\"}}]", run: mode)
            #expect(other.lines == ["2 unique.exists code"])
            #expect(
                other.messages == [
                    "an object with this code and other values is in the store already: name is \"Ann\" there and "
                        + "\"Bob\" here"
                ])
            #expect(other.report.diagnostics.first?.help == "--on-conflict update")
        }
        #expect(try bench.table("Author", "name") == "name\nAnn\n")
    }
}
