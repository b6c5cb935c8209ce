import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryModelFiles
import GranaryRecords
import GranarySQLite
import TestSupport
import Testing

@testable import GranaryProposals

/// What a model is proposed for records.
struct ModelProposalTests {
    private static func proposal(_ files: [(name: String, text: String)], nulls: [String] = []) throws -> ModelProposal
    {
        var profiler = SourceProfiler(nullTexts: nulls)
        for (name, text) in files { try profiler.read(.bytes(Data(text.utf8), name: name)) }
        return try ModelProposal(profiler, options: .init(modelPath: "M.granary.yaml"))
    }

    /// The types of one CSV column, with `!` if it is required and `*` if it is unique.
    @Test(arguments: [
        (["1", "2"], "Integer 32!*"), (["1", "1"], "Integer 32!"), (["1", ""], "Integer 32"),
        (["007", "8"], "String!*"), (["+1", "2"], "String!*"), (["3000000000", "1"], "Integer 64!*"),
        (["1.5", "2"], "Double!"), (["1.50", "2.00"], "Decimal!"), (["1.0e3", "2"], "Double!"),
        (["1E5", "2E3"], "String!*"), (["NO", "NO"], "String!"), (["NO", ""], "String"),
        (["true", "true"], "Boolean!"),
        (["0.1234567890123456789", "1"], "String!*"), (["true", "FALSE"], "Boolean!"), (["yes", "no"], "Boolean!"),
        (["0", "1"], "Integer 32!*"), (["2024-01-31T00:00:00Z", "2024-02-01T00:00:00+02:00"], "Date!"),
        (["2024-01-31", ""], "Date"), (["2024-02-30", "2024-01-01"], "String!*"),
        (["00000000-0000-0000-0000-00000000000A", "00000000-0000-0000-0000-00000000000b"], "UUID!*"),
        (["a", "b"], "String!*"), (["", ""], "String"), (["1", "x"], "String!*"), (["1", "2024-01-01"], "String!*"),
        (["9223372036854775808", "1"], "String!*"), (["-5", "5"], "Integer 32!*"), (["1,5", "2,5"], "String!*"),
    ])
    func theValuesOfAColumnGiveItsType(values: [String], expected: String) throws {
        let text =
            "x,n\n" + values.map { "\"\($0)\"".replacing("\"\"", with: "") + ",-" }.joined(separator: "\n") + "\n"
        let model = try Self.proposal([("things.csv", text)]).model
        let entity = try #require(model.entity(named: "Thing"))
        let attribute = try #require(entity.attribute(named: "x"))
        let isUnique = entity.uniquenessConstraints == [["x"]]
        #expect(attribute.type.name + (attribute.isOptional ? "" : "!") + (isUnique ? "*" : "") == expected)
    }

    @Test("A list of objects that are each in one record is to-many with a to-one inverse")
    func ownedObjects() throws {
        let text = """
            [{"id":1,"author":{"id":5,"name":"A"},
              "comments":[{"id":1,"by":{"id":5,"name":"A"}},{"id":2,"by":{"id":6,"name":"B"}}],"tags":[{"id":1},{"id":2}]},
             {"id":2,"author":{"id":5,"name":"A"},"comments":[{"id":3,"by":{"id":5,"name":"A"}}],"tags":[{"id":1}]}]
            """
        let proposal = try Self.proposal([("articles.json", text)])
        let article = try #require(proposal.model.entity(named: "Article"))
        let comment = try #require(proposal.model.entity(named: "Comment"))
        let inverse = try #require(comment.relationships.first(where: { $0.destinationEntityName == "Article" }))
        #expect(inverse.name == "article" && inverse.maxCount == 1)
        #expect(article.relationships.first(where: { $0.name == "comments" })?.maxCount == 0)
        let tag = try #require(proposal.model.entity(named: "Tag"))
        #expect(tag.relationships.first(where: { $0.destinationEntityName == "Article" })?.maxCount == 0)
        #expect(
            proposal.comments["By"]?.contains(
                "1 of them has the key of an object of Author, whose members have the same names") == true,
            "\(proposal.comments)")
    }

    @Test(
        "Texts of digits beside numbers are numbers",
        arguments: [
            ("1, \"6\"", "Integer 32"), ("\"5\", \"6\"", "String"), ("1.5, \"6\"", "Double"), ("1, \"06\"", "String"),
            ("1, \"x\"", "String"), ("1, \"true\"", "String"),
        ])
    func mixedNumbers(_ values: String, _ type: String) throws {
        let records = values.split(separator: ", ").map { "{\"x\": \($0)}" }.joined(separator: ",")
        let proposal = try Self.proposal([("things.json", "[\(records)]")])
        #expect(proposal.model.entity(named: "Thing")?.attribute(named: "x")?.type.name == type)
        #expect(
            proposal.warnings.isEmpty == (values != "1, \"06\"" && !values.contains("x") && !values.contains("true")))
    }

    @Test(
        "Short and full forms of an object are one, and contradicting ones are not",
        arguments: [
            (#"{"id": 1, "name": "a", "mail": "m"}"#, #"{"id": 1, "name": "a"}"#, true),
            (#"{"id": 1, "name": "a"}"#, #"{"id": 1, "mail": "m", "geo": {"x": 1}}"#, true),
            (#"{"id": 1, "name": "a"}"#, #"{"id": 1, "name": "b"}"#, false),
        ])
    func shortForms(_ first: String, _ second: String, _ isOne: Bool) throws {
        let text = #"[{"author": \#(first)}, {"author": \#(second)}, {"author": {"id": 2, "name": "c"}}]"#
        let author = try #require(try Self.proposal([("posts.json", text)]).model.entity(named: "Author"))
        #expect(author.uniquenessConstraints == (isOne ? [["id"]] : []))
        #expect(author.relationships.first { $0.destinationEntityName == "Post" }?.isToMany == isOne)
    }

    @Test(
        "Columns with the name of an entity or of its key refer to it",
        arguments: [
            ("Kunden-Nr.", "Kunden-Nr."), ("Kundennummer", "Kundennummer"), ("Kunden-Nr.", "Kunde"),
            ("Nummer", "Kunde"),
            ("ID", "Kunden-ID"),
        ])
    func germanNames(_ key: String, _ column: String) throws {
        let kunden = "\(key),E-Mail\n" + (1...9).map { "\($0),m\($0)@x.de" }.joined(separator: "\n") + "\n"
        let orders = "Nr,\(column)\n" + (1...9).map { "\($0 + 100),\($0 % 4 + 1)" }.joined(separator: "\n") + "\n"
        let model = try Self.proposal([("Kunden.csv", kunden), ("Bestellungen.csv", orders)]).model
        let order = try #require(model.entities.first { !$0.name.hasPrefix("Kunde") })
        #expect(order.relationships.count == 1, "\(model.entities)")
    }

    @Test("Milliseconds since 1970 are perhaps dates")
    func milliseconds() throws {
        let proposal = try Self.proposal([("things.json", #"[{"at": 1736281800282, "n": 3000000000}]"#)])
        #expect(proposal.comments["Thing.at"]?.contains("--date-format unix-ms") == true, "\(proposal.comments)")
        #expect(proposal.comments["Thing.n"]?.contains("unix") == false)
    }

    @Test("Objects beside other values without a key are a warning with the name of the member")
    func mixedObjects() throws {
        let proposal = try Self.proposal([("things.json", #"[{"p": {"a": 1}}, {"p": "x"}]"#)])
        #expect(
            proposal.warnings.map(\.message) == [
                "some values of \"p\" are objects, and others are not; an import rejects those"
            ])
        let keyed = try Self.proposal([("things.json", #"[{"p": {"id": 1}}, {"p": 1}]"#)])
        #expect(keyed.warnings.map(\.message) == [])
    }

    @Test("Few values that are no numbers are counted, with the place of the first")
    func misfits() throws {
        let rows = (1...60).map { $0 == 17 ? "12.50.1 €,b" : "\($0).50,\($0 % 2 == 0 ? "c" : "7")" }
        let proposal = try Self.proposal([("prices.csv", "price,code\n" + rows.joined(separator: "\n") + "\n")])
        let text = "1 of 60 values is not a number: \"12.50.1 €\" in line 18"
        #expect(proposal.comments["Price.price"]?.hasSuffix(text) == true, "\(proposal.comments)")
        #expect(proposal.warnings.map(\.message) == ["Price.price is a string, because \(text)"])
    }

    @Test("The values of a column become objects of an entity that no file describes")
    func references() throws {
        var profiler = SourceProfiler(nullTexts: [])
        try profiler.read(.bytes(Data("icao,country\nA,DE\nB,DE\nC,\n".utf8), name: "airports.csv"))
        try profiler.add([ProposedReference("country=Country.code")])
        let proposal = try ModelProposal(profiler, options: .init(modelPath: "M.granary.yaml"))
        let airport = try #require(proposal.model.entity(named: "Airport"))
        #expect(airport.attributes.map(\.name) == ["icao"])
        let country = try #require(airport.relationship(named: "country"))
        #expect(country.destinationEntityName == "Country" && country.isOptional && country.inverseName == "airports")
        let entity = try #require(proposal.model.entity(named: "Country"))
        #expect(entity.attributes.map(\.name) == ["code"] && entity.uniquenessConstraints == [["code"]])
        #expect(proposal.comments["Country"] == "airports.csv: the values of \"country\"")
        #expect(
            proposal.commands.count == 1
                && proposal.commands[0].hasSuffix("--entity Airport --on-missing country=create"))
    }

    @Test(
        "References that cannot be made",
        arguments: [
            ("country", "write COLUMN=ENTITY.ATTRIBUTE"), ("=A", "write COLUMN"), ("x=", "is not the name of"),
            ("country=country", "is not the name of an entity"), ("contry=Country", "did you mean \"country\"?"),
            ("price=Price", "not texts or whole numbers"), ("country=Airport", "is proposed for a file"),
        ])
    func refusedReferences(_ text: String, _ message: String) throws {
        var profiler = SourceProfiler(nullTexts: [])
        try profiler.read(.bytes(Data("icao,country,price\nA,DE,1.5\n".utf8), name: "airports.csv"))
        let error = #expect(throws: GranaryError.self) { try profiler.add([ProposedReference(text)]) }
        #expect(error?.code == .usage && error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func theEvidenceIsAComment() throws {
        let text = "code,n\n" + (1...1_500).map { "c\($0),\($0 % 3)" }.joined(separator: "\n")
        let proposal = try Self.proposal([("codes.csv", text)])
        #expect(
            proposal.comments == [
                "Code": "codes.csv: 1,500 records", "Code.code": "1,500 values, longest 5, unique",
                "Code.n": "1,500 values, 0 to 2",
            ])
    }

    @Test func valuesThatAreKeysOfAnotherFileAreReferences() throws {
        let proposal = try Self.proposal([
            ("books.csv", "title,author_id,code,rank\nA,1,x,1\nB,2,y,2\nC,1,x,1\n"),
            ("authors.csv", "id,name\n1,Ann\n2,Bo\n3,Cy\n"),
            ("nodes.csv", "code,parent_code\na,\nb,a\nc,b\n"),
        ])
        let book = try #require(proposal.model.entity(named: "Book"))
        #expect(
            book.relationships.map { "\($0.name) \($0.destinationEntityName) \($0.inverseName ?? "")" } == [
                "author Author books"
            ])
        // Ranks are small numbers, which are keys by chance.
        #expect(book.attributes.map(\.name) == ["title", "code", "rank"])
        let node = try #require(proposal.model.entity(named: "Node"))
        #expect(node.relationships.map(\.name) == ["parent", "children"])
        #expect(proposal.comments["Book.author"] == "3 values, all in Author.id")
        _ = try proposal.model.resolved()
    }

    @Test func referencesToFilesNeedTheFilesFirst() throws {
        let proposal = try Self.proposal([
            ("books.csv", "title,author_id\nA,1\nB,2\n"), ("authors.csv", "id,name\n1,Ann\n2,Bo\n"),
        ])
        #expect(
            proposal.commands == [
                "granary import authors.csv --model M.granary.yaml --store Seed.sqlite --entity Author",
                "granary import books.csv --model M.granary.yaml --store Seed.sqlite --entity Book --map author_id=author",
            ])
    }

    @Test func oneMissingKeyMakesNoReference() throws {
        let proposal = try Self.proposal([
            ("books.csv", "title,author_id\nA,1\nB,4\n"), ("authors.csv", "id,name\n1,Ann\n2,Bo\n"),
        ])
        #expect(proposal.model.entity(named: "Book")?.relationships.isEmpty == true)
    }

    @Test func nestedObjectsAreEntities() throws {
        let text = """
            [{"title": "A", "author": {"id": 7, "name": "Ann"}, "chapters": [{"n": 1}, {"n": 2}], "tags": ["x"]},
             {"title": "B", "author": {"id": 7, "name": "Ann"}, "chapters": [], "tags": []}]
            """
        let model = try Self.proposal([("books.json", text)]).model
        let entities = model.entities.map(\.name)
        #expect(entities == ["Book", "Author", "Chapter"])
        let book = try #require(model.entity(named: "Book"))
        #expect(book.attribute(named: "tags")?.type == .transformable)
        #expect(book.relationship(named: "author")?.isOptional == false)
        #expect(book.relationship(named: "chapters")?.isToMany == true)
        // Objects with equal keys and values are one object, which several books have.
        #expect(model.entity(named: "Author")?.uniquenessConstraints == [["id"]])
        #expect(model.entity(named: "Author")?.relationships.first?.isToMany == true)
        #expect(model.entity(named: "Chapter")?.relationships.first?.isToMany == false)
        _ = try model.resolved()
    }

    @Test func textOfJSONStaysText() throws {
        let text =
            #"[{"zip": "00601", "n": 1, "f": 1.5, "b": true, "s": "1"}, {"zip": "10115", "n": 2, "f": 2, "b": false, "s": "2"}]"#
        let entity = try #require(try Self.proposal([("places.json", text)]).model.entity(named: "Place"))
        let types = entity.attributes.map { "\($0.name) \($0.type.name)" }
        #expect(types == ["zip String", "n Integer 32", "f Double", "b Boolean", "s String"])
    }

    /// No attribute holds both.
    @Test func numbersAndTextsInOneMemberAreAWarning() throws {
        let proposal = try Self.proposal([("a.json", #"[{"x": 1}, {"x": "y"}]"#)])
        #expect(proposal.warnings.map(\.message).allSatisfy { $0.contains("A.x is a string") })
        #expect(proposal.warnings.count == 1)
    }

    @Test func aDatabaseDeclaresKeysAndReferences() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "app.db").path
        let connection = try Connection(path: path, mode: .create)
        try connection.execute(
            """
            CREATE TABLE authors (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, mail TEXT UNIQUE, active BOOLEAN);
            CREATE TABLE books (isbn TEXT NOT NULL PRIMARY KEY, author_id INTEGER NOT NULL REFERENCES authors,
              price REAL, cover BLOB, UNIQUE (author_id, price));
            INSERT INTO authors VALUES (1, 'Ann', NULL, 1), (2, 'Bo', 'b@example', 0);
            INSERT INTO books VALUES ('x', 1, 1.5, x'00'), ('y', 1, NULL, NULL);
            """)
        try connection.close()
        var profiler = SourceProfiler(nullTexts: [])
        try DatabaseProfiler.read(path, into: &profiler)
        let proposal = try ModelProposal(profiler, options: .init(modelPath: "M.granary.yaml"))
        let text = String(decoding: try proposal.model.yaml(header: [], comments: [:]), as: UTF8.self)
        #expect(
            text == """
                entities:
                  Author:
                    attributes:
                      id: integer32! unique
                      name: string(...40)!
                      mail: string unique
                      active: boolean
                    relationships:
                      books: "[Book] <-> author deny"
                  Book:
                    attributes:
                      isbn: string! unique
                      price: double
                      cover: binary
                    relationships:
                      author: Author!
                    unique: [[author, price]]

                """)
        let store = folder.url.appending(path: "empty.db").path
        try Connection(path: store, mode: .create).execute("PRAGMA user_version = 1")
        #expect(throws: GranaryError.self) { try DatabaseProfiler.read(store, into: &profiler) }
    }

    /// Required and unique columns of generated files are those that a slow look at all values finds.
    @Test(arguments: 0..<40)
    func requiredAndUniqueColumnsAreThoseOfASlowTwin(seed: Int) throws {
        var generator = SplitMix(state: UInt64(seed))
        let count = Int.random(in: 2...60, using: &generator)
        let rows = (0..<count).map { _ in
            (0..<4).map { column in
                "\(Int.random(in: 0...(column == 0 ? 2_000 : 50), using: &generator))".replacing(
                    "0", with: column == 3 ? "" : "0")
            }
        }
        let text = "id,b,c,d\n" + rows.map { $0.joined(separator: ",") }.joined(separator: "\n")
        let entity = try #require(try Self.proposal([("rows.csv", text)]).model.entities.first)
        for (column, name) in ["id", "b", "c", "d"].enumerated() {
            let values = rows.map { $0[column] }
            #expect(entity.attribute(named: name)?.isOptional == values.contains(""), "\(name)")
        }
        let ids = rows.map { $0[0] }
        #expect(entity.uniquenessConstraints.contains(["id"]) == (Set(ids).count == ids.count))
    }

    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }
}
