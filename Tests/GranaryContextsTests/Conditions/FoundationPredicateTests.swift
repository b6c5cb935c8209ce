import Foundation
import GranaryBase
import GranaryContexts
import GranaryPredicates
import StoreTestSupport
import Testing

/// Predicates of Foundation's macro.
@Suite("Predicates of Foundation") struct FoundationPredicateTests {
    typealias Book = Library.Book
    typealias Person = Library.Person
    typealias Author = Library.Author
    // swift-format-ignore: NeverForceUnwrap
    private static var unwrapping: Predicate<Book> { #Predicate { $0.author!.name == "Ann" } }

    /// Each predicate with the text of its translation.
    private static func cases() -> [(Predicate<Book>, String)] {
        let (name, missing, years, range): (String?, String?, [Int32], ClosedRange<Int32>) = ("Ann", nil, [1900], 1...2)
        return [
            (#Predicate { $0.title == "A" }, "title == \"A\""), (#Predicate { $0.title != "A" }, "title != \"A\""),
            (#Predicate { $0.title < "b" }, "title < \"b\""), (#Predicate { $0.year >= 1900 }, "year >= 1900"),
            (#Predicate { $0.year <= 1900 && $0.year > 1800 }, "year <= 1900 AND year > 1800"),
            (
                #Predicate { $0.title.starts(with: "A") || $0.title.contains("b") },
                "title BEGINSWITH \"A\" OR title CONTAINS \"b\""
            ),
            (#Predicate { $0.isLent && !$0.title.isEmpty }, "isLent == 1 AND (NOT title == \"\")"),
            (#Predicate { $0.isLent == false }, "isLent == 0"), (#Predicate { _ in true }, "TRUEPREDICATE"),
            (#Predicate { $0.remark == nil }, "note == nil"), (#Predicate { $0.author == nil }, "author == nil"),
            (#Predicate { $0.subtitle == name }, "subtitle == \"Ann\""),
            (#Predicate { $0.subtitle == missing }, "subtitle == nil"),
            (#Predicate { $0.author?.name == name }, "author.name == \"Ann\""),
            (unwrapping, "author.name == \"Ann\""),
            (#Predicate { $0.author.flatMap { $0.age } == 20 }, "author.age == 20"),
            (
                #Predicate { ($0.author?.age ?? 0) > 20 },
                "TERNARY(author.age != nil, author.age, 0) > 20"
            ),
            (#Predicate { $0.subtitle?.contains("s") ?? false }, "subtitle != nil AND subtitle CONTAINS \"s\""),
            (#Predicate { $0.subtitle?.isEmpty ?? true }, "subtitle == nil OR subtitle == \"\""),
            (
                #Predicate { $0.subtitle?.isEmpty ?? $0.isLent },
                "(subtitle != nil AND subtitle == \"\") OR (subtitle == nil AND isLent == 1)"
            ),
            (
                #Predicate { if let author = $0.author { author.age == 20 } else { false } },
                "author != nil AND author.age == 20"
            ),
            (#Predicate { (1900...1950).contains($0.year) }, "year BETWEEN {1900, 1950}"),
            (#Predicate { range.contains($0.year) }, "year BETWEEN {1, 2}"),
            (#Predicate { (1900..<1950).contains($0.year) }, "year >= 1900 AND year < 1950"),
            (#Predicate { years.contains($0.year) }, "year IN {1900}"),
            (#Predicate { $0.pages + 1 > 5 }, "pages + 1 > 5"),
            (#Predicate { $0.pages * 2 - 1 == 5 }, "(pages * 2) - 1 == 5"),
            (#Predicate { $0.pages / 2 == 1 }, "pages / 2 == 1"),
            (#Predicate { $0.pages % 2 == 1 }, "modulus:by:(pages, 2) == 1"),
            (#Predicate { $0.rating / 2 > 0.5 }, "rating / 2.0 > 0.5"), (#Predicate { -$0.pages < 3 }, "0 - pages < 3"),
            (#Predicate { ($0.isLent ? $0.pages : 2) == 2 }, "TERNARY(isLent == 1, pages, 2) == 2"),
            (#Predicate { $0.chapters.count > 2 }, "chapters.@count > 2"),
            (#Predicate { $0.readers.isEmpty }, "readers.@count == 0"),
            (
                #Predicate { $0.chapters.contains { $0.pages > 5 && $0.title == "A" } },
                "SUBQUERY(chapters, $x1, $x1.pages > 5 AND $x1.title == \"A\").@count > 0"
            ),
            (
                #Predicate { $0.readers.allSatisfy { $0.name != nil } },
                "SUBQUERY(readers, $x1, NOT $x1.name != nil).@count == 0"
            ),
            (
                #Predicate { book in book.chapters.filter { $0.pages < book.pages }.count == 1 },
                "SUBQUERY(chapters, $x1, $x1.pages < pages).@count == 1"
            ),
            (#Predicate { $0.shelf.room == "A" }, "shelf.room == \"A\""),
            (
                #Predicate { $0.chapters.contains { $0.book?.readers.contains { $0.age == 20 } ?? false } },
                "SUBQUERY(chapters, $x1, $x1.book != nil AND SUBQUERY($x1.book.readers, $x2, $x2.age == 20).@count > 0).@count > 0"
            ),
        ]
    }

    @Test("Each expression has its translation, which finds what the predicate finds", arguments: StoreFactory.kinds)
    func translations(_ factory: StoreFactory) throws {
        let context = try Library.container(factory).makeContext()
        try Library.fill(context, seed: 5)
        for (predicate, text) in Self.cases() {
            let translated = try ObjectPredicate(predicate)
            #expect(translated.description == text)
            let found = try context.fetch(FetchRequest(Book.self, where: translated))
            #expect(try context.fetch(Book.self, where: text) == found, "\(text)")
        }
    }

    @Test("Objects are compared by their IDs", arguments: StoreFactory.kinds)
    func objectIDs(_ factory: StoreFactory) throws {
        let context = try Library.container(factory).makeContext()
        try Library.fill(context, seed: 5)
        let author = try #require(try context.first(Author.self) { $0.books.count > 0 })
        let id = author.objectID
        let books = try context.fetch(Book.self) { $0.author == author }
        let predicate = try ObjectPredicate(#Predicate<Book> { $0.author?.objectID == id })
        #expect(try context.fetch(FetchRequest(Book.self, where: predicate)) == books && !books.isEmpty)
        #expect(try predicate == ObjectPredicate(Book.self) { $0.author == id })
        let ids = [id]
        let same = try ObjectPredicate(#Predicate<Author> { ids.contains($0.objectID) })
        #expect(try context.fetch(FetchRequest(Author.self, where: same)) == [author])
    }

    /// Swift's own values differ from the store's where a required property is NULL, so those books have all values.
    @Test("Foundation evaluates it alike")
    func evaluation() throws {
        let context = try Library.container(.inMemory).makeContext()
        try Library.fill(context, seed: 6)
        let books = try context.fetch(Book.self) {
            $0.year != nil && $0.pages != nil && $0.rating != nil && $0.isLent != nil
                && $0.chapters.all { $0.pages != nil }
                && $0.author != nil
        }
        #expect(books.count > 3)
        for (predicate, text) in Self.cases() {
            let translated = try ObjectPredicate(predicate)
            for book in books {
                #expect(try predicate.evaluate(book) == translated.evaluate(with: book), "\(text)")
            }
        }
    }

    @Test("What has no translation is an error that names the expression")
    func refusals() throws {
        let years: [Int32] = [1]
        let cases: [(Predicate<Book>, String)] = [
            (#Predicate { $0.title.count > 2 }, "count"), (#Predicate { years.max()! > $0.year }, "SequenceMaximum"),
            (#Predicate { ($0.editor as? Author) != nil }, "ConditionalCast"),
            (#Predicate { $0.editor is Author }, "TypeCheck"),
        ]
        for (predicate, name) in cases {
            let error = #expect(throws: GranaryError.self) { try ObjectPredicate(predicate) }
            #expect(error?.code == .usage && error?.message.contains(name) == true, "\(error?.message ?? "")")
        }
    }
}
