import Foundation
import GranarySQLite
import TestSupport
import Testing

/// `granary model init`, and the commands that it prints.
struct ModelInitTests {
    /// Proposes a model for files, and runs the printed commands in a shell.
    static func check(_ files: [URL], _ options: [String] = [], records: [Int], in folder: TemporaryFolder) throws {
        let names = files.map(\.path)
        let result = try Granary.run(
            ["model", "init"] + names + ["--output", "M.granary.yaml"] + options, in: folder.url)
        #expect(result.status == 0, "\(result.errors)")
        let commands = result.errors.split(separator: "\n").filter { $0.hasPrefix("  granary import") }
        #expect(commands.count == records.count, "\(result.errors)")
        let model = try String(contentsOf: folder.url.appending(path: "M.granary.yaml"), encoding: .utf8)
        for (command, count) in zip(commands, records) {
            let script = "\"$0\" " + command.trimmingPrefix("  granary ")
            let imported = try Granary.run([], in: folder.url, script: script)
            let expected = "read \(count) = created \(count) + updated 0 + unchanged 0 + skipped 0 + rejected 0"
            #expect(imported.status == 0 && imported.ledger == expected, "\(command)\n\(imported.errors)\n\(model)")
        }
        let checked = try Granary.run(["store", "check", "Seed.sqlite", "--model", "M.granary.yaml"], in: folder.url)
        #expect(checked.status == 0, "\(checked.errors)\(checked.output)")
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let files: [(name: String, text: String)]
        var options: [String] = []
        let records: [Int]

        var testDescription: String { files.map(\.name).joined(separator: ", ") }
    }

    static let cases: [Case] = [
        Case(
            files: [("games.csv", "date,home,away,city\n2026-01-01,A,B,\n2026-01-02,B,A,x\n2026-01-03,C,A,x\n")],
            options: ["--reference", "home=Team.code", "--reference", "away=Team.code", "--reference", "city=City"],
            records: [3]),
        // Keys as numbers and as texts, objects and their keys, names that no property can have.
        Case(
            files: [
                (
                    "orders.json",
                    #"[{"id": 1, "self": "u", "tags": [{"id": "a", "self": "v"}, "b"]}, {"id": "2", "self": "w", "tags": [{"id": "b", "self": "x"}]}]"#
                )
            ], records: [2]),
        Case(
            files: [("a.csv", "code,zone\na,1\nb,2\n"), ("b.csv", "code,zone\nc,2\nd,3\n")],
            options: ["--reference", "zone=Zone.number"], records: [2, 2]),
        Case(
            files: [
                (
                    "posts.ndjson",
                    #"{"id": 1, "tags": ["x", "y"]}\#n{"id": 2, "tags": []}\#n{"id": 3, "tags": ["y"]}\#n"#
                )
            ],
            options: ["--reference", "tags=Tag"], records: [3]),
        Case(
            files: [
                (
                    "people.csv",
                    "Full name,description,Price (€),born,Größe,2020,zip,hash\n"
                        + "Ann,x,1.50,2000-01-31,1.7,1,00601,\nBo,\"a\nb\",2.00,1999-12-31,1.8,2,10115,h\n"
                )
            ], records: [2]),
        Case(
            files: [("a.csv", "\"id\";\"wert\"\n\"1\";\"\"\n\"2\";\"3\"\n")], options: ["--delimiter", ";"],
            records: [2]),
        Case(files: [("a.tsv", "id\tw\n1\tNA\n2\t3\n")], options: ["--null", "NA"], records: [2]),
        Case(
            files: [
                ("books.csv", "title,author_id\nA,1\nB,2\nC,1\n"), ("authors.csv", "id,name\n1,Ann\n2,Bo\n"),
                ("nodes.csv", "code,parent_code\nb,a\na,\nc,b\n"),
            ], records: [2, 3, 3]),
        Case(
            files: [
                (
                    "orders.json",
                    #"""
                    [{"number": "A-1", "placed": "2024-05-01T10:00:00Z", "customer": {"id": 7, "name": "Ann", "vip": true},
                      "lines": [{"sku": "x", "count": 2, "price": 1.5}, {"sku": "y", "count": 1, "price": 2}], "tags": ["a", "b"]},
                     {"number": "A-2", "placed": null, "customer": {"id": 7, "name": "Ann", "vip": true}, "lines": [], "tags": []},
                     {"number": "A-3", "customer": {"id": 8, "name": "Bo", "vip": false}, "lines": [{"sku": "x", "count": 2, "price": 1.5}],
                      "tags": ["c"]}]
                    """#
                )
            ], records: [3]),
        Case(files: [("logs.ndjson", "{\"id\": \"a\", \"n\": 1}\n{\"id\": \"b\", \"n\": 2.5}\n")], records: [2]),
        Case(files: [("big.ndjson", "{\"n\": 9223372036854775808}\n{\"n\": 0.1234567890123456789}\n")], records: [2]),
        Case(
            files: [
                (
                    "items.plist",
                    """
                    <?xml version="1.0" encoding="UTF-8"?>
                    <plist version="1.0"><array><dict><key>name</key><string>a</string><key>when</key>
                    <date>2024-01-01T00:00:00Z</date><key>data</key><data>AAEC</data><key>n</key><integer>3</integer>
                    <key>ok</key><true/></dict><dict><key>name</key><string>b</string><key>n</key><real>0.5</real>
                    <key>ok</key><false/></dict></array></plist>
                    """
                )
            ], records: [2]),
        Case(
            files: [
                (
                    "doc.json",
                    #"{"entities": {"Author": [{"id": 1, "name": "Ann"}], "Book": [{"title": "A"}, {"title": "B"}]}}"#
                )
            ],
            records: [3]),
        Case(
            files: [("mini.json", mini)],
            options: ["--format", "json", "--records", "A=a", "--records", "B=b"], records: [16]),
        Case(files: [("mini.json", mini)], options: ["--records", "B=b", "--records", "A=a"], records: [16]),
        Case(files: [("mini.json", mini)], options: ["--records", "b"], records: [4]),
        Case(files: [("rest.json", #"{"data": {"items": [{"n": 1}, {"n": 2}]}}"#)], records: [2]),
        Case(
            files: [("keyed.json", #"{"x1": {"n": 1}, "x2": {"n": 2}, "x3": {"n": 2}}"#)],
            options: ["--record-key", "code"], records: [3]),
        Case(
            files: [("towns.geojson", geo)], records: [2]),
        Case(files: [("towns.geojson", geo)], options: ["--records", "features"], records: [2]),
        // The delimiter and the numbers are found beside the given columns.
        Case(
            files: [("plain.csv", "a;1,5;x\nb;2,25;y\n")], options: ["--no-header", "--columns", "code,price,kind"],
            records: [2]),
        Case(files: [("plain.csv", "a;1,5\nb;2,25\n")], records: [2]),
        // A word for NULL does not hide the form of the numbers.
        Case(
            files: [("nulls.csv", "id;w\n1;1,5\n2;xyz\n3;2,5\n")], options: ["--null", "xyz"], records: [3]),
        Case(files: [("data.txt", "[{\"n\": 1}, {\"n\": 2}]")], records: [2]),
        Case(files: [("quotes.tsv", "id\tsize\n1\t6\" pipe\n2\t\"x\" y\n")], records: [2]),
        Case(
            files: [("mixed.csv", "name;a;b\nx;1,5;1.5\ny;2,5;2.5\n"), ("rows.json", #"[{"n": 1}]"#)],
            options: ["--records", "."], records: [2, 1]),
    ]

    /// Two kinds of records, with one name of a member in both.
    private static let mini: String = {
        let a = (0..<12).map { #"{"id": \#($0), "t": "title \#($0)", "ok": \#($0 % 2 == 0)}"# }
        let b = (0..<4).map { #"{"id": \#($0), "company": "Firma \#($0)"}"# }
        return #"{"a": [\#(a.joined(separator: ", "))], "b": [\#(b.joined(separator: ", "))]}"#
    }()

    private static let geo = #"""
        {"type": "FeatureCollection", "features": [
          {"type": "Feature", "properties": {"code": "a", "name": "n"},
           "geometry": {"type": "Point", "coordinates": [1.5, 2]}},
          {"type": "Feature", "properties": {"code": "b", "name": "m"},
           "geometry": {"type": "Point", "coordinates": [3, 4]}}]}
        """#

    @Test("Two kinds of records are two entities, and no reference is found where none is")
    func severalPlaces() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.mini, to: "mini.json")
        let result = try Granary.run(
            ["model", "init", file.path, "--records", "A=a", "--records", "B=b"], in: folder.url)
        #expect(result.status == 0 && !result.output.contains("Mini"), "\(result.output)")
        #expect(result.output.contains("ok: boolean!  # 12 values") && !result.output.contains("<->"))
    }

    @Test("A given word for NULL leaves the rest to be found")
    func givenNull() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("id;w\n1;1,5\n2;xyz\n3;2,5\n", to: "a.csv")
        let result = try Granary.run(["model", "init", file.path, "--null", "xyz"], in: folder.url)
        #expect(result.output.contains("w: double  # 2 values"), "\(result.output)")
    }

    @Test("Few values that are no numbers or dates are named in German forms too")
    func germanMisfits() throws {
        let rows = (10...60).map { row in
            row == 30 ? "k. A.;32.13.2024" : "\(row),5;\(row % 28 + 1).03.2024"
        }
        let folder = try TemporaryFolder()
        let file = try folder.write("preis;tag\n" + rows.joined(separator: "\n") + "\n", to: "a.csv")
        let result = try Granary.run(["model", "init", file.path], in: folder.url)
        for text in ["not a number: \"k. A.\" in line 22", "not a date: \"32.13.2024\" in line 22"] {
            #expect(result.output.contains("1 of 51 values is \(text)"), "\(result.output)")
        }
    }

    @Test("A file without one well-formed record gives no model")
    func malformedFile() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a,b\n\"x\"y,\"1\"\n", to: "a.csv")
        let result = try Granary.run(["model", "init", file.path, "--output", "M.granary.yaml"], in: folder.url)
        #expect(result.status == 65 && result.errors.contains("every record of"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "M.granary.yaml").path))
    }

    @Test("Dates without a time zone are a question")
    func timeZone() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("day\n2024-01-31\n", to: "a.csv")
        let result = try Granary.run(["model", "init", file.path], in: folder.url)
        #expect(
            result.output.contains("# The dates name no time zone: put yours instead of UTC.\n"), "\(result.output)")
    }

    @Test(arguments: cases.prefix(10))
    func thePrintedCommandsImportTheFiles(example: Case) throws {
        let folder = try TemporaryFolder()
        let files = try example.files.map { try folder.write($0.text, to: $0.name) }
        // In the order of the commands.
        try Self.check(files, example.options, records: example.records, in: folder)
    }

    @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func realFiles() throws {
        for name in ["airports.csv", "injuries-icd10cm.csv"] {
            let folder = try TemporaryFolder()
            let text = try String(contentsOf: SharedFiles.url("data/\(name)"), encoding: .utf8)
            let lines = text.split(whereSeparator: \.isNewline).prefix(1_500)
            // References lead to records before them.
            let file = try folder.write(lines.joined(separator: "\n") + "\n", to: name)
            try Self.check([file], records: [lines.count - 1], in: folder)
        }
    }

    @Test func aDatabase() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "app's.db")
        let connection = try Connection(path: file.path, mode: .create)
        try connection.execute(
            """
            CREATE TABLE books (id INTEGER PRIMARY KEY, title VARCHAR(40) NOT NULL, price REAL, cover BLOB, "is read" BOOLEAN,
                added DATE, author_id INTEGER NOT NULL REFERENCES authors (id), total AS (price * 2));
            CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, "odd ""name" TEXT);
            CREATE TABLE nodes (code TEXT PRIMARY KEY, parent TEXT REFERENCES nodes) WITHOUT ROWID;
            INSERT INTO authors VALUES (1, 'Ann', ''), (7, 'Böll', 'x');
            INSERT INTO books VALUES (10, 'A', 9.99, x'000102', 1, '2024-01-31', 7),
                (20, 'B', 5, NULL, 0, NULL, 1), (21, 'A', 0.1, x'', NULL, '1999-12-31', 7);
            INSERT INTO nodes VALUES ('b', 'a'), ('a', NULL);
            PRAGMA journal_mode = WAL;
            """)
        try connection.close()
        let before = try Data(contentsOf: file)
        // In the order of the commands.
        try Self.check([file], records: [2, 3, 2], in: folder)
        #expect(try Data(contentsOf: file) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.sorted() == ["M.granary.yaml", "Seed.sqlite", "app's.db"])
        let words = ["query", "Seed.sqlite", "Book", "--sort", "id", "--columns", "title,price,author.name"]
        let books = try Granary.run(words + ["--format", "csv"], in: folder.url)
        #expect(books.output == "title,price,author.name\nA,9.99,Böll\nB,5.0,Ann\nA,0.1,Böll\n", "\(books.errors)")
    }

    @Test func anExistingModelIsKept() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a\n1\n", to: "a.csv")
        _ = try folder.write("x", to: "M.granary.yaml")
        let words = ["model", "init", file.path, "--output", "M.granary.yaml"]
        #expect(try Granary.run(words, in: folder.url).status == 73)
        #expect(try Granary.run(words + ["--force"], in: folder.url).status == 0)
        let same = try Granary.run(["model", "init", file.path, "--output", "a.json", "--force"], in: folder.url)
        #expect(same.status == 0)
        let store = try Granary.run(["model", "init", file.path, "--output", "a.sqlite"], in: folder.url)
        #expect(store.status == 64)
        let piped = try Granary.run(["model", "init", file.path], in: folder.url)
        #expect(piped.output.contains("entities:\n  A:  # a.csv: 1 record\n"))
    }
}

struct ModelInitLongTests {
    @Test(arguments: ModelInitTests.cases.dropFirst(10))
    func thePrintedCommandsImportTheFiles(example: ModelInitTests.Case) throws {
        try ModelInitTests().thePrintedCommandsImportTheFiles(example: example)
    }

    @Test(
        .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"),
        arguments: [("airports.csv", 28_298), ("injuries-icd10cm.csv", 54_285)])
    func wholeFiles(name: String, count: Int) throws {
        try ModelInitTests.check(
            [try SharedFiles.url("data/\(name)")], records: [count], in: try TemporaryFolder())
    }
}
