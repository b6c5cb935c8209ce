import Foundation
import Granary
import TestSupport
import Testing

/// Fetch requests: predicates, orders and the other options.
@Suite("Fetching") struct FetchingTests {
    private let folder: TemporaryFolder
    private let container: PersistentContainer

    init() throws {
        folder = try TemporaryFolder()
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Book",
                [
                    .attribute("title", .string), .attribute("pages", .integer32),
                    .toOne("shelf", "Shelf", inverse: "books"),
                ]),
            EntityDescription("Novel", [.attribute("genre", .string)], superentity: "Book"),
            EntityDescription("Shelf", [.attribute("name", .string), .toMany("books", "Book", inverse: "shelf")]),
        ])
        container = try PersistentContainer(
            model: model, store: .sqlite(folder.url.appending(path: "Books.sqlite")))
        let context = container.makeContext()
        let shelf = try context.insert(into: "Shelf")
        try shelf.setValue("top", forKey: "name")
        for (title, pages) in [("Émile", 10), ("emily", 20), ("Ada", 30), ("Zoo", 40)] {
            let book = try context.insert(into: title == "Zoo" ? "Novel" : "Book")
            try book.setValue(.string(title), forKey: "title")
            try book.setValue(.integer(Int64(pages)), forKey: "pages")
            try book.setObject(shelf, forKey: "shelf")
        }
        try context.save()
    }

    private static let title = ObjectExpression.keyPath("title")
    private static let pages = ObjectExpression.keyPath("pages")
    private static let selections: [(ObjectPredicate, [String])] = [
        (.between(pages, lower: .constant(20), upper: .constant(30)), ["emily", "Ada"]),
        (.compare(title, .isIn, .list([.constant("Ada"), .constant("Zoo")])), ["Ada", "Zoo"]),
        (
            .compare(title, .beginsWith, .constant("em"), options: [.caseInsensitive, .diacriticInsensitive]),
            ["Émile", "emily"]
        ),
        (
            .or([.compare(title, .equal, .constant("Ada")), .not(.compare(pages, .less, .constant(40)))]),
            ["Ada", "Zoo"]
        ),
        (
            .and([.constant(true), .compare(.keyPath("shelf.name"), .equal, .constant("top"))]),
            ["Émile", "emily", "Ada", "Zoo"]
        ),
    ]

    @Test("Predicates select objects, in the store and in the context", arguments: selections.indices)
    func predicates(index: Int) async throws {
        let (predicate, expected) = Self.selections[index]
        try await container.perform { context in
            var request = FetchRequest("Book", where: predicate)
            request.sortDescriptors = [ObjectSortDescriptor("pages")]
            #expect(try context.fetch(request).map { $0["title"] } == expected.map { .string($0) }, "\(predicate)")
            for book in try context.fetchAll("Book") {
                try book.setValue(.integer((try book.integer(forKey: "pages") ?? 0) + 100), forKey: "pages")
            }
            // The values in the context count.
            #expect(
                try context.count(for: FetchRequest("Book", where: .compare(Self.pages, .less, .constant(100)))) == 0)
        }
    }

    @Test("Orders, limits and offsets")
    func orders() async throws {
        try await container.perform { context in
            var request = FetchRequest("Book")
            #expect(request.entityName == "Book" && request.includesSubentities && request.predicate == nil)
            request.sortDescriptors = [ObjectSortDescriptor("pages", ascending: false)]
            #expect(request.sortDescriptors.first?.keyPath == "pages")
            #expect(request.sortDescriptors.first?.isAscending == false)
            request.fetchOffset = 1
            request.fetchLimit = 2
            func pages() throws -> [Int64?] { try context.fetch(request).map { try $0.integer(forKey: "pages") } }
            #expect(try pages() == [30, 20])
            request.includesSubentities = false
            #expect(try pages() == [20, 10])
            let ids = try context.fetchObjectIDs(request)
            #expect(ids.map(\.entityName) == ["Book", "Book"])
        }
    }

    @Test("Enumeration reads one batch at a time")
    func enumeration() async throws {
        try await container.perform { context in
            var request = FetchRequest("Book")
            request.fetchBatchSize = 2
            request.sortDescriptors = [ObjectSortDescriptor("pages")]
            var titles: [String?] = []
            try context.enumerate(request) { titles.append(try $0.string(forKey: "title")) }
            #expect(titles == ["Émile", "emily", "Ada", "Zoo"])
        }
    }
}
