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

/// Virtual references, and small tables that many objects share.
@Suite struct SubsetReferenceTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    private static let model = ManagedObjectModel(entities: [
        EntityDescription("Genre", [.attribute("name", .string), .toMany("books", "Book", inverse: "genres")]),
        EntityDescription(
            "Book",
            [
                .attribute("id", .uuid), .attribute("number", .integer32),
                .toMany("genres", "Genre", inverse: "books"),
            ]),
        EntityDescription(
            "Loan",
            [
                .attribute("bookID", .string), .attribute("bookNumber", .integer64),
                .attribute("day", .date),
            ]),
    ])

    /// 4 genres; 10 books, each with two of the first three genres; 10 loans, of which the last one names no book.
    init() throws {
        folder = try TemporaryFolder()
        let url = folder.url.appending(path: "S.sqlite")
        let container = try PersistentContainer(model: Self.model, store: .sqlite(url))
        let context = container.makeContext()
        let genres = try (0..<4).map { number in
            let genre = try context.insert(into: "Genre")
            try genre.setValue(.string("G\(number)"), forKey: "name")
            return genre
        }
        for number in 0..<10 {
            let id = UUID()
            let book = try context.insert(into: "Book")
            try book.setValue(.uuid(id), forKey: "id")
            try book.setValue(.integer(Int64(number)), forKey: "number")
            try book.setObjects([genres[number % 3], genres[(number + 1) % 3]], forKey: "genres")
            let loan = try context.insert(into: "Loan")
            // Apps write UUIDs in both cases.
            let text = number % 2 == 0 ? id.uuidString : id.uuidString.lowercased()
            try loan.setValue(.string(number == 9 ? "none" : text), forKey: "bookID")
            try loan.setValue(.integer(Int64(number * 2 % 10)), forKey: "bookNumber")
        }
        try context.save()
        store = try SQLiteStore.open(path: url.path, schema: try Self.model.resolved(), readOnly: true)
    }

    private func subset(
        _ selections: [SubsetOptions.Selection], _ change: (inout SubsetOptions) throws -> Void = { _ in }
    ) throws -> SubsetSample {
        var changed = SubsetOptions()
        try change(&changed)
        return try SubsetSample(of: store, selections) {
            changed.selections = $0.selections
            $0 = changed
        }
    }

    private func numbers(_ sample: SubsetSample, _ entity: String, _ attribute: String) throws -> [Int64] {
        try sample.values(entity, attribute).map { value in
            guard case .integer(let number)? = value else { return -1 }
            return number
        }.sorted()
    }

    @Test func aBookBringsItsGenresAndAGenreNotItsBooks() throws {
        let book = try subset([.init("Book", where: try ObjectPredicate("number == 4"))])
        #expect(try Set(book.texts("Genre", "name")) == ["G1", "G2"])
        #expect(
            book.report.smallTables == [
                SubsetReport.SmallTable(relationship: "Book.genres", entity: "Genre", count: 2, total: 4)
            ])
        #expect(try book.members("Book", "genres").values.map(\.count) == [2])
        let genre = try subset([.init("Genre", where: try ObjectPredicate("name == \"G1\""))])
        #expect(try genre.keys.keys.sorted() == ["Genre"])
    }

    /// 4 genres, with a limit of 4 and of 3; as a followed relationship, and none at all.
    @Test(arguments: [(4, 2), (3, 0), (0, 0)])
    func theLimitIsTheNumberOfObjects(limit: Int, taken: Int) throws {
        let book = try subset([.init("Book", where: try ObjectPredicate("number == 4"))]) { $0.smallTableLimit = limit }
        #expect(try book.keys["Genre"]?.count ?? 0 == taken)
    }

    @Test func aFollowedRelationshipIsNoSmallTable() throws {
        let book = try subset([.init("Book", where: try ObjectPredicate("number == 4"))]) {
            $0.followed = [.init("Book.genres", limit: 1)]
        }
        #expect(try book.keys["Genre"]?.count == 1)
        #expect(book.report.smallTables.isEmpty)
    }

    @Test func aTableThatIsNotSmallerIsNotShared() throws {
        let context = try PersistentContainer(
            model: Self.model, store: .sqlite(folder.url.appending(path: "S.sqlite"))
        ).makeContext()
        for number in 4..<10 {
            try context.insert(into: "Genre").setValue(.string("G\(number)"), forKey: "name")
        }
        try context.save()
        let book = try subset([.init("Book", where: try ObjectPredicate("number == 4"))])
        #expect(try book.keys["Genre"] == nil)
    }

    @Test func aTextNamesAUUIDInBothCases() throws {
        let loans = try subset([.init("Loan", where: try ObjectPredicate("bookNumber IN {4, 6}"))]) {
            $0.references = [.init("Loan.bookID", to: "Book.id")]
            $0.explained = ["Book/p3"]
        }
        // Loans 2, 3, 7 and 8.
        #expect(try numbers(loans, "Book", "number") == [2, 3, 7, 8])
        #expect(loans.report.warnings == [])
        let names = try loans.texts("Genre", "name").count
        #expect(names == 3)
        #expect(loans.report.explanations.map(\.path).count == 1)
    }

    @Test func integersOfDifferentWidthsNameEachOtherAndTheWayIsExplained() throws {
        let loans = try subset([.init("Loan", where: try ObjectPredicate("bookNumber == 6"))]) {
            $0.references = [.init("Loan.bookNumber", to: "Book.number")]
            $0.explained = try Set(SubsetSample.keys(of: store)["Book"] ?? []).map { "Book/p\($0)" }
        }
        #expect(try numbers(loans, "Book", "number") == [6])
        let ways = loans.report.explanations.map(\.path).filter { !$0.isEmpty }
        #expect(ways.count == 1)
        #expect(ways.first?.first?.contains(" is named by Loan/p") == true)
        #expect(ways.first?.first?.hasSuffix(".bookNumber") == true)
    }

    @Test func aValueThatNamesNothingIsAWarning() throws {
        let loans = try subset([.init("Loan")]) { $0.references = [.init("Loan.bookID", to: "Book.id")] }
        #expect(try numbers(loans, "Book", "number") == Array(0..<9))
        #expect(
            loans.report.warnings.map(\.description) == [
                "warning: Loan.bookID: 1 value of copied objects names no object with this Book.id [relationship.notFound]"
            ])
    }

    /// With the names of the attributes, and with a file of decisions.
    @Test(arguments: [false, true])
    func replacedValuesNameTheSameObjects(hasRules: Bool) throws {
        let names = ["Book.id", "Book.number", "Loan.bookID", "Loan.bookNumber"]
        let loans = try subset([.init("Loan")]) {
            $0.references = [.init("Loan.bookID", to: "Book.id"), .init("Loan.bookNumber", to: "Book.number")]
            if hasRules {
                let rules = names.map { "\($0): replace\n" }.joined() + "Loan.day: keep\nGenre.name: keep\n"
                let file = try folder.write(rules, to: "rules.yaml")
                $0.rules = try AnonymisationRules(path: file.path)
            } else {
                $0.anonymisedAttributes = names
            }
            $0.randomSeed = 5
        }
        func ids(_ store: any StoreBackend) throws -> (books: [UUID], loans: [UUID?], texts: [String]) {
            let books = try SubsetSample.values(store, "Book", "id").compactMap { value -> UUID? in
                if case .uuid(let id)? = value { id } else { nil }
            }
            let texts = try SubsetSample.values(store, "Loan", "bookID").map { value in
                if case .string(let text)? = value { text } else { "" }
            }
            return (books, texts.map { UUID(uuidString: $0) }, texts)
        }
        let (old, new) = (try ids(store), try ids(loans.store))
        // No loan names the last book.
        #expect(old.books.count == 10 && new.books.count == 9 && Set(old.books).isDisjoint(with: new.books))
        #expect(
            old.loans.map { id in old.books.firstIndex { $0 == id } }
                == new.loans.map { id in new.books.firstIndex { $0 == id } })
        // Lower case stays lower case.
        #expect(old.texts.map { $0 == $0.lowercased() } == new.texts.map { $0 == $0.lowercased() })
        let (numbers, references) = (
            try SubsetSample.values(store, "Book", "number"), try SubsetSample.values(store, "Loan", "bookNumber")
        )
        let (newNumbers, newReferences) = (
            try loans.values("Book", "number"), try loans.values("Loan", "bookNumber")
        )
        #expect(numbers != newNumbers)
        #expect(references.map { numbers.firstIndex(of: $0) } == newReferences.map { newNumbers.firstIndex(of: $0) })
    }

    @Test(arguments: [
        ("Loan.bookID", "Book.title", "Book has no such stored attribute"),
        ("Loan.isbn", "Book.id", "Loan has no such"),
        ("Loan", "Book.id", "write ENTITY.PROPERTY"), ("Lone.bookID", "Book.id", "Lone"),
        ("Loan.day", "Book.id", "Date and UUID do not name each other"),
        ("Loan.bookNumber", "Book.id", "Integer 64 and UUID do not name each other"),
    ])
    func wrongReferencesAreWrongUse(attribute: String, target: String, message: String) {
        let error = #expect(throws: GranaryError.self) {
            try subset([.init("Loan")]) { $0.references = [.init(attribute, to: target)] }
        }
        #expect(error?.code == .usage)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
}
