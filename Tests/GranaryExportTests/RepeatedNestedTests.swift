import Foundation
import GranaryBase
import GranaryComparison
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryExport
@testable import GranaryImport
@testable import SeedingTestSupport

/// Exports in which an object is inside every object that refers to it (`--repeat`), and their imports.
struct RepeatedNestedTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.path + "/" + name }

    /// Books and authors refer to each other in two ways, persons and tags to their own kind.
    private static func model(isKeyed: Bool) -> ManagedObjectModel {
        func unique(_ names: String...) -> [[String]] { isKeyed ? [names] : [] }
        return ManagedObjectModel(entities: [
            EntityDescription(
                "Author",
                [
                    .attribute("name", .string), .toMany("books", "Book", inverse: "author"),
                    .toOne("favourite", "Book", inverse: nil),
                ], unique: unique("name")),
            EntityDescription(
                "Book", [.attribute("title", .string), .toOne("author", "Author", inverse: "books")],
                unique: unique("title")),
            EntityDescription(
                "Person",
                [
                    .attribute("name", .string), .toMany("children", "Person", inverse: "parent"),
                    .toOne("parent", "Person", inverse: "children"), .toOne("spouse", "Person", inverse: "spouse"),
                ]),
            EntityDescription(
                "Tag",
                [
                    .attribute("number", .integer16), .attribute("word", .string),
                    .toMany("by", "Tag", inverse: "tagged"), .toMany("tagged", "Tag", inverse: "by", .ordered),
                ], unique: unique("word", "number")),
        ])
    }

    private static let document = """
        {"entities": {
        "Author": [{"$id": "Author/p1", "name": "a1", "favourite": "Book/p3"},
          {"$id": "Author/p2", "name": "a2", "favourite": "Book/p1"},
          {"$id": "Author/p3", "name": "a3", "favourite": "Book/p1"}],
        "Book": [{"$id": "Book/p1", "title": "b1", "author": "Author/p1"},
          {"$id": "Book/p2", "title": "b2", "author": "Author/p1"},
          {"$id": "Book/p3", "title": "b3", "author": "Author/p2"}, {"$id": "Book/p4", "title": "b4"}],
        "Person": [{"$id": "Person/p1", "name": "n1", "parent": "Person/p3", "spouse": "Person/p4"},
          {"$id": "Person/p2", "name": "n2", "parent": "Person/p1"},
          {"$id": "Person/p3", "name": "n3", "parent": "Person/p2"},
          {"$id": "Person/p4", "name": "n4", "parent": "Person/p2"},
          {"$id": "Person/p5", "name": "n5", "parent": "Person/p5"}],
        "Tag": [{"$id": "Tag/p1", "word": "w", "number": 1, "tagged": ["Tag/p3", "Tag/p2"]},
          {"$id": "Tag/p2", "word": "w", "number": 2, "tagged": ["Tag/p3", "Tag/p1"]},
          {"$id": "Tag/p3", "word": "v", "number": 1, "tagged": []}]
        }}
        """

    private func source(isKeyed: Bool) throws -> SQLiteStore {
        let model = Self.model(isKeyed: isKeyed)
        let store = try SQLiteStore.create(path: path("Source.sqlite"), schema: try model.resolved())
        let made = try TestImport.of([TestImport.reader(json: Self.document)], nil, store)
        #expect(!made.report.isRefused, "\(made.messages)")
        return store
    }

    private static let nestings: [[String]] = [
        ["author"], ["books"], ["favourite"], ["favourite.author"], ["author", "books"], ["author.favourite.author"],
        ["children"], ["children.children"], ["parent"], ["parent.parent.parent.parent"], ["spouse"],
        ["children", "spouse"], ["parent.children.spouse", "favourite"], ["tagged"], ["tagged.by"], ["by"],
        ["by.tagged", "tagged"],
    ]

    @Test(
        "An import makes one object of equal ones, with and without keys, as rows and as references",
        arguments: nestings, [false, true])
    func wayBack(_ nested: [String], _ isKeyed: Bool) throws {
        let source = try source(isKeyed: isKeyed)
        for (index, name) in ["a.json", "a.plist", "all/", "all/"].enumerated() {
            var options = ExportOptions()
            options.nested = nested
            options.repeatsNested = true
            options.reference = index % 2 == 1 && isKeyed ? .id : nil
            let format: DataFormat = index < 2 ? (index == 0 ? .json : .plist) : .ndjson
            _ = try Exporter(options: options).run(source, to: .path(path(name), format: format, replacing: true))
            // The files of a folder are imported in an order that is not that of the export.
            let names =
                name == "all/"
                ? try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted().filter {
                    $0 != "granary.json"
                }
                .map { name + $0 } : [name]
            let sources = (index == 3 ? names.reversed() : names).map {
                ImportSource.file(path: path($0), options: SourceOptions())
            }
            var reading = ImportOptions()
            reading.restoresAsIs = index == 1
            let again = try ExportSamples.store(Self.model(isKeyed: isKeyed))
            let report = try Importer(jobs: [ImportJob(entity: nil, sources: sources, options: reading)]).run(
                into: again)
            #expect(!report.isRefused, "\(name): \(report.diagnostics.prefix(3))")
            #expect(try DiffRun.of(source, again).lines == [], "\(name)")
        }
    }

    @Test("A source that cannot be read again") func once() throws {
        let source = try source(isKeyed: false)
        var options = ExportOptions()
        options.nested = ["parent.spouse", "favourite"]
        options.repeatsNested = true
        let text = try ExportSamples.json(source, options, shape: .document)
        let again = try ExportSamples.store(Self.model(isKeyed: false))
        let run = try TestImport.of([TestImport.reader(json: text)], nil, again)
        #expect(!run.report.isRefused, "\(run.messages)")
        #expect(try DiffRun.of(source, again).lines == [])
    }

    @Test(
        "Objects with an equal $id and other values are an error",
        arguments: [
            // An attribute, a to-one, a list, an object in place of a reference, and a missing relationship.
            (#"{"$id": "b", "title": "y", "author": null}"#, "line 1"),
            (#"{"$id": "b", "title": "x", "author": "c"}"#, "line 1"),
            (#"{"$id": "b", "title": "x", "author": {"$id": "c", "name": "c"}}"#, "line 1"),
            (#"{"$id": "b", "title": "x"}"#, "line 1"),
        ])
    func contradictions(_ book: String, _ place: String) throws {
        let first = #"{"$id": "a", "name": "a", "favourite": {"$id": "b", "title": "x", "author": null}}"#
        let text = first + "\n" + #"{"$id": "d", "name": "d", "favourite": "# + book + "}\n"
        let run = try Self.reading(text)
        #expect(run.report.isRefused)
        #expect(
            run.messages.contains { $0.contains("\(place) has the same $id \"b\" and other values") }, "\(run.messages)"
        )
        #expect(try run.store.count(entity: 0) == 0)
    }

    @Test("Lists that differ are an error, a list that was left out is added") func lists() throws {
        func author(_ id: String, _ list: String) -> String {
            #"{"$id": "\#(id)", "name": "n", "books": ["x", "y"\#(list)]}"#
        }
        func text(_ first: String, _ second: String) -> String {
            #"{"$id": "x", "title": "x", "author": \#(first)}"# + "\n"
                + #"{"$id": "y", "title": "y", "author": \#(second)}"# + "\n"
        }
        let inner = #", {"$id": "x1", "title": "x1"}"#
        let differing = try Self.reading(text(author("a", inner), author("a", "")), "Book")
        #expect(differing.report.isRefused && differing.messages.contains { $0.contains("and other values") })
        let bare = #"{"$id": "a", "name": "n"}"#
        for (first, second) in [(bare, author("a", inner)), (author("a", inner), bare)] {
            let added = try Self.reading(text(first, second), "Book")
            #expect(!added.report.isRefused, "\(added.messages)")
            #expect(try added.csv("Author", columns: ["name", "books.@count"]) == "name,books.@count\nn,3\n")
        }
        // Objects without an $id are added with their list, and not a second time.
        let unnamed = author("a", #", {"title": "x1"}"#)
        for (first, second) in [(bare, unnamed), (unnamed, unnamed)] {
            let added = try Self.reading(text(first, second), "Book")
            #expect(!added.report.isRefused, "\(added.messages)")
            #expect(try added.csv("Author", columns: ["name", "books.@count"]) == "name,books.@count\nn,3\n")
            #expect(try added.store.count(entity: 1) == 3)
        }
    }

    @Test("Two records with one $id are an error, whatever their values") func records() throws {
        let run = try Self.reading("{\"$id\": \"a\", \"name\": \"n\"}\n{\"$id\": \"a\", \"name\": \"n\"}\n")
        #expect(run.report.isRefused && run.messages.contains { $0.contains("line 1 has the same $id \"a\"") })
    }

    @Test("With keep-good, a record is rejected with the record whose object it contains") func keepGood() throws {
        // The first record refers to nothing, which is known only at the end.
        let text = """
            {"$id": "a", "name": "a", "favourite": {"$id": "b", "title": "x", "author": "nobody"}}
            {"$id": "d", "name": "d", "favourite": {"$id": "b", "title": "x", "author": "nobody"}}
            {"$id": "e", "name": "e", "favourite": null}

            """
        let run = try Self.reading(text, run: TestImport.keepGood)
        #expect(!run.report.isRefused && run.report.rejected == 2, "\(run.messages)")
        #expect(try run.store.count(entity: 0) == 1 && run.store.count(entity: 1) == 0)
    }

    private static func reading(
        _ text: String, _ entity: String = "Author", run: ImportRunOptions = ImportRunOptions()
    ) throws -> TestImport {
        let store = try ExportSamples.store(model(isKeyed: false))
        let job = ImportJob(entity: entity, sources: [ImportSource.text(text, format: .ndjson, name: "in.ndjson")])
        return TestImport(store: store, report: try Importer(jobs: [job], run: run).run(into: store))
    }
}
