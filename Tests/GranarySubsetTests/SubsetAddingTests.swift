import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryImport
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranarySubset

/// Objects of a subset that are added to a store that exists.
@Suite struct SubsetAddingTests {
    private let folder: TemporaryFolder
    private let source: PersistentContainer
    private let target: PersistentContainer

    /// Authors and genres have unique names; books have none. The pages of a book are ordered.
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Author",
            [.attribute("name", .string), .attribute("town", .string), .toMany("books", "Book", inverse: "author")],
            unique: [["name"]]),
        EntityDescription(
            "Genre", [.attribute("name", .string), .toMany("books", "Book", inverse: "genres")], unique: [["name"]]),
        EntityDescription(
            "Book",
            [
                .attribute("title", .string), .toOne("author", "Author", inverse: "books"),
                .toMany("genres", "Genre", inverse: "books"), .toMany("pages", "Page", inverse: "book", .ordered),
            ]),
        EntityDescription("Page", [.attribute("text", .string), .toOne("book", "Book", inverse: "pages")]),
    ])

    init() async throws {
        folder = try TemporaryFolder()
        source = try PersistentContainer(
            model: Self.model, store: .sqlite(folder.url.appending(path: "S.sqlite")))
        target = try PersistentContainer(
            model: Self.model, store: .sqlite(folder.url.appending(path: "T.sqlite")))
        try Self.fill(source, town: "Old", books: ["A", "B", "C"])
        try Self.fill(target, town: "New", books: ["Z"])
    }

    /// Ann and her books, of the genres Crime and the book's own; each with the pages 2 and 1, in this order.
    private static func fill(_ container: PersistentContainer, town: String, books: [String]) throws {
        let context = container.makeContext()
        func insert(_ entity: String, _ attribute: String, _ value: String) throws -> ManagedObject {
            let object = try context.insert(into: entity)
            try object.setValue(.string(value), forKey: attribute)
            return object
        }
        let author = try insert("Author", "name", "Ann")
        try author.setValue(.string(town), forKey: "town")
        let crime = try insert("Genre", "name", "Crime")
        for title in books {
            let book = try insert("Book", "title", title)
            try book.setObject(author, forKey: "author")
            try book.setObjects([crime, insert("Genre", "name", "Of \(title)")], forKey: "genres")
            let first = try insert("Page", "text", "\(title)1")
            try book.setObjects([insert("Page", "text", "\(title)2"), first], forKey: "pages")
        }
        try context.save()
    }

    private func add(
        _ condition: String, _ onConflict: SubsetOptions.ConflictPolicy,
        _ change: (inout SubsetOptions) -> Void = { _ in }
    ) async throws -> SubsetAddition {
        var options = SubsetOptions()
        options.selections = [.init("Book", where: try ObjectPredicate(condition))]
        options.followed = [.init("Book.genres"), .init("Book.pages")]
        // There are fewer books than genres.
        options.smallTableLimit = 0
        change(&options)
        return try await Subset(options: options).run(
            store: folder.url.appending(path: "S.sqlite"), into: target, onConflict: onConflict)
    }

    /// `A by Ann of Old: Crime, Of A; A2 A1`
    private func books(_ container: PersistentContainer) throws -> [String] {
        let context = container.makeContext()
        func text(_ object: ManagedObject?, _ key: String) throws -> String {
            guard case .string(let text)? = try object?.value(forKey: key) else { return "nobody" }
            return text
        }
        return try context.fetch(FetchRequest("Book")).map { book in
            let author = try book.object(forKey: "author")
            let genres = try book.objects(forKey: "genres").map { try text($0, "name") }.sorted()
            let pages = try book.objects(forKey: "pages").map { try text($0, "text") }
            return try "\(text(book, "title")) by \(text(author, "name")) of \(text(author, "town")): "
                + "\(genres.joined(separator: ", ")); \(pages.joined(separator: " "))"
        }.sorted()
    }

    private func count(_ entity: String) throws -> Int {
        try target.makeContext().count(for: FetchRequest(entity))
    }

    @Test func objectsWithEqualUniqueValuesStandForTheOthers() async throws {
        let added = try await add("title IN {'A', 'B'}", .skip)
        let found = try books(target)
        #expect(
            found == [
                "A by Ann of New: Crime, Of A; A2 A1", "B by Ann of New: Crime, Of B; B2 B1",
                "Z by Ann of New: Crime, Of Z; Z2 Z1",
            ], "\(found)")
        #expect(added.subset.count == 10)
        // Books, pages and two genres; Ann and Crime were there.
        #expect(added.imported.created == 8 && added.imported.skipped == 2, "\(added.imported.ledger)")
        #expect(try count("Author") == 1 && count("Genre") == 4)
        #expect(try names(folder.url).allSatisfy { !$0.contains(".partial") })
    }

    @Test func aConflictIsAnErrorThatNamesTheObjectAndNothingIsAdded() async throws {
        let before = try books(target)
        let error = await #expect(throws: GranaryError.self) { try await add("title == 'A'", .error) }
        #expect(error?.code == .refused)
        let texts = error?.diagnostics.map(\.description) ?? []
        #expect(
            texts.contains {
                $0.hasPrefix("error: Author.name: Author/p1: an object with this name is in the store already")
            },
            "\(texts)")
        #expect(texts.allSatisfy { !$0.contains("ndjson") && !$0.contains("subset of") }, "\(texts)")
        #expect(try books(target) == before)
        #expect(try names(folder.url).allSatisfy { !$0.contains(".partial") })
    }

    @Test func addingTwiceAddsObjectsWithoutUniqueValuesTwice() async throws {
        _ = try await add("title == 'A'", .skip)
        _ = try await add("title == 'A'", .skip)
        #expect(try books(target).filter { $0 == "A by Ann of New: Crime, Of A; A2 A1" }.count == 2)
        #expect(try count("Page") == 6)
    }

    @Test func valuesAreReplacedBeforeTheyAreCompared() async throws {
        let added = try await add("title == 'A'", .error) {
            $0.anonymisesAllText = true
            $0.randomSeed = 7
        }
        #expect(added.imported.created == 6 && added.imported.skipped == 0)
        #expect(try count("Author") == 2)
        #expect(try books(target).allSatisfy { !$0.contains("of Old") })
        // The same number gives the same replacements.
        let again = try await add("title == 'A'", .skip) {
            $0.anonymisesAllText = true
            $0.randomSeed = 7
        }
        #expect(again.imported.skipped == 3)
        #expect(try count("Author") == 2)
    }

    @Test func nothingChosenIsNothingAdded() async throws {
        let added = try await add("title == 'none'", .error)
        #expect(added.imported.created == 0 && added.subset.count == 0)
        #expect(try books(target).count == 1)
    }

    /// The item is in a box of the target already: in the store it stays there.
    @Test(arguments: [false, true])
    func anObjectThatStaysAsItIsStaysInItsList(isOrdered: Bool) async throws {
        var items = RelationshipDescription(name: "items", destination: "Item", inverse: "box")
        (items.maxCount, items.isOrdered) = (0, isOrdered)
        let model = ManagedObjectModel(
            entities: [
                EntityDescription("Box", [.attribute("name", .string), .toMany("items", "Item", inverse: "box")]),
                EntityDescription(
                    "Item", [.attribute("name", .string), .toOne("box", "Box", inverse: "items")], unique: [["name"]]),
            ].map { entity in
                var entity = entity
                if entity.name == "Box" { entity.relationships = [items] }
                return entity
            })
        let urls = ["One.sqlite", "Two.sqlite"].map { folder.url.appending(path: $0) }
        for (url, names) in zip(urls, [["a", "shared", "b"], ["shared", "c"]]) {
            let context = try PersistentContainer(model: model, store: .sqlite(url)).makeContext()
            let box = try context.insert(into: "Box")
            try box.setValue(.string(url.lastPathComponent), forKey: "name")
            try box.setObjects(
                names.map { name in
                    let item = try context.insert(into: "Item")
                    try item.setValue(.string(name), forKey: "name")
                    return item
                }, forKey: "items")
            try context.save()
        }
        var options = SubsetOptions()
        options.selections = [.init("Box"), .init("Item")]
        let container = try PersistentContainer(model: model, store: .sqlite(urls[1]))
        let subset = Subset(options: options)
        guard !isOrdered else {
            // The list says the order, so the member that is elsewhere cannot be left out in silence.
            let error = await #expect(throws: GranaryError.self) {
                try await subset.run(store: urls[0], into: container, onConflict: .skip)
            }
            #expect(
                error?.diagnostics.map(\.description) == [
                    "error: Box.items: Box/p1: the object is already taken by Item/p2 [relationship.taken]"
                ])
            return
        }
        _ = try await subset.run(store: urls[0], into: container, onConflict: .skip)
        let context = container.makeContext()
        var boxes: [String] = []
        for box in try context.fetch(FetchRequest("Box")) {
            let names = try box.objects(forKey: "items").map { try $0.value(forKey: "name") }
            boxes.append(names.map { if case .string(let text)? = $0 { text } else { "" } }.joined(separator: " "))
        }
        #expect(boxes.map { $0.split(separator: " ").sorted() } == [["c", "shared"], ["a", "b"]])
    }

    @Test func theFolderOfAKilledRunIsRemovedByTheNext() async throws {
        let left = folder.url.appending(path: "T.sqlite.subset.\(UUID().uuidString).partial")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: false)
        _ = try await add("title == 'A'", .skip)
        #expect(!FileManager.default.fileExists(atPath: left.path))
    }

    @Test func theLedgerNamesTheSource() async throws {
        _ = try await add("title == 'A'", .skip)
        let sources = try target.withStore { $0.importLedger.runs.last?.sources.map(\.name) }
        #expect(sources?.contains { $0.hasPrefix("subset of ") && $0.hasSuffix("S.sqlite, Author") } == true)
    }

    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }
}
