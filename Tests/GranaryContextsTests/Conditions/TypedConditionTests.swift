import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing

/// Conditions that are written in Swift are the trees of the text form.
@Suite("Conditions in Swift") struct TypedConditionTests {
    typealias Book = Library.Book
    typealias Person = Library.Person
    typealias Author = Library.Author
    typealias Chapter = Library.Chapter
    typealias Case = (build: Build, text: String, arguments: [(any PredicateArgument)?])
    typealias Build = (ObjectFields<Book>) throws -> ObjectPredicate

    static let date = Date(timeIntervalSinceReferenceDate: 100)
    static let decimal = Decimal(12)

    /// Each condition with its text and arguments.
    static var comparisons: [Case] {
        [
            ({ $0.title == "A" }, "title == 'A'", []), ({ $0.title != "A" }, "title != 'A'", []),
            ({ $0.subtitle == nil }, "subtitle == nil", []), ({ $0.subtitle != nil }, "subtitle != nil", []),
            ({ $0.title < "b" }, "title < 'b'", []), ({ $0.title >= "b" }, "title >= 'b'", []),
            ({ $0.remark == "x" }, "note == 'x'", []), ({ $0.year == 1900 }, "year == 1900", []),
            ({ $0.year != 1900 }, "year != 1900", []), ({ $0.year < 1900 }, "year < 1900", []),
            ({ $0.year <= 1900 }, "year <= 1900", []), ({ $0.year > 1900 }, "year > 1900", []),
            ({ $0.year >= 1900 }, "year >= 1900", []), ({ $0.year == nil }, "year == nil", []),
            ({ $0.copies == 2 }, "copies == 2", []), ({ $0.copies < 2 }, "copies < 2", []),
            ({ $0.pages > 5 }, "pages > 5", []), ({ $0.year.between(1900, 1950) }, "year BETWEEN {1900, 1950}", []),
            ({ $0.year.in([1900, 2000]) }, "year IN {1900, 2000}", []),
            ({ $0.title.in(["A", "b"]) }, "title IN %@", [["A", "b"]]),
            ({ $0.title.in(Set(["b", "A"])) }, "title IN {'A', 'b'}", []),
            ({ $0.price == decimal }, "price == %@", [decimal]), ({ $0.price > 5 }, "price > %@", [Decimal(5)]),
            ({ $0.rating > 1 }, "rating > %@", [1.0]), ({ $0.rating == 0.5 }, "rating == 0.5", []),
            ({ $0.weight > 1.5 }, "weight > %@", [Float(1.5)]), ({ $0.isLent == true }, "isLent == YES", []),
            ({ $0.isLent != true }, "isLent != YES", []), ({ $0.isLent == nil }, "isLent == nil", []),
            ({ $0.released == date }, "released == %@", [date]), ({ $0.released < date }, "released < %@", [date]),
            ({ $0.released.between(.distantPast, date) }, "released BETWEEN %@", [[Date.distantPast, date]]),
            ({ $0.bought > 10 }, "bought > %@", [10.0]),
            ({ $0.code == Library.ids[0] }, "code == %@", [Library.ids[0]]),
            ({ $0.code.in(Library.ids) }, "code IN %@", [Library.ids]),
            ({ $0.link == URL(filePath: "/a") }, "link == %@", [URL(filePath: "/a")]),
            ({ $0.cover == Data([1]) }, "cover == %@", [Data([1])]), ({ $0.cover != nil }, "cover != nil", []),
            ({ $0.shelf.room == "A" }, "shelf.room == 'A'", []), ({ $0.shelf.spot.x > 1 }, "shelf.spot.x > %@", [1.0]),
        ]
    }

    static var texts: [Case] {
        [
            ({ $0.title.beginsWith("A") }, "title BEGINSWITH 'A'", []),
            ({ $0.title.beginsWith("a", options: .caseInsensitive) }, "title BEGINSWITH[c] 'a'", []),
            (
                { $0.title.beginsWith("a", options: [.caseInsensitive, .diacriticInsensitive]) },
                "title BEGINSWITH[cd] 'a'", []
            ),
            ({ $0.title.endsWith("c") }, "title ENDSWITH 'c'", []),
            ({ $0.title.contains("b") }, "title CONTAINS 'b'", []),
            ({ $0.subtitle.contains("") }, "subtitle CONTAINS ''", []),
            ({ $0.title.like("A*") }, "title LIKE 'A*'", []),
            ({ $0.title.matches("A.?") }, "title MATCHES 'A.?'", []),
            ({ $0.title.isEqual(to: "a", options: .diacriticInsensitive) }, "title ==[d] 'a'", []),
            ({ $0.title.lowercased() == "abc" }, "lowercase(title) == 'abc'", []),
            ({ $0.title.uppercased() != "ABC" }, "uppercase(title) != 'ABC'", []),
            ({ $0.title.length > 1 }, "length(title) > 1", []),
        ]
    }

    static var fields: [Case] {
        [
            ({ $0.title == $0.subtitle }, "title == subtitle", []),
            ({ $0.title != $0.subtitle }, "title != subtitle", []),
            ({ $0.title < $0.subtitle }, "title < subtitle", []), ({ $0.title >= $0.remark }, "title >= note", []),
            ({ $0.year <= $0.copies.as(Int32.self) }, "year <= copies", []),
            ({ $0.rating > $0.weight.as(Double.self) }, "rating > weight", []),
            ({ $0.year + 50 == 1900 }, "year + 50 == 1900", []), ({ $0.pages * 2 > 10 }, "pages * 2 > 10", []),
            ({ $0.pages - $0.pages / 2 == 2 }, "pages - pages / 2 == 2", []),
            ({ ($0.rating + $0.rating) * $0.rating > 4 }, "(rating + rating) * rating > %@", [4.0]),
        ]
    }

    static var objects: [Case] {
        [
            ({ $0.author == nil }, "author == nil", []), ({ $0.author != nil }, "author != nil", []),
            ({ $0.author.name == "Ann" }, "author.name == 'Ann'", []), ({ $0.author.age > 20 }, "author.age > 20", []),
            ({ $0.author.age == nil }, "author.age == nil", []), ({ $0.editor == $0.editor }, "editor == editor", []),
            ({ $0.author.books.count > 2 }, "author.books.@count > 2", []),
            ({ $0.readers.count == 3 }, "readers.@count == 3", []),
            ({ $0.chapters.isEmpty }, "chapters.@count == 0", []),
            ({ !$0.chapters.isEmpty }, "NOT chapters.@count == 0", []),
            ({ $0.chapters.max(\.pages) > 7 }, "chapters.@max.pages > 7", []),
            ({ $0.chapters.min(\.title) == "A" }, "chapters.@min.title == 'A'", []),
            ({ $0.chapters.sum(\.pages) > 10 }, "chapters.@sum.pages > 10", []),
            ({ $0.chapters.average(\.pages) >= 7 }, "chapters.@avg.pages >= %@", [7.0]),
            ({ $0.author.books.max(\.author.age) == 30 }, "author.books.@max.author.age == 30", []),
            ({ $0.chapters.any { $0.pages > 10 } }, "SUBQUERY(chapters, $x1, $x1.pages > 10).@count > 0", []),
            ({ $0.chapters.all { $0.pages > 5 } }, "SUBQUERY(chapters, $x1, NOT $x1.pages > 5).@count == 0", []),
            ({ $0.readers.none { $0.name == "Ann" } }, "SUBQUERY(readers, $x1, $x1.name == 'Ann').@count == 0", []),
            (
                { $0.chapters.filter { $0.pages > 5 && $0.title != nil }.count >= 2 },
                "SUBQUERY(chapters, $x1, $x1.pages > 5 AND $x1.title != nil).@count >= 2", []
            ),
            (
                { $0.chapters.filter { $0.title == "A" }.max(\.pages) > 5 },
                "SUBQUERY(chapters, $x1, $x1.title == 'A').@max.pages > 5", []
            ),
            (
                { book in book.chapters.any { $0.pages < book.pages && $0.book.title == book.title } },
                "SUBQUERY(chapters, $x1, $x1.pages < pages AND $x1.book.title == title).@count > 0", []
            ),
            (
                { $0.author.books.any { $0.chapters.any { $0.pages == 3 } && $0.readers.count > 1 } },
                "SUBQUERY(author.books, $x1, SUBQUERY($x1.chapters, $x2, $x2.pages == 3).@count > 0 AND "
                    + "$x1.readers.@count > 1).@count > 0", []
            ),
        ]
    }

    static var compounds: [Case] {
        [
            ({ $0.title == "A" && $0.year > 1900 }, "title == 'A' AND year > 1900", []),
            (
                { $0.title == "A" && $0.year > 1900 && $0.copies != nil && $0.isLent == false },
                "title == 'A' AND year > 1900 AND copies != nil AND isLent == NO", []
            ),
            (
                { $0.title == "A" || !($0.year > 1900) && $0.copies == nil },
                "title == 'A' OR (NOT year > 1900 AND copies == nil)", []
            ),
            ({ _ in .constant(true) }, "TRUEPREDICATE", []),
            ({ try $0.year > 1900 && ObjectPredicate("title == 'b'") }, "year > 1900 AND title == 'b'", []),
        ]
    }

    static var all: [Case] { comparisons + texts + fields + objects + compounds }

    @Test("Each condition is the tree of its text")
    func trees() throws {
        for (build, text, arguments) in Self.all {
            let predicate = try ObjectPredicate(Book.self, build)
            #expect(predicate == (try ObjectPredicate(format: text, arguments: arguments)), "\(predicate)")
        }
    }

    @Test("Stores and contexts find the same objects, also by the printed text", arguments: StoreFactory.all)
    func results(_ factory: StoreFactory) throws {
        let container = try Library.container(factory)
        try Library.fill(container.makeContext(), seed: 1)
        let context = container.makeContext()
        let books = try context.fetch(Book.self)
        #expect(books.count == 40)
        var found = 0
        let all = Self.all
        for (build, text, _) in all {
            let predicate = try ObjectPredicate(Book.self, build)
            let expected = try books.filter { try predicate.evaluate(with: $0) }
            let fetched = try context.fetch(Book.self, where: build)
            #expect(fetched == expected, "\(text)")
            #expect(try context.fetch(Book.self, where: predicate.description) == expected, "\(predicate)")
            #expect(try ObjectPredicate(predicate.description).description == predicate.description)
            found += fetched.isEmpty || fetched.count == books.count ? 0 : 1
        }
        // Nearly all conditions select some of the objects.
        #expect(found > all.count * 9 / 10)
    }

    @Test(
        "Random combinations are read again from their text and find the same objects", arguments: [1, 2] as [UInt64])
    func combinations(_ seed: UInt64) throws {
        let context = try Library.container(.sqlitePublished).makeContext()
        try Library.fill(context, seed: seed, books: 20)
        let books = try context.fetch(Book.self)
        var random = SeededGenerator(seed: seed)
        let all = Self.all
        func condition(_ depth: Int) throws -> ObjectPredicate {
            let choice = Int.random(in: 0..<(depth > 3 ? 1 : 4), using: &random)
            switch choice {
            case 0:
                let place = Int.random(in: 0..<all.count, using: &random)
                return try ObjectPredicate(Book.self, all[place].build)
            case 1: return !(try condition(depth + 1))
            case 2: return try condition(depth + 1) && condition(depth + 1)
            default: return try condition(depth + 1) || condition(depth + 1)
            }
        }
        for _ in 0..<100 {
            let predicate = try condition(0)
            let again = try ObjectPredicate(predicate.description)
            #expect(again.description == predicate.description)
            let expected = try books.filter { try predicate.evaluate(with: $0) }
            #expect(try context.fetch(FetchRequest(Book.self, where: predicate)) == expected, "\(predicate)")
            #expect(try context.fetch(FetchRequest(Book.self, where: again)) == expected, "\(predicate)")
        }
    }

    @Test("A chain of many operators is one list")
    func chains() throws {
        let one = try ObjectPredicate("a == 1")
        var (all, any) = (one, one)
        for _ in 0..<200 { (all, any) = (all && one, any || one) }
        #expect(all == .and(Array(repeating: one, count: 201)) && any == .or(Array(repeating: one, count: 201)))
        #expect(try ObjectPredicate(all.description) == all && ObjectPredicate(any.description) == any)
        #expect(((one && one) || !one) == .or([.and([one, one]), .not(one)]))
    }

    @Test("Objects and IDs are values", arguments: StoreFactory.kinds)
    func objectValues(_ factory: StoreFactory) throws {
        let context = try Library.container(factory).makeContext()
        try Library.fill(context, seed: 3)
        let books = try context.fetch(Book.self)
        let authors = Array(try context.fetch(Author.self).prefix(2))
        let author = try #require(authors.first)
        let chapter = try #require(try context.first(Chapter.self) { $0.book != nil })
        let book = try #require(chapter.book)
        let id = author.objectID
        let none: Author? = nil
        let cases: [(Build, (Book) -> Bool)] = [
            ({ $0.author == author }, { $0.author == author }), ({ $0.author != author }, { $0.author != author }),
            ({ $0.author == id }, { $0.author == author }), ({ $0.author != id }, { $0.author != author }),
            ({ $0.author == none }, { $0.author == nil }), ({ $0 == book }, { $0 == book }),
            ({ $0.author.in(authors) }, { $0.author.map { authors.contains($0) } ?? false }),
            ({ $0.author.in(authors.map(\.objectID)) }, { $0.author.map { authors.contains($0) } ?? false }),
            ({ $0.author.in(Set(authors)) }, { $0.author.map { authors.contains($0) } ?? false }),
            ({ $0.readers.contains(author) }, { $0.readers.contains(author) }),
            ({ $0.readers.contains(id) }, { $0.readers.contains(author) }),
            ({ $0.chapters.contains(chapter) }, { $0.chapters.contains(chapter) }),
            ({ $0.editor == $0.author.as(Person.self) }, { $0.editor == $0.author }),
        ]
        for (number, (condition, isWanted)) in cases.enumerated() {
            let expected = books.filter(isWanted)
            #expect(!expected.isEmpty && expected.count < books.count, "\(number)")
            #expect(try context.fetch(Book.self, where: condition) == expected, "\(number)")
        }
    }

    /// Such a condition needs no annotation and little time of the compiler.
    @Test("Variables of the usual types")
    func variables() throws {
        let (count, year, name, least): (Int, Int32?, String?, Double) = (2, 1900, nil, 0.5)
        let predicate = try ObjectPredicate(Book.self) {
            $0.copies == count && $0.year == year && $0.author.name == name && $0.rating > least && $0.pages < count
                && $0.title.beginsWith("A")
        }
        let text =
            "copies == 2 AND year == 1900 AND author.name == nil AND rating > 0.5 AND pages < 2 AND title BEGINSWITH \"A\""
        #expect(predicate.description == text)
    }
}
