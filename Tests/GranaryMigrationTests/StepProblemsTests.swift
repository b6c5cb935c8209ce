import Foundation
import GranaryBase
import GranaryContexts
import GranaryModel
import GranaryPredicates
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryMigration

/// Migrations over several versions: the problems of all steps, and options with names of any version.
@Suite struct StepProblemsTests {
    private static func book(_ properties: PropertyDescription...) -> [EntityDescription] {
        [EntityDescription("Book", properties)]
    }

    private static let old = book(
        .attribute("number", .integer16), .attribute("title", .string), .attribute("year", .integer64))

    /// Three books: without a title, with a year that does not fit an Integer 16, and complete.
    private func bench() throws -> MigrationBench {
        try MigrationBench(Self.old) { context in
            for (title, year) in [(nil, 1), ("B", 70_000), ("C", 3)] as [(String?, Int64)] {
                let book = try context.insert(into: "Book")
                try book.setValue(title.map { .string($0) }, forKey: "title")
                try book.setValue(.integer(year), forKey: "year")
                try context.save()
            }
        }
    }

    /// The text of the number cannot be inferred, so that each migration goes over the second version.
    private static let versions: KeyValuePairs<String, [EntityDescription]> = [
        "App": old,
        "App 2": book(.attribute("title", .string, .required), .attribute("year", .integer16)),
        "App 3": book(
            .attribute("number", .string), .attribute("title", .string), .attribute("year", .integer16, .required),
            .attribute("pages", .integer16, .required)),
    ]

    @Test(arguments: [false, true]) func `One run has the problems of all steps, each once`(_ isDryRun: Bool) throws {
        let bench = try bench()
        let before = try Data(contentsOf: bench.url)
        var migration = try StoreMigration(in: try bench.write(Self.versions))
        migration.options.isDryRun = isDryRun
        let report = try migration.run(path: bench.url.path, model: nil, output: nil)
        // The year that does not fit is not missing in the last version.
        #expect(
            MigrationBench.lines(report.problems) == [
                "Book.title 1 value.missing", "Book.year 1 value.range", "Book.pages 3 value.missing",
            ])
        #expect(report.problems.map(\.version) == ["App 2", "App 2", "App 3"])
        let refusal = try #require(report.refusal)
        #expect(refusal.diagnostics.count == 3)
        #expect(refusal.diagnostics.last?.message.hasSuffix("(in the step to \"App 3\")") == true)
        #expect(try Data(contentsOf: bench.url) == before)
        #expect(try bench.names == ["App.xcdatamodeld", "S.sqlite"])
    }

    @Test func `Duplicates and dropped objects of one step do not hide the problems of the next`() throws {
        let pen = EntityDescription("Pen", [.attribute("ink", .string)])
        let bench = try MigrationBench([
            EntityDescription("Book", [.attribute("number", .integer16), .attribute("title", .string)]), pen,
        ]) { context in
            for _ in 0..<2 {
                let book = try context.insert(into: "Book")
                try book.setValue("A", forKey: "title")
            }
            _ = try context.insert(into: "Pen")
        }
        let url = try bench.write([
            "App": [EntityDescription("Book", [.attribute("number", .integer16), .attribute("title", .string)]), pen],
            "App 2": [EntityDescription("Book", [.attribute("title", .string)], unique: [["title"]])],
            "App 3": [
                EntityDescription(
                    "Book",
                    [
                        .attribute("title", .string), .attribute("number", .string),
                        .attribute("pages", .integer16, .required),
                    ], unique: [["title"]])
            ],
        ])
        let report = try StoreMigration(in: url).run(path: bench.url.path, model: nil, output: nil)
        #expect(
            MigrationBench.lines(report.problems) == [
                "Book.title 1 unique.duplicate", "Pen 1 migration.drop", "Book.pages 1 value.missing",
            ])
    }

    @Test func `A step that fails after a refused one is named as not checked`() throws {
        let bench = try bench()
        var migration = try StoreMigration(in: try bench.write(Self.versions))
        migration.steps = [
            MigrationStep(
                from: "App 2", to: "App 3", policies: ["Book": { $0.setValue("many", forKey: "pages") }])
        ]
        let report = try migration.run(path: bench.url.path, model: nil, output: nil)
        #expect(report.problems.map(\.version) == ["App 2", "App 2"])
        #expect(report.warnings.map(\.code) == [.migrationUnchecked])
        #expect(report.warnings.first?.message.contains("the steps to \"App 3\" were not checked") == true)
        // Without a refused step before, it is an error.
        let whole = try MigrationBench(Self.old) { context in
            try context.insert(into: "Book").setValue("A", forKey: "title")
        }
        #expect(throws: GranaryError.self) {
            try migration.run(path: whole.url.path, model: nil, output: nil)
        }
    }

    @Test func `An archive has the problems of all steps`() throws {
        let bench = try MigrationBench(Self.old, name: "S.plist", location: { .archive($0) }) { context in
            try context.insert(into: "Book").setValue(70_000, forKey: "year")
        }
        let report = try StoreMigration(in: try bench.write(Self.versions))
            .run(path: bench.url.path, model: nil, output: nil)
        #expect(
            MigrationBench.lines(report.problems) == [
                "Book.year 1 value.range", "Book.title 1 value.missing", "Book.pages 1 value.missing",
            ])
    }

    // MARK: Names in options

    /// A patient becomes a person, whose name gets another name and another type.
    private static let people: KeyValuePairs<String, [EntityDescription]> = [
        "App": [
            EntityDescription(
                "Patient", [.attribute("name", .string), .attribute("age", .integer16), .attribute("x", .string)])
        ],
        "App 2": [
            EntityDescription(
                "Patient", [.attribute("name", .string, .required), .attribute("age", .integer32, .required)])
        ],
        "App 3": [
            EntityDescription(
                "Person",
                [
                    .attribute("fullName", .string, .required, .renamed(from: "name")),
                    .attribute("years", .double, .required, .renamed(from: "age")), .attribute("x", .binary),
                ]
            )
            .renamed(from: "Patient")
        ],
    ]

    @Test(
        arguments: [
            ["Person.fullName": "N", "Person.years": "7"], ["Patient.name": "N", "Patient.age": "7"],
            ["Person.fullName": "N", "Patient.age": "7"],
        ])
    func `A fill has the name of the newest version, or of any on the way`(_ fills: [String: String]) throws {
        let bench = try MigrationBench(Self.people.first?.value ?? []) { _ = try $0.insert(into: "Patient") }
        var migration = try StoreMigration(in: try bench.write(Self.people))
        let refused = try migration.run(path: bench.url.path, model: nil, output: nil)
        #expect(refused.path == ["App", "App 2", "App 3"] && refused.problems.count == 2)
        migration.options.fillTexts = fills
        let report = try migration.run(path: bench.url.path, model: nil, output: nil)
        #expect(report.problems.isEmpty && report.refusal == nil)
        #expect(
            try bench.lines(Self.people.last?.value ?? []) == ["Person/p1 fullName=string(\"N\") years=7"])
    }

    @Test func `A name means the attribute that has it in the newest version`() throws {
        // The title becomes the name, and another title is added.
        let old = Self.book(.attribute("title", .string), .attribute("x", .string))
        let bench = try MigrationBench(old) { _ = try $0.insert(into: "Book") }
        let url = try bench.write([
            "App": old, "App 2": Self.book(.attribute("title", .string)),
            "App 3": Self.book(
                .attribute("name", .string, .renamed(from: "title")), .attribute("title", .string, .required),
                .attribute("x", .binary)),
        ])
        var migration = try StoreMigration(in: url)
        migration.options.fillTexts = ["Book.title": "T"]
        _ = try migration.run(path: bench.url.path, model: nil, output: nil)
        let new = Self.book(
            .attribute("name", .string, .renamed(from: "title")), .attribute("title", .string, .required),
            .attribute("x", .binary))
        #expect(try bench.lines(new) == ["Book/p1 title=string(\"T\")"])
    }

    @Test func `A rule for duplicates has the name of the newest version`() throws {
        let old = [
            EntityDescription(
                "Item", [.attribute("code", .string), .attribute("rank", .integer16), .attribute("x", .string)])
        ]
        let bench = try MigrationBench(old) { context in
            for rank in [1, 3, 2] as [Int64] {
                let item = try context.insert(into: "Item")
                try item.setValue("A", forKey: "code")
                try item.setValue(.integer(rank), forKey: "rank")
                try context.save()
            }
        }
        let new = [
            EntityDescription(
                "Article",
                [
                    .attribute("code", .string), .attribute("place", .integer16, .renamed(from: "rank")),
                    .attribute("x", .binary),
                ], unique: [["code"]]
            ).renamed(from: "Item")
        ]
        let url = try bench.write([
            "App": old,
            "App 2": [
                EntityDescription(
                    "Item", [.attribute("code", .string), .attribute("rank", .integer16)], unique: [["code"]])
            ], "App 3": new,
        ])
        var migration = try StoreMigration(in: url)
        migration.options.duplicateRules = ["Article": .largest("place")]
        let report = try migration.run(path: bench.url.path, model: nil, output: nil)
        #expect(report.refusal == nil && report.problems.map(\.count) == [2])
        #expect(try bench.lines(new) == ["Article/p2 code=string(\"A\") place=3"])
    }
}
