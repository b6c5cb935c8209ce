import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing

/// Fetches with conditions and orders in Swift, and the key paths of classes.
@Suite("Fetches with conditions in Swift") struct TypedFetchTests {
    typealias Book = Library.Book
    typealias Person = Library.Person
    typealias FamousAuthor = Library.FamousAuthor
    typealias Plain = Library.Plain
    typealias Author = Library.Author
    private static func context(_ factory: StoreFactory) throws -> ManagedObjectContext {
        let context = try Library.container(factory).makeContext()
        try Library.fill(context, seed: 4)
        return context
    }

    @Test("Orders, limits and offsets", arguments: StoreFactory.kinds)
    func orders(_ factory: StoreFactory) throws {
        let context = try Self.context(factory)
        func fetch(_ sort: String, limit: Int = 0, offset: Int = 0) throws -> [Book] {
            try context.fetch(Book.self, where: "year > 1900", sort: sort, limit: limit, offset: offset)
        }
        let byTitle = try context.fetch(Book.self, sort: [.sort(\.title)], limit: 5, offset: 1) { $0.year > 1900 }
        #expect(try byTitle == fetch("title", limit: 5, offset: 1) && byTitle.count == 5)
        let byAuthor = try context.fetch(
            Book.self, sort: [.sort(\.author.name), .sort(\.chapters.count, ascending: false), .sort(\.shelf.spot.x)]
        ) { $0.year > 1900 }
        #expect(try byAuthor == fetch("author.name,chapters.@count:desc,shelf.spot.x"))
        #expect(try context.fetch(Book.self, sort: [.sort(\.year)]) == context.fetch(Book.self, sort: "year"))
        #expect(
            try context.first(Book.self, sort: [.sort(\.title, ascending: false)]) { $0.year > 1900 }
                == fetch("title:desc", limit: 1).first)
        #expect(try context.first(Book.self) { $0.year > 3000 } == nil)
        #expect(try context.count(Book.self) { $0.year > 1900 } == fetch("title").count)
        var titles: [String] = []
        try context.enumerate(Book.self, sort: [.sort(\.title)], where: { $0.year > 1900 }) { titles.append($0.title) }
        #expect(try titles == fetch("title").map(\.title))
    }

    @Test("A request that is made step by step", arguments: StoreFactory.kinds)
    func requests(_ factory: StoreFactory) throws {
        let context = try Self.context(factory)
        let author = try #require(try context.first(Author.self) { $0.books.count > 0 })
        let base = FetchRequest(Book.self)
        let request = try base.where { $0.author == author || $0.chapters.any { $0.pages > 10 } }
            .where(try ObjectPredicate("year != nil")).sort(\.title).sort(\.year, ascending: false)
            .limit(10).offset(1)
        #expect(base.predicate == nil && base.sortDescriptors.isEmpty)
        #expect(request.fetchLimit == 10 && request.fetchOffset == 1)
        #expect(
            request.sortDescriptors == [ObjectSortDescriptor("title"), ObjectSortDescriptor("year", ascending: false)])
        let expected = try context.fetch(
            Book.self,
            where: "(author == %@ OR SUBQUERY(chapters, $c, $c.pages > 10).@count > 0) AND year != nil", author,
            sort: "title,year:desc", limit: 10, offset: 1)
        #expect(try context.fetch(request) == expected && !expected.isEmpty)
        let insensitive = try base.sort(\.title, comparison: .caseInsensitive)
        #expect(insensitive.sortDescriptors == [ObjectSortDescriptor("title", comparison: .caseInsensitive)])
    }

    private static func named<Some: Person>(_ type: Some.Type, _ name: String) throws -> ObjectPredicate {
        try ObjectPredicate(type) { $0.name == name && $0.age > 20 }
    }

    @Test("Inherited properties have their names in every subclass, also in generic code")
    func inheritance() throws {
        let text = "name == \"Ann\" AND age > 20"
        #expect(try ObjectPredicate(Person.self) { $0.name == "Ann" && $0.age > 20 }.description == text)
        #expect(try ObjectPredicate(Author.self) { $0.name == "Ann" && $0.age > 20 }.description == text)
        #expect(try ObjectPredicate(FamousAuthor.self) { $0.name == "Ann" && $0.age > 20 }.description == text)
        for predicate in [
            try Self.named(Person.self, "Ann"), try Self.named(Author.self, "Ann"),
            try Self.named(FamousAuthor.self, "Ann"),
        ] {
            #expect(predicate.description == text)
        }
        #expect(try ObjectPredicate(FamousAuthor.self) { $0.books.count > 1 }.description == "books.@count > 1")
        let wrong = #expect(throws: GranaryError.self) { try ObjectPredicate(Plain.self) { $0.name == "Ann" } }
        #expect(
            wrong?.message
                == "Plain.propertyNames is empty, so its key paths have no names in the model; generate the class again with "
                + "`granary model code`, or override `propertyNames` in a class that you write")
    }

    @Test("A property that is not in the model is an error that names the class")
    func unknownProperties() throws {
        let context = try Library.container(.inMemory).makeContext()
        let uses: [() throws -> Void] = [
            { _ = try ObjectPredicate(Book.self) { $0.isOld == true } },
            { _ = try ObjectPredicate(Book.self) { $0.title == "A" || $0.author.books.any { $0.isOld == true } } },
            { _ = try context.fetch(Book.self, sort: [.sort(\.isOld)]) },
            { _ = try FetchRequest(Book.self).sort(\.author.books.count).where { $0.isOld != false } },
            { _ = try ObjectPredicate(#Predicate<Book> { $0.isOld }) },
            { _ = try ObjectSortDescriptor(SortDescriptor(\Book.year.description)) },
        ]
        for (number, use) in uses.enumerated() {
            let error = #expect(throws: GranaryError.self, "\(number)") { try use() }
            #expect(
                error?.code == .usage && error?.message.hasPrefix("Book.propertyNames has no name") == true, "\(number)"
            )
        }
        let calculated: [() throws -> Void] = [
            { _ = try ObjectPredicate(Book.self) { $0.chapters.max(\.title.length) > 3 } },
            { _ = try FetchRequest(Book.self).sort(\.title.length) },
        ]
        for use in calculated {
            let error = #expect(throws: GranaryError.self) { try use() }
            #expect(error?.code == .usage && error?.message.contains("length:(title)") == true)
        }
        #expect(throws: CancellationError.self) {
            try ObjectPredicate(Book.self) { _ in throw CancellationError() }
        }
    }

    @Test("Foundation's SortDescriptor")
    func sortDescriptors() throws {
        #expect(
            try ObjectSortDescriptor(SortDescriptor(\Book.remark, order: .reverse))
                == ObjectSortDescriptor("note", ascending: false))
        #expect(
            try ObjectSortDescriptor(SortDescriptor(\Author.name, comparator: .lexical, order: .reverse))
                == ObjectSortDescriptor("name", ascending: false))
    }
}
