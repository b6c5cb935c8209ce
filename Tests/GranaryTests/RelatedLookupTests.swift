import Foundation
import Granary
import Synchronization
import TestSupport
import Testing

/// Conditions on the object of a to-one relationship.
@Suite("Conditions on an indexed property of a related object") struct RelatedLookupTests {
    private static var model: ManagedObjectModel {
        var author = EntityDescription(
            "Author",
            [.attribute("name", .string), .attribute("city", .string), .toMany("books", "Book", inverse: "author")])
        author.uniquenessConstraints = [["name"]]
        let book = EntityDescription(
            "Book", [.attribute("title", .string), .toOne("author", "Author", inverse: "books")])
        return ManagedObjectModel(entities: [author, book])
    }

    private final class Log: PersistentContainerObserver {
        private let list = Mutex<[String]>([])

        var statements: [String] { list.withLock { $0 } }

        func didExecute(_ statement: ExecutedStatement) { list.withLock { $0.append(statement.sql) } }
    }

    private static func titles(_ format: String, _ store: StoreLocation, _ log: Log? = nil) throws -> [String] {
        let container = try PersistentContainer(model: model, store: store, observer: log)
        let context = container.makeContext()
        for name in ["Ann", "Anton", "Bob", nil] as [String?] {
            let author = try context.insert(into: "Author")
            try author.setValue(name.map { .string($0) }, forKey: "name")
            try author.setValue("Rome", forKey: "city")
            let book = try context.insert(into: "Book")
            try book.setValue(.string("by \(name ?? "nobody")"), forKey: "title")
            try book.setObject(author, forKey: "author")
        }
        try context.insert(into: "Book").setValue("without", forKey: "title")
        try context.save()
        let request = FetchRequest("Book", where: try ObjectPredicate(format: format))
        return try container.makeContext().fetch(request).map { try $0.string(forKey: "title") ?? "" }.sorted()
    }

    @Test(
        "SQLite looks the object up if the condition needs one",
        arguments: [
            ("author.name == 'Ann'", true), ("author.name IN {'Ann', 'Bob'}", true), ("author.name > 'Anm'", true),
            ("author.name BEGINSWITH 'An'", true), ("author.name BETWEEN {'A', 'B'}", true),
            ("NOT author.name == 'Ann'", true), ("author.name != 'Ann'", false), ("author.name == NULL", false),
            ("author.name ==[c] 'ann'", false), ("author.city == 'Rome'", false),
            ("author.name == 'Ann' OR title == 'without'", true),
        ])
    func lookups(_ format: String, isLookup: Bool) throws {
        let folder = try TemporaryFolder()
        let log = Log()
        let found = try Self.titles(format, .sqlite(folder.url.appending(path: "a.sqlite")), log)
        #expect(try found == Self.titles(format, .inMemory))
        #expect(log.statements.contains { $0.contains("ZAUTHOR IN (SELECT") } == isLookup)
    }
}
