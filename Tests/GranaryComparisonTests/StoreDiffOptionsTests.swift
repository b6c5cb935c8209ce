import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import Testing
@testable import GranaryComparison
@testable import SeedingTestSupport

/// Keys and ignored properties.
@Suite struct StoreDiffOptionsTests {
    private static let model = {
        var model = ManagedObjectModel(entities: entities)
        model.composites = [
            CompositeDescription(
                name: "Size",
                elements: ["width", "height"].map { AttributeDescription(name: $0, type: .integer16) })
        ]
        return model
    }()

    private static let entities = [
        EntityDescription(
            "Author", [.attribute("name", .string), .attribute("age", .integer16)], unique: [["name"]]),
        EntityDescription("Book", [.attribute("name", .string), .toOne("author", "Author", inverse: nil)]),
        EntityDescription(
            "Page",
            [
                .attribute("number", .integer16), .toOne("book", "Book", inverse: nil),
                .toMany("lines", "Line", inverse: "page"),
            ]),
        EntityDescription("Line", [.toOne("page", "Page", inverse: "lines")]),
        EntityDescription("Novel", [.attribute("size", .composite, .composite("Size"))], superentity: "Book"),
    ]

    private static func store(_ name: String, keys: [Int64], height: AttributeValue = 2) throws -> InMemoryStore {
        let store = try ExportSamples.store(model)
        try ExportSamples.insert("Author", 1, ["name": .string(name), "age": 50], into: store)
        for (key, title) in zip(keys, ["A", "B"] as [AttributeValue]) {
            try ExportSamples.insert("Book", key, ["name": title], to: ["author": ("Author", 1)], into: store)
        }
        try ExportSamples.insert("Novel", 9, ["name": "C", "size.height": height], into: store)
        return store
    }

    private static let keys: [(named: [String: [String]], shared: [[String]], lines: [String])] = [
        (
            [:], [],
            [
                "onlyInA Author/p1", "onlyInB Author/p1", "changed Book/p1: name author",
                "changed Book/p2: name author",
            ]
        ),
        (
            ["Author": ["$id"]], [],
            ["changed Author/p1: name", "changed Book/p1: name", "changed Book/p2: name"]
        ),
        (["Author": ["$id"]], [["name"]], ["changed Author/p1: name"]),
        (["Author": ["$id"], "Book": ["name"]], [], ["changed Author/p1: name"]),
        ([:], [["age"]], ["changed Author/p1: name", "changed Book/p1: name", "changed Book/p2: name"]),
        // The first key that an entity has.
        ([:], [["age"], ["name"]], ["changed Author/p1: name"]),
        ([:], [["$id"]], ["changed Author/p1: name", "changed Book/p1: name", "changed Book/p2: name"]),
    ]

    @Test(arguments: keys.indices)
    func `A key pairs the objects of one entity, or of all that have it`(_ index: Int) throws {
        var options = StoreDiffOptions()
        (options.keys, options.sharedKeys) = (Self.keys[index].named, Self.keys[index].shared)
        let run = try DiffRun.of(Self.store("Ann", keys: [1, 2]), Self.store("Anna", keys: [2, 1]), options)
        #expect(run.lines == Self.keys[index].lines)
    }

    private static let mistakes: [(keys: [String: [String]], shared: [[String]], ignored: [String], message: String)] =
        [
            ([:], [["nme"]], [], "the key nme: no entity has the property \"nme\"; did you mean \"name\"?"),
            ([:], [["age", "number"]], [], "the key age,number: no entity has all of these properties"),
            (
                ["Author": ["$id", "name"]], [], [],
                "the key of Author: $id pairs objects alone, without other properties"
            ),
            (
                ["Page": ["number", "lines"]], [], [],
                "the key of Page: \"lines\" is a to-many relationship; a key has attributes and to-one relationships only"
            ),
            (
                ["Page": ["number", "book"], "Line": ["page"]], [], [],
                "the key of Line: \"page\" refers to Page, whose own key contains a relationship"
            ),
            (
                ["Page": ["nmber"]], [], [],
                "the key of Page: \"nmber\" is not an attribute or a to-one relationship that both models store in Page; "
                    + "did you mean \"number\"?"
            ),
            ([:], [], ["agge"], "the ignored property \"agge\": neither model has it; did you mean \"age\"?"),
            (
                [:], [], ["Author.agge"],
                "the ignored property \"Author.agge\": Author has no property \"agge\"; did you mean \"age\"?"
            ),
            (
                [:], [], ["Authr.age"],
                "the ignored property \"Authr.age\": neither model has it; did you mean \"Author\"?"
            ),
            ([:], [], ["Author.number"], "the ignored property \"Author.number\": Author has no property \"number\""),
        ]

    @Test(arguments: mistakes.indices)
    func `Names that the models do not have are mistakes`(_ index: Int) throws {
        let (keys, shared, ignored, message) = Self.mistakes[index]
        var options = StoreDiffOptions()
        (options.keys, options.sharedKeys, options.ignored) = (keys, shared, ignored)
        let store = try Self.store("Ann", keys: [1, 2])
        let error = try #require(throws: GranaryError.self) { try DiffRun.of(store, store, options) }
        #expect(error.code == .usage && error.message.hasPrefix(message), "\(error.message)")
    }

    /// Books paired by their names, and pages with a number and a book; 0 for no book.
    private static func pages(
        _ books: [String], _ pages: [(key: Int64, number: Int64, book: Int64)]
    ) throws -> InMemoryStore {
        let store = try ExportSamples.store(model)
        for (index, name) in books.enumerated() {
            try ExportSamples.insert("Book", Int64(index + 1), ["name": .string(name)], into: store)
        }
        for page in pages {
            try ExportSamples.insert(
                "Page", page.key, ["number": .integer(page.number)],
                to: page.book == 0 ? [:] : ["book": ("Book", page.book)], into: store)
        }
        return store
    }

    @Test func `A key can contain a to-one relationship, whose destinations must be pairs`() throws {
        let first = try Self.pages(["A", "B"], [(1, 1, 1), (2, 1, 2), (3, 2, 1), (4, 9, 0)])
        let second = try Self.pages(["B", "A"], [(5, 1, 1), (6, 1, 2), (7, 2, 1), (4, 8, 0)])
        var options = StoreDiffOptions()
        options.keys = ["Page": ["number", "book"], "Book": ["name"]]
        let run = try DiffRun.of(first, second, options)
        #expect(run.lines == ["onlyInA Page/p3", "changed Page/p4: number", "onlyInB Page/p7"])
        #expect(run.differences.map(\.object.description) == ["Page 2, \"A\"", "Page/p4", "Page 2, \"B\""])
        #expect(run.summary.warnings.map(\.message).contains { $0.hasPrefix("2 objects have a key (number, book)") })
        // The destinations can be paired by $id.
        options.keys["Book"] = nil
        let identified = try DiffRun.of(first, second, options)
        #expect(identified.counts.contains("Page 3 1 0 0"), "\(identified.counts)")
        #expect(identified.differences.contains { $0.object.description == "Book/p1" })
    }

    private static let ignored: [(names: [String], lines: [String])] = [
        (
            [],
            [
                "changed Author/p1: name", "changed Book/p1: name", "changed Book/p2: name",
                "changed Novel/p9: size.height",
            ]
        ),
        (["Author.name"], ["changed Book/p1: name", "changed Book/p2: name", "changed Novel/p9: size.height"]),
        (["name"], ["changed Novel/p9: size.height"]),
        (["Book.name", "size"], ["changed Author/p1: name"]),
        (["name", "Book.size.height"], []),
        (["name", "Novel.size"], []),
    ]

    @Test(arguments: ignored.indices)
    func `Ignored properties are not compared`(_ index: Int) throws {
        var options = StoreDiffOptions()
        options.keys = ["Author": ["$id"]]
        options.ignored = Self.ignored[index].names
        let run = try DiffRun.of(
            Self.store("Ann", keys: [1, 2]), Self.store("Anna", keys: [2, 1], height: 3), options)
        #expect(run.lines == Self.ignored[index].lines)
        #expect(run.summary.isEqual == Self.ignored[index].lines.isEmpty)
    }

    @Test func `An ignored property that only one model has is no difference`() throws {
        let other = try ExportSamples.store(
            ManagedObjectModel(entities: [
                EntityDescription("Author", [.attribute("name", .string)], unique: [["name"]])
            ]))
        let store = try ExportSamples.store(ManagedObjectModel(entities: [Self.entities[0]]))
        #expect(try !DiffRun.of(store, other).summary.isEqual)
        var options = StoreDiffOptions()
        options.ignored = ["Author.age"]
        #expect(try DiffRun.of(store, other, options).summary.isEqual)
    }

    @Test(arguments: [(count: 5, hints: 1), (count: 4, hints: 0)])
    func `If nearly all objects that $id pairs differ, a note names --key`(_ count: Int, _ hints: Int) throws {
        func store(_ shift: Int) throws -> InMemoryStore {
            let store = try ExportSamples.store(Self.model)
            for key in 1...count {
                let name = AttributeValue.string("book \((key + shift) % count)")
                try ExportSamples.insert("Book", Int64(key), ["name": name], into: store)
            }
            return store
        }
        let run = try DiffRun.of(try store(0), try store(1))
        #expect(run.summary.warnings.map(\.help) == Array(repeating: "--key Book=ATTRIBUTE", count: hints))
        #expect(try DiffRun.of(try store(0), try store(1), keys: ["Book": ["$id"]]).summary.warnings.isEmpty)
        #expect(try DiffRun.of(try store(0), try store(1), keys: ["Book": ["name"]]).summary.isEqual)
    }
}
