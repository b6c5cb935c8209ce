import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import Testing
@testable import GranaryMigration

/// What each change of a model does to objects.
@Suite struct MigrationRulesTests {
    typealias Fill = @Sendable (ManagedObjectContext) throws -> Void

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let old: [EntityDescription]
        let new: [EntityDescription]
        let fill: Fill
        var options: @Sendable (inout StoreMigrationOptions) -> Void = { _ in }
        /// The problems without options; empty if there are none.
        var problems: [String] = []
        let lines: [String]

        var testDescription: String { name }
    }

    private static func book(_ properties: PropertyDescription...) -> EntityDescription {
        EntityDescription("Book", properties)
    }

    /// Books with a title, the second without.
    private static let twoBooks: Fill = { context in
        try context.insert(into: "Book").setValue("A", forKey: "title")
        try context.save()
        _ = try context.insert(into: "Book")
    }

    private static let numbers: @Sendable ([AttributeValue]) -> Fill = { values in
        { context in
            for value in values {
                try context.insert(into: "Book").setValue(value, forKey: "number")
                try context.save()
            }
        }
    }

    /// Two books; the first has two pages, the second one.
    private static let pages: Fill = { context in
        let books = try (0..<2).map { _ in try context.insert(into: "Book") }
        try context.save()
        var pages: [ManagedObject] = []
        for _ in 0..<3 {
            pages.append(try context.insert(into: "Page"))
            try context.save()
        }
        try books[0].setObjects([pages[0], pages[1]], forKey: "pages")
        try books[1].setObjects([pages[2]], forKey: "pages")
    }

    private static func shelf(
        _ pages: PropertyDescription, _ book: PropertyDescription?
    ) -> [EntityDescription] {
        [EntityDescription("Book", [pages]), EntityDescription("Page", [book].compactMap(\.self))]
    }

    private static let oneToMany = shelf(
        .toMany("pages", "Page", inverse: "book"), .toOne("book", "Book", inverse: "pages"))

    static let attributes: [Case] = [
        Case(
            name: "A required attribute takes its default value where there is none",
            old: [book(.attribute("title", .string))],
            new: [book(.attribute("title", .string, .required, .defaultValue("none")))], fill: twoBooks,
            lines: ["Book/p1 title=string(\"A\")", "Book/p2 title=string(\"none\")"]),
        Case(
            name: "NULL in an attribute that becomes required is filled",
            old: [book(.attribute("title", .string))], new: [book(.attribute("title", .string, .required))],
            fill: twoBooks, options: { $0.fills = ["Book.title": "filled"] }, problems: ["Book.title 1 value.missing"],
            lines: ["Book/p1 title=string(\"A\")", "Book/p2 title=string(\"filled\")"]),
        Case(
            name: "NULL in an attribute that becomes required is kept",
            old: [book(.attribute("title", .string))], new: [book(.attribute("title", .string, .required))],
            fill: twoBooks, options: { $0.invalidObjects = .keep }, problems: ["Book.title 1 value.missing"],
            lines: ["Book/p1 title=string(\"A\")", "Book/p2"]),
        Case(
            name: "An added required attribute needs a value for each object",
            old: [book(.attribute("title", .string))],
            new: [book(.attribute("title", .string), .attribute("year", .integer16, .required))], fill: twoBooks,
            options: { $0.fills = ["Book.year": 7] }, problems: ["Book.year 2 value.missing"],
            lines: ["Book/p1 title=string(\"A\") year=7", "Book/p2 year=7"]),
        Case(
            name: "Values of a removed attribute are dropped",
            old: [book(.attribute("title", .string), .attribute("year", .integer16))],
            new: [book(.attribute("year", .integer16))], fill: twoBooks, options: { $0.allowsDrop = true },
            problems: ["Book.title 1 migration.drop"], lines: ["Book/p1", "Book/p2"]),
        Case(
            name: "A renamed attribute keeps its values",
            old: [book(.attribute("title", .string))],
            new: [book(.attribute("name", .string, .renamed(from: "title")))], fill: twoBooks,
            lines: ["Book/p1 name=string(\"A\")", "Book/p2"]),
        Case(
            name: "Numbers that do not fit are refused; those that would be rounded are kept on request",
            old: [book(.attribute("number", .double))], new: [book(.attribute("number", .integer16))],
            fill: numbers([.double(3), .double(-2.5)]), options: { $0.invalidObjects = .keep },
            problems: ["Book.number 1 value.precision"], lines: ["Book/p1 number=3", "Book/p2 number=-2"]),
        Case(
            name: "Integers become doubles and Booleans",
            old: [book(.attribute("number", .integer64))], new: [book(.attribute("number", .boolean))],
            fill: numbers([.integer(0), .integer(1), .integer(5)]), options: { $0.invalidObjects = .keep },
            problems: ["Book.number 1 value.precision"],
            lines: ["Book/p1 number=0", "Book/p2 number=1", "Book/p3 number=1"]),
        Case(
            name: "A removed entity is dropped with its objects",
            old: [book(.attribute("title", .string)), EntityDescription("Pen", [.attribute("ink", .string)])],
            new: [book(.attribute("title", .string))],
            fill: { context in
                try twoBooks(context)
                _ = try context.insert(into: "Pen")
            }, options: { $0.allowsDrop = true }, problems: ["Pen 1 migration.drop"],
            lines: ["Book/p1 title=string(\"A\")", "Book/p2"]),
    ]

    static let unique: [Case] = {
        let fill: Fill = { context in
            for (title, year) in [("A", 1), ("B", 2), ("A", 3), ("A", 2)] {
                let book = try context.insert(into: "Book")
                try book.setValue(.string(title), forKey: "title")
                try book.setValue(.integer(Int64(year)), forKey: "year")
                try context.save()
            }
        }
        let properties: [PropertyDescription] = [.attribute("title", .string), .attribute("year", .integer16)]
        let old = [EntityDescription("Book", properties)]
        let new = [EntityDescription("Book", properties, unique: [["title"]])]
        let rules: [(StoreMigrationOptions.DuplicateRule, String)] = [
            (.first, "Book/p1 title=string(\"A\") year=1"), (.last, "Book/p4 title=string(\"A\") year=2"),
            (.largest("year"), "Book/p3 title=string(\"A\") year=3"),
        ]
        return rules.map { rule, line in
            Case(
                name: "Of objects with the same unique values, \(rule) is kept", old: old, new: new, fill: fill,
                options: { $0.duplicateRules = ["Book": rule] }, problems: ["Book.title 2 unique.duplicate"],
                lines: ["Book/p2 title=string(\"B\") year=2", line].sorted())
        }
    }()

    static let relationships: [Case] = [
        Case(
            name: "A to-one becomes a to-many", old: oneToMany,
            new: shelf(.toMany("pages", "Page", inverse: "book"), .toMany("book", "Book", inverse: "pages")),
            fill: pages,
            lines: [
                "Book/p1 pages=Page/p1,Page/p2", "Book/p2 pages=Page/p3", "Page/p1 book=Book/p1",
                "Page/p2 book=Book/p1",
                "Page/p3 book=Book/p2",
            ]),
        Case(
            name: "A to-many becomes ordered", old: oneToMany,
            new: shelf(.toMany("pages", "Page", inverse: "book", .ordered), .toOne("book", "Book", inverse: "pages")),
            fill: pages,
            lines: [
                "Book/p1 pages=Page/p1,Page/p2", "Book/p2 pages=Page/p3", "Page/p1 book=Book/p1",
                "Page/p2 book=Book/p1",
                "Page/p3 book=Book/p2",
            ]),
        Case(
            name: "A to-many becomes a to-one, and its inverse follows", old: oneToMany,
            new: shelf(.toOne("pages", "Page", inverse: "book"), .toOne("book", "Book", inverse: "pages")),
            fill: pages, options: { $0.allowsDrop = true }, problems: ["Book.pages 1 migration.drop"],
            lines: [
                "Book/p1 pages=Page/p1", "Book/p2 pages=Page/p3", "Page/p1 book=Book/p1", "Page/p2",
                "Page/p3 book=Book/p2",
            ]),
        Case(
            name: "A to-many without an inverse gets one", old: shelf(.toMany("pages", "Page", inverse: nil), nil),
            new: oneToMany, fill: pages,
            lines: [
                "Book/p1 pages=Page/p1,Page/p2", "Book/p2 pages=Page/p3", "Page/p1 book=Book/p1",
                "Page/p2 book=Book/p1",
                "Page/p3 book=Book/p2",
            ]),
        Case(
            name: "A to-many loses its inverse", old: oneToMany,
            new: shelf(.toMany("pages", "Page", inverse: nil), nil),
            fill: pages,
            lines: ["Book/p1 pages=Page/p1,Page/p2", "Book/p2 pages=Page/p3", "Page/p1", "Page/p2", "Page/p3"]),
        Case(
            name: "A relationship that is gone at both ends loses its links", old: oneToMany,
            new: [EntityDescription("Book", []), EntityDescription("Page", [])], fill: pages,
            options: { $0.allowsDrop = true }, problems: ["Page.book 3 migration.drop"],
            lines: ["Book/p1", "Book/p2", "Page/p1", "Page/p2", "Page/p3"]),
        Case(
            name: "A higher minimum is counted",
            old: oneToMany,
            new: shelf(
                .toMany("pages", "Page", inverse: "book", .count(2, 0)), .toOne("book", "Book", inverse: "pages")),
            fill: pages, options: { $0.invalidObjects = .keep }, problems: ["Book.pages 1 relationship.tooFew"],
            lines: [
                "Book/p1 pages=Page/p1,Page/p2", "Book/p2 pages=Page/p3", "Page/p1 book=Book/p1",
                "Page/p2 book=Book/p1",
                "Page/p3 book=Book/p2",
            ]),
        Case(
            name: "An entity below another root gets new keys, and its links follow", old: oneToMany,
            new: [
                EntityDescription("Book", [.toMany("pages", "Page", inverse: "book")]),
                EntityDescription("Page", [.toOne("book", "Book", inverse: "pages")], superentity: "Book"),
            ], fill: pages,
            lines: [
                "Book/p1 pages=Page/p3,Page/p4", "Book/p2 pages=Page/p5", "Page/p3 book=Book/p1",
                "Page/p4 book=Book/p1",
                "Page/p5 book=Book/p2",
            ]),
    ]

    /// Two pages refer to the first book, one to the second.
    private static let references: Fill = { context in
        let books = try (0..<2).map { _ in try context.insert(into: "Book") }
        try context.save()
        for owner in [0, 0, 1] {
            try context.insert(into: "Page").setObject(books[owner], forKey: "book")
            try context.save()
        }
    }

    /// Tags of an item and of a novel, which is an item.
    private static let tagged: Fill = { context in
        let (item, novel) = (try context.insert(into: "Item"), try context.insert(into: "Novel"))
        try context.save()
        let tag = try context.insert(into: "Tag")
        try item.setObjects([tag], forKey: "tags")
        try novel.setObjects([tag], forKey: "tags")
    }

    private static let oneWay = [
        EntityDescription("Book", []), EntityDescription("Page", [.toOne("book", "Book", inverse: nil)]),
    ]

    static let lostLinks: [Case] = [
        Case(
            name: "Links of objects that do not have the relationship any more are not dropped in silence",
            old: [
                EntityDescription("Item", [.toMany("tags", "Tag", inverse: "items")]),
                EntityDescription("Novel", [], superentity: "Item"),
                EntityDescription("Tag", [.toMany("items", "Item", inverse: "tags")]),
            ],
            new: [
                EntityDescription("Item", []),
                EntityDescription("Novel", [.toMany("tags", "Tag", inverse: "items")], superentity: "Item"),
                EntityDescription("Tag", [.toMany("items", "Novel", inverse: "tags")]),
            ], fill: tagged, options: { $0.allowsDrop = true }, problems: ["Item.tags 1 migration.drop"],
            lines: ["Item/p1", "Novel/p2 tags=Tag/p1", "Tag/p1 items=Novel/p2"]),
        Case(
            name: "The links of a relationship that is its own inverse",
            old: [EntityDescription("Book", [.toMany("similar", "Book", inverse: "similar")])],
            new: [EntityDescription("Book", [])],
            fill: { context in
                let books = try (0..<2).map { _ in try context.insert(into: "Book") }
                try books[0].setObjects([books[1]], forKey: "similar")
            }, options: { $0.allowsDrop = true }, problems: ["Book.similar 1 migration.drop"],
            lines: ["Book/p1", "Book/p2"]),
        Case(
            name: "Two to-manys without inverses share one join table: a link of both is held",
            old: shelf(.toMany("pages", "Page", inverse: nil), .toMany("books", "Book", inverse: nil)),
            new: shelf(.toMany("pages", "Page", inverse: "books"), .toMany("books", "Book", inverse: "pages")),
            fill: { context in
                try pages(context)
                let books = try context.fetch(FetchRequest("Book"))
                for page in try context.fetch(FetchRequest("Page")) {
                    // The first page has the same link; the second one another.
                    let number = page.objectID.uriRepresentation.lastPathComponent
                    if number == "p1" { try page.setObjects([books[0]], forKey: "books") }
                    if number == "p2" { try page.setObjects([books[1]], forKey: "books") }
                }
            }, options: { $0.allowsDrop = true }, problems: ["Page.books 1 migration.drop"],
            lines: [
                "Book/p1 pages=Page/p1,Page/p2", "Book/p2 pages=Page/p3", "Page/p1 books=Book/p1",
                "Page/p2 books=Book/p1", "Page/p3 books=Book/p2",
            ]),
        Case(
            name: "A to-many and a to-one become inverses of each other: a link of both is held",
            old: shelf(.toMany("pages", "Page", inverse: nil), .toOne("book", "Book", inverse: nil)),
            new: oneToMany,
            fill: { context in
                try pages(context)
                let books = try context.fetch(FetchRequest("Book"))
                for page in try context.fetch(FetchRequest("Page")) {
                    let isLast = page.objectID.uriRepresentation.lastPathComponent == "p3"
                    try page.setObject(isLast ? nil : books[0], forKey: "book")
                }
            }, options: { $0.allowsDrop = true }, problems: ["Book.pages 1 migration.drop"],
            lines: [
                "Book/p1 pages=Page/p1,Page/p2", "Book/p2", "Page/p1 book=Book/p1", "Page/p2 book=Book/p1", "Page/p3",
            ]),
        Case(
            name: "A to-one without an inverse becomes a to-many with one: a member has one owner",
            old: oneWay,
            new: [
                EntityDescription("Book", [.toOne("page", "Page", inverse: "book")]),
                EntityDescription("Page", [.toMany("book", "Book", inverse: "page")]),
            ], fill: references, options: { $0.allowsDrop = true }, problems: ["Page.book 1 migration.drop"],
            lines: [
                "Book/p1 page=Page/p1", "Book/p2 page=Page/p3", "Page/p1 book=Book/p1", "Page/p2",
                "Page/p3 book=Book/p2",
            ]),
        Case(
            name: "A to-one gets a to-one inverse: one reference to an object stays",
            old: oneWay,
            new: [
                EntityDescription("Book", [.toOne("page", "Page", inverse: "book")]),
                EntityDescription("Page", [.toOne("book", "Book", inverse: "page")]),
            ], fill: references, options: { $0.allowsDrop = true }, problems: ["Page.book 1 migration.drop"],
            lines: [
                "Book/p1 page=Page/p1", "Book/p2 page=Page/p3", "Page/p1 book=Book/p1", "Page/p2",
                "Page/p3 book=Book/p2",
            ]),
        Case(
            name: "An ordered many-to-many becomes an ordered one-to-many in its order",
            old: [
                EntityDescription("Book", [.toMany("pages", "Page", inverse: "books", .ordered)]),
                EntityDescription("Page", [.toMany("books", "Book", inverse: "pages")]),
            ],
            new: [
                EntityDescription("Book", [.toMany("pages", "Page", inverse: "books", .ordered)]),
                EntityDescription("Page", [.toOne("books", "Book", inverse: "pages")]),
            ],
            fill: { context in
                let books = try (0..<2).map { _ in try context.insert(into: "Book") }
                try context.save()
                var pages: [ManagedObject] = []
                for _ in 0..<3 {
                    pages.append(try context.insert(into: "Page"))
                    try context.save()
                }
                try books[0].setObjects([pages[2], pages[0]], forKey: "pages")
                try books[1].setObjects([pages[2], pages[1]], forKey: "pages")
            }, options: { $0.allowsDrop = true }, problems: ["Book.pages 1 migration.drop"],
            lines: [
                "Book/p1 pages=Page/p3,Page/p1", "Book/p2 pages=Page/p2", "Page/p1 books=Book/p1",
                "Page/p2 books=Book/p2",
                "Page/p3 books=Book/p1",
            ]),
        Case(
            name: "A new required to-many whose inverse has the links is complete",
            old: oneWay,
            new: [
                EntityDescription("Book", [.toMany("pages", "Page", inverse: "book", .required, .count(1, 0))]),
                EntityDescription("Page", [.toOne("book", "Book", inverse: "pages")]),
            ], fill: references,
            lines: [
                "Book/p1 pages=Page/p1,Page/p2", "Book/p2 pages=Page/p3", "Page/p1 book=Book/p1",
                "Page/p2 book=Book/p1",
                "Page/p3 book=Book/p2",
            ]),
        Case(
            name: "Equal default values break a uniqueness constraint that is not new",
            old: [EntityDescription("Book", [.attribute("title", .string)], unique: [["title"]])],
            new: [
                EntityDescription(
                    "Book", [.attribute("title", .string, .required, .defaultValue("none"))], unique: [["title"]])
            ],
            fill: { context in for _ in 0..<2 { _ = try context.insert(into: "Book") } },
            options: { $0.duplicateRules = ["Book": .first] }, problems: ["Book.title 1 unique.duplicate"],
            lines: ["Book/p1 title=string(\"none\")"]),
        Case(
            name: "A value of a subentity goes before that of its superentity",
            old: [
                EntityDescription("Book", [.attribute("title", .string)]),
                EntityDescription("Novel", [], superentity: "Book"),
            ],
            new: [
                EntityDescription("Book", [.attribute("title", .string, .required)]),
                EntityDescription("Novel", [], superentity: "Book"),
            ],
            fill: { context in
                _ = try context.insert(into: "Book")
                try context.save()
                _ = try context.insert(into: "Novel")
            }, options: { $0.fills = ["Book.title": "base", "Novel.title": "sub"] },
            problems: ["Book.title 1 value.missing", "Novel.title 1 value.missing"],
            lines: ["Book/p1 title=string(\"base\")", "Novel/p2 title=string(\"sub\")"]),
        Case(
            name: "The time of the last save stays",
            old: [book(.attribute("saved", .date, .derived("now()")), .attribute("title", .string))],
            new: [
                book(
                    .attribute("saved", .date, .derived("now()")), .attribute("name", .string, .renamed(from: "title")))
            ],
            fill: { try $0.insert(into: "Book").setValue("A", forKey: "title") }, lines: []),
    ]

    @Test func `The report names the objects that a rule drops`() throws {
        let item = Self.unique[1]
        let bench = try MigrationBench(item.old, item.fill)
        let report = try bench.migrate(to: item.new, item.options)
        // The last one of p1, p3 and p4 stays.
        #expect(report.problems.map(\.objects) == [["Book/p1", "Book/p3"]])
        #expect(report.problems.first?.message.hasPrefix("2 objects were dropped") == true)
        let dry = try MigrationBench(item.old, item.fill).migrate(to: item.new) {
            item.options(&$0)
            $0.isDryRun = true
        }
        #expect(dry.problems.first?.message.hasPrefix("2 objects would be dropped") == true)
    }

    @Test(arguments: attributes + unique + relationships + lostLinks)
    func objects(_ item: Case) throws {
        let bench = try MigrationBench(item.old, item.fill)
        if !item.problems.isEmpty { #expect(try bench.problems(to: item.new) == item.problems) }
        let report = try bench.migrate(to: item.new, item.options)
        if item.lines.isEmpty {
            // A value that is not known before.
            let kept = try bench.lines(item.old, at: URL(filePath: try #require(report.backup)))
            let moved = try bench.lines(item.new).map { $0.replacing("name=", with: "title=") }
            #expect(
                Set(try #require(moved.first).split(separator: " "))
                    == Set(try #require(kept.first).split(separator: " ")))
        } else {
            #expect(try bench.lines(item.new) == item.lines)
        }
        #expect(
            report.problems.isEmpty
                == (item.problems.isEmpty || !item.problems[0].hasSuffix("drop") && report.problems.isEmpty))
        // The old store is kept as it was.
        let backup = URL(filePath: try #require(report.backup))
        #expect(try bench.lines(item.old, at: backup).count >= item.lines.count)
    }
}
