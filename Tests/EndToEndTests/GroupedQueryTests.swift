import Foundation
import GranaryModel
import GranaryModelFiles
import TestSupport
import Testing

/// `granary query --group-by --aggregate`, and `--store` in place of the argument, by the binary.
struct GroupedQueryTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Book",
            [
                .attribute("copies", .integer64), .attribute("isbn", .string, .required),
                .attribute("price", .decimal), .attribute("published", .date), .attribute("weight", .double),
                .toOne("publisher", "Publisher", inverse: "books"),
            ], unique: [["isbn"]]),
        EntityDescription(
            "Publisher",
            [.attribute("name", .string, .required), .toMany("books", "Book", inverse: "publisher")],
            unique: [["name"]]),
    ])

    private let folder: TemporaryFolder

    /// A folder with `S.sqlite`.
    init() throws {
        folder = try TemporaryFolder()
        try Self.model.write(to: folder.url.appending(path: "Model.json"))
        let rows = """
            isbn,price,copies,published,weight,publisher
            1,0.1,9223372036854775807,2020-01-01T00:00:00Z,0.5,Reclam
            2,0.2,9223372036854775807,2021-01-01T00:00:00Z,1.5,Reclam
            3,12.50,3,,,Hanser
            4,,,,,
            5,12345678901234.5,1,2019-06-01T00:00:00Z,2,Hanser

            """
        _ = try folder.write(rows, to: "Book.csv")
        let made = try run(
            ["import", "Book.csv", "--model", "Model.json", "--store", "S.sqlite", "--on-missing", "create"])
        #expect(made.status == 0, "\(made.errors)")
    }

    private func run(_ words: [String]) throws -> Granary { try Granary.run(words, in: folder.url) }

    @Test(
        "Groups and aggregates",
        arguments: [
            (
                ["Book", "--group-by", "publisher.name", "--aggregate", "count,sum:price,max:published"],
                "publisher.name,count,sum:price,max:published\n,1,0,\n"
                    + "Hanser,2,12345678901247,2019-06-01T00:00:00Z\nReclam,2,0.3,2021-01-01T00:00:00Z\n"
            ),
            // Larger than any integer of 64 bits, and exact.
            (
                ["Book", "--group-by", " publisher", "--aggregate", "sum:copies "],
                "publisher,sum:copies\nPublisher/p1,18446744073709551614\nPublisher/p2,4\n,0\n"
            ),
            (
                ["Book WHERE price < 1", "--aggregate", "count,avg:price,min:isbn"],
                "count,avg:price,min:isbn\n2,0.15,1\n"
            ),
            (["Book WHERE isbn == 'x'", "--aggregate", "count,max:price"], "count,max:price\n0,\n"),
            (["Book", "--aggregate", "count:price,count:published"], "count:price,count:published\n4,3\n"),
            (
                [
                    "Book", "--group-by", "publisher.name", "--aggregate", "sum:weight", "--sort", "sum:weight:desc",
                    "--limit", "2",
                ],
                "publisher.name,sum:weight\nReclam,2.0\nHanser,2.0\n"
            ),
            (["Book", "--group-by", "publisher.name", "--limit", "1", "--offset", "1"], "publisher.name\nHanser\n"),
            (
                ["Book", "--group-by", "publisher.name", "--aggregate", "count", "--format", "ndjson", "--limit", "1"],
                "{\"publisher.name\":null,\"count\":1}\n"
            ),
            (
                ["Book", "--aggregate", "max:published", "--time-zone", "UTC", "--date-format", "dd.MM.yyyy"],
                "max:published\n01.01.2021\n"
            ),
        ])
    func groups(_ words: [String], _ expected: String) throws {
        let result = try run(["query", "S.sqlite"] + words)
        #expect(result.status == 0 && result.output == expected, "\(result.output)\(result.errors)")
        // The store as an option.
        if words.count < 4 {
            #expect(try run(["query", "--store", "S.sqlite"] + words).output == expected)
        }
    }

    @Test("The forms of text files apply to the output") func forms() throws {
        let german = try run(
            [
                "query", "S.sqlite", "Book WHERE isbn == '3'", "--columns", "isbn,price,published", "--for", "excel-de",
                "--time-zone", "UTC",
            ])
        #expect(german.output == "\u{FEFF}isbn;price;published\n3;12,5;\n", "\(german.errors)")
        let json = try run(
            [
                "query", "S.sqlite", "Book WHERE isbn == '1'", "--columns", "published", "--format", "ndjson",
                "--time-zone", "Europe/Berlin", "--date-format", "dd.MM.yyyy HH:mm",
            ])
        #expect(json.output == "{\"published\":\"01.01.2020 01:00\"}\n", "\(json.errors)")
    }

    @Test(
        "Wrong uses",
        arguments: [
            (["Book", "--aggregate", "median:price"], "--aggregate median:price: write count, or a function"),
            (["Book", "--aggregate", "sum:isbn"], "sum: takes numbers"),
            (["Book", "--aggregate", "sum:prise"], "prise"), (["Book", "--group-by", "publisher.nme"], "nme"),
            (["Publisher", "--group-by", "books.price"], "has several values"),
            (["Book", "--group-by", "isbn,isbn"], "isbn is given twice"),
            (["Book", "--group-by", "isbn", "--count"], "exclude --columns and --count"),
            (["Book", "--aggregate", "count", "--sort", "price"], "is no column"),
            (["Book", "--sort", "price:up"], "the direction is asc or desc"),
            (["Book", "--aggregate", "max:published", "--date-format", "dd.MM.yyyy"], "need a time zone"),
        ])
    func wrongUses(_ words: [String], _ message: String) throws {
        let result = try run(["query", "S.sqlite"] + words)
        #expect(result.status == 64 && result.errors.contains(message), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test("The store of a command is its argument or --store, not both") func storeOption() throws {
        for words in [["store", "info"], ["store", "check"]] {
            let plain = try run(words + ["S.sqlite"])
            let option = try run(words + ["--store", "S.sqlite"])
            #expect(plain.status == 0 && option.output == plain.output, "\(option.errors)")
            #expect(try run(words + ["S.sqlite", "--store", "S.sqlite"]).status == 64)
            #expect(try run(words).errors.contains("the store is missing"))
        }
        let diff = try run(["store", "diff", "--store", "S.sqlite", "S.sqlite"])
        #expect(diff.status == 0, "\(diff.errors)")
        #expect(try run(["store", "diff", "S.sqlite"]).status == 64)
        #expect(try run(["query", "S.sqlite"]).status == 64)
        #expect(try run(["query", "S.sqlite", "Book", "--store", "S.sqlite"]).status == 64)
    }
}
