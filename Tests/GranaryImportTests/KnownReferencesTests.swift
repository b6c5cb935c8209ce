import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranaryRecords
import GranarySQLite
import Synchronization
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Imports of books whose authors, series and tags are in the store or are created. The same import with an empty source
/// of each of these entities resolves all references after reading, and must have the same result.
private struct BookImport {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Author",
            [
                .attribute("code", .string, .defaultValue(.string("c0"))),
                .attribute("name", .string, .length(1...12)), .attribute("size", .integer16),
            ], unique: [["name"]]),
        EntityDescription(
            "Book",
            [
                .attribute("isbn", .string), .attribute("pages", .integer16),
                .toOne("author", "Author", inverse: nil), .toOne("editor", "Author", inverse: nil),
                .toOne("sequel", "Book", inverse: nil), .toOne("series", "Series", inverse: "books"),
                .toMany("tags", "Tag", inverse: "books"), .toMany("shelves", "Shelf", inverse: "books", .ordered),
            ], unique: [["isbn"]]),
        EntityDescription("Series", [.attribute("name", .string), .toMany("books", "Book", inverse: "series")]),
        EntityDescription(
            "Shelf", [.attribute("name", .string), .toMany("books", "Book", inverse: "shelves", .ordered)]),
        EntityDescription(
            "Tag", [.attribute("name", .string), .toMany("books", "Book", inverse: "tags")], unique: [["name"]]),
    ])

    let stored: [(entity: String, text: String)]
    let text: String
    let policies: [ImportOptions.MissingPolicy]
    /// The attribute by which editors are found.
    let editorKey: String
    let onConflict: ImportOptions.ConflictPolicy
    let mode: ImportRunOptions.Mode
    let kind: EngineBench.Kind
    let loader: ImportRunOptions.Loader

    init(seed: Int, rows: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        func pick<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &random)]
        }
        let isClean = Bool.random(using: &random)
        let names = ["ann", "bob", "cyd", "dan"]
        onConflict = pick([.error, .error, .update, .update, .replace, .skip])
        let books = """
            isbn,pages,author,series,tags,shelves
            i1,1,ann,ann,ann;cyd,ann
            i2,2,bob,,cyd,
            i4,4,,ann,,ann
            i7,7,bob,,,

            """
        // Two equal series have one name, and two different ones another.
        stored =
            Bool.random(using: &random)
            ? []
            : [("Author", "name\nann\nbob\n"), ("Tag", "name\nann\ncyd\n"), ("Shelf", "name\nann\n")]
                + [("Series", isClean ? "name\nann\n" : "name\nann\nbob\nbob\n")]
                + (onConflict == .error ? [] : [("Book", books)])
        policies = (0..<5).map { _ in pick(isClean ? [.create, .create, .null] : [.create, .null, .error]) }
        mode = pick([.allOrNothing, .keepGood, .keepGood])
        kind = pick([.memory, .sqlite, .sqlite])
        loader = kind == .memory ? .auto : pick([.auto, .sql])
        editorKey = pick(["name", "name", "code"])
        let odd = isClean ? [] : ["averylongauthorname", " ann", "\"\"\"q;\"\"\"", "Author/p1", "zed"]
        var lines = ["isbn,pages,author,series,tags,shelves,editor"]
        for number in 0..<rows {
            func name() -> String {
                Int.random(in: 0..<12, using: &random) == 0 && !odd.isEmpty ? pick(odd) : pick(names)
            }
            func one() -> String { Int.random(in: 0..<4, using: &random) == 0 ? "" : name() }
            func list() -> String {
                let count = Int.random(in: 0..<4, using: &random)
                let members = (0..<count).map { _ in name() }
                guard members.allSatisfy({ !$0.hasPrefix("\"") }) else { return members[0] }
                return (isClean ? Array(Set(members)).sorted() : members).joined(separator: ";")
            }
            let isbn = !isClean && Int.random(in: 0..<15, using: &random) == 0 ? number / 2 : number
            let pages = !isClean && Int.random(in: 0..<15, using: &random) == 0 ? "many" : "\(number)"
            lines.append("i\(isbn),\(pages),\(one()),\(one()),\(list()),\(list()),\(pick(["", "", name(), "c0"]))")
        }
        text = lines.joined(separator: "\n") + "\n"
    }

    func load(waits: Bool) throws -> (run: TestImport, document: String, versions: [Int64?], faults: [String]) {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        for (entity, text) in stored {
            try bench.load(csv: text, entity) {
                guard entity == "Book" else { return }
                for name in ["author", "series", "tags", "shelves"] { $0.lookups[name] = .attribute("name") }
            }
        }
        var run = ImportRunOptions()
        (run.mode, run.loader, run.diagnosticLimit) = (mode, loader, .max)
        func change(_ options: inout ImportOptions) {
            options.onConflict = onConflict
            for (name, policy) in zip(["author", "series", "tags", "shelves", "editor"], policies) {
                options.missingPolicies[name] = policy
                options.lookups[name] = .attribute(name == "editor" ? editorKey : "name")
            }
        }
        var jobs = [EngineBench.job(csv: text, "Book", change)]
        if waits {
            jobs += ["Author", "Series", "Tag", "Shelf"].map { entity in
                EngineBench.job(csv: "name\n", entity, name: entity + ".csv")
            }
        }
        let result = try bench.load(jobs, run: run)
        let versions = try ["Author", "Tag", "Series", "Shelf", "Book"].flatMap { entity in
            try (1...8).map { try bench.version(entity, $0) }
        }
        return (result, try bench.document(), versions, try bench.faults())
    }

    /// - Returns: whether the import is refused.
    func check(_ seed: Int) throws -> Bool {
        let (own, other) = (try load(waits: false), try load(waits: true))
        let place = "seed \(seed), \(mode), \(kind), \(loader), \(onConflict)\n\(text)"
        #expect(own.run.counts == other.run.counts, "\(place)")
        #expect(own.document == other.document, "\(place)")
        #expect(own.versions == other.versions, "\(place)")
        // Lists that wait are not written by a refused import, so it does not warn of repeated members. No object is
        // created for a record that was rejected while it was read, so the reason why it cannot be is not reported.
        #expect(own.run.rejectedLines == other.run.rejectedLines, "\(place)")
        #expect(Set(own.run.errors).isSubset(of: other.run.errors), "\(place)")
        #expect(mode == .keepGood || own.run.errors.sorted() == other.run.errors.sorted(), "\(place)")
        #expect(own.run.report.isRefused || own.run.warnings == other.run.warnings, "\(place)")
        #expect(own.run.report.madeByLookup == other.run.report.madeByLookup, "\(place)")
        #expect(
            own.run.report.omittedReferences == other.run.report.omittedReferences || own.run.report.isRefused,
            "\(place)")
        #expect(own.run.changes.sorted() == other.run.changes.sorted(), "\(place)")
        #expect(own.faults == [] && other.faults == [], "\(place)")
        return own.run.report.isRefused
    }
}

/// References that are resolved while records are read.
@Suite struct KnownReferencesTests {
    @Test func `References that are known while reading have the same result as those that wait`() throws {
        var refused = 0
        for seed in 0..<20 { refused += try BookImport(seed: seed, rows: 20).check(seed) ? 1 : 0 }
        #expect(refused > 0 && refused < 18)
    }

    @Test func `A long list has each member once, and says that one is repeated`() throws {
        let bench = try EngineBench(BookImport.model, .sqlite)
        defer { bench.keep() }
        let names = (0..<200).map { "t\($0)" }
        let text = "isbn,tags\na,\((names + ["t7", "t199"]).joined(separator: ";"))\n"
        let run = try bench.load(csv: text, "Book") { $0.missingPolicies["tags"] = .create }
        #expect(run.lines == Array(repeating: "2 unique.duplicate tags", count: 2))
        #expect(run.report.madeByLookup == 200)
        #expect(try bench.table("Book", "isbn", "tags") == "isbn,tags\na,\(names.joined(separator: ";"))\n")
    }

    /// A document that can be read again is first read as if no nested object became a row.
    @Test(
        arguments: [
            // Keys only, and repeated.
            [
                #"{"isbn":"a","author":"ann","tags":["x","y"]}"#, #"{"isbn":"b","author":"ann","tags":["y","y"]}"#,
                #"{"isbn":"c","author":{"name":"bob"},"tags":[{"name":"x"},{"name":"z"}]}"#,
            ],
            // The third record has the object that the first one refers to.
            [
                #"{"isbn":"a","author":"ann","tags":["x"]}"#, #"{"isbn":"b","author":"bob"}"#,
                #"{"isbn":"c","author":{"name":"ann","size":7},"tags":[{"name":"z"}]}"#,
                #"{"isbn":"d","author":{"name":"cyd","size":8},"tags":["x","z"]}"#,
            ],
            // A reference that creates an object waits with another one of its record.
            [
                #"{"isbn":"a","author":"ann","sequel":"b"}"#, #"{"isbn":"b","author":{"name":"ann","size":1}}"#,
                #"{"isbn":"c","author":{"name":"bob","size":1}}"#,
            ],
            [
                #"{"isbn":"a","author":"ann","sequel":"b"}"#, #"{"isbn":"b","author":{"name":"cyd","size":1}}"#,
                #"{"isbn":"c","author":{"name":"bob","size":1}}"#,
            ],
            // Records that ask for primary keys, and others that wait and are rejected.
            [
                #"{"isbn":"a","author":"ann"}"#, #"{"isbn":"b","sequel":"a"}"#, #"{"isbn":"b2","sequel":"c"}"#,
                #"{"$id":"Book/p7","isbn":"c"}"#, #"{"isbn":"d","sequel":"none"}"#, #"{"isbn":"e","author":"cyd"}"#,
            ],
            // A rejected record with a nested object.
            [
                #"{"isbn":"a","author":"ann"}"#, #"{"isbn":"b","author":{"name":"bob","size":"many"}}"#,
                #"{"isbn":"c","author":"bob","series":"long"}"#, #"{"isbn":"d","author":"cyd","tags":["q"]}"#,
            ],
        ], [ImportRunOptions.Mode.allOrNothing, .keepGood])
    func `A nested object that becomes a row starts the import again`(
        _ records: [String], _ mode: ImportRunOptions.Mode
    ) throws {
        let text = "[" + records.joined(separator: ",\n") + "]"
        var options = ImportOptions()
        options.onMissing = .create
        options.missingPolicies["sequel"] = .error
        options.lookups = ["author": .attribute("name"), "series": .attribute("name"), "tags": .attribute("name")]
        var run = ImportRunOptions()
        run.mode = mode
        let (one, other) = (try EngineBench(BookImport.model, .sqlite), try EngineBench(BookImport.model, .sqlite))
        defer {
            one.keep()
            other.keep()
        }
        let source = ImportSource.text(text, format: .json, name: "in.json")
        let own = try one.load([ImportJob(entity: "Book", sources: [source], options: options)], run: run)
        // Readers are read once, so their references wait.
        let reader = TestImport.reader(json: text)
        let waiting = try TestImport.of([reader], "Book", other.store, options, run: run)
        #expect(own.counts == waiting.counts)
        #expect(own.rejectedLines == waiting.rejectedLines && Set(own.errors).isSubset(of: waiting.errors))
        #expect(own.report.isRefused || own.warnings == waiting.warnings)
        #expect(own.report.madeByLookup == waiting.report.madeByLookup && own.report.nested == waiting.report.nested)
        #expect(try one.document() == other.document())
        #expect(try one.faults() == [])
        for entity in one.store.schema.entities {
            #expect(try one.store.lastKey(root: entity.index) == other.store.lastKey(root: entity.index))
        }
    }

    @Test func `A source that can be read once is read once`() throws {
        let bench = try EngineBench(BookImport.model, .memory)
        let opened = Mutex(0)
        let once = ImportSource(name: "pipe.csv", nests: false) { () throws(GranaryError) -> any RecordReader in
            let isFirst = opened.withLock { count in
                count += 1
                return count == 1
            }
            let text = isFirst ? "isbn,author\na,ann\nb,bob\n" : "isbn,author\n"
            return try CSVReader(ByteSource(bytes: Array(text.utf8), name: "pipe.csv"))
        }
        let document = ImportSource.text(#"[{"isbn":"c","author":{"name":"cyd","size":1}}]"#, format: .json)
        var options = ImportOptions()
        options.onMissing = .create
        let run = try bench.load([once, document].map { ImportJob(entity: "Book", sources: [$0], options: options) })
        #expect(run.counts == RecordCounts(created: 3) && opened.withLock { $0 } == 1)
    }

    @Test func `Only files, bytes and texts can be read again`() throws {
        let folder = try TemporaryFolder()
        let (file, pipe) = (folder.url.appending(path: "a.csv").path, folder.url.appending(path: "p.csv").path)
        try Data("name\n".utf8).write(to: URL(filePath: file))
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(ImportSource.file(URL(filePath: file)).canBeReadAgain)
        #expect(!ImportSource.file(URL(filePath: pipe)).canBeReadAgain)
        #expect(ImportSource.terms("a%b", delimiter: "%", attribute: "name").canBeReadAgain)
        #expect(!ImportSource.standardInput(options: SourceOptions()).canBeReadAgain)
    }

    @Test(arguments: ["", "x"])
    func `The number of links at the other end is checked`(_ sequel: String) throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Book",
                [
                    .attribute("isbn", .string), .toMany("clubs", "Club", inverse: "books"),
                    .toOne("sequel", "Book", inverse: nil), .toOne("shop", "Shop", inverse: "books"),
                ], unique: [["isbn"]]),
            EntityDescription(
                "Club", [.attribute("name", .string), .toMany("books", "Book", inverse: "clubs", .count(0, 2))],
                unique: [["name"]]),
            EntityDescription(
                "Shop", [.attribute("name", .string), .toMany("books", "Book", inverse: "shop", .count(0, 2))],
                unique: [["name"]]),
        ])
        for (column, place) in [("clubs", 4), ("shop", 4)] {
            let bench = try EngineBench(model, .sqlite)
            defer { bench.keep() }
            try bench.load(csv: "name\ng\n", column == "shop" ? "Shop" : "Club")
            let run = try bench.load(csv: "isbn,\(column),sequel\na,g,\(sequel)\nb,g,\nx,g,\n", "Book")
            #expect(run.report.isRefused, "\(column)")
            #expect(run.report.diagnostics.map(\.code) == [.relationshipTooMany], "\(column)")
            #expect(column == "shop" || run.report.diagnostics.first?.position?.line == place, "\(run.lines)")
        }
    }

    @Test func `Stray links of a deleted object do not become links of a new one`() throws {
        let bench = try EngineBench(BookImport.model, .sqlite)
        defer { bench.keep() }
        try bench.load(csv: "name\nx\ny\n", "Tag")
        let store = try #require(bench.store as? SQLiteStore)
        try store.publish()
        try store.connection.execute("INSERT INTO Z_2TAGS VALUES (1, 1)")
        try bench.load(csv: "isbn,tags\na,y\nb,x\n", "Book")
        #expect(try bench.table("Book", "isbn", "tags") == "isbn,tags\na,y\nb,x\n")
    }

    /// An update sets a list, and a later job adds a member or sets the list again.
    @Test(arguments: ["isbn,tags\na,y\n", "isbn,tags\na,y;x\n"], EngineBench.Kind.allCases)
    func `Lists that several jobs set are compared once`(_ later: String, _ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(BookImport.model, kind)
        defer { bench.keep() }
        try bench.load(csv: "name\nx\ny\nz\n", "Tag")
        let jobs = [
            EngineBench.job(csv: "isbn,tags\na,x\nb,z\n", "Book", EngineBench.update),
            EngineBench.job(csv: later, "Book", name: "later.csv") {
                if later.hasSuffix(";x\n") { $0.onConflict = .update } else { $0.linkRelationship = "tags" }
            },
        ]
        try bench.load(jobs)
        let versions = try (1...2).map { try bench.version("Book", $0) }
        let again = try bench.load(jobs)
        #expect(again.counts == RecordCounts(unchanged: 3), "\(again.counts)")
        #expect(try (1...2).map { try bench.version("Book", $0) } == versions)
        #expect(try bench.table("Book", "isbn", "tags") == "isbn,tags\na,x;y\nb,z\n")
    }

    @Test func `A hint names no object that a lookup would have created`() throws {
        let bench = try EngineBench(BookImport.model, .memory)
        let run = try bench.load(csv: "isbn,author,editor\na,Jon Smith,Jon Smyth\n", "Book") {
            $0.missingPolicies["author"] = .create
        }
        #expect(run.messages == [#"there is no Author with the key "Jon Smyth""#])
    }

    @Test func `A rejected record creates no object, and the next one can create it`() throws {
        let bench = try EngineBench(BookImport.model, .sqlite)
        defer { bench.keep() }
        let text = "isbn,pages,author,tags\na,1,ann,x\na,2,bob,y\nb,zz,cyd,z\nc,3,cyd,y;x\n"
        let run = try bench.load(csv: text, "Book", run: TestImport.keepGood) { $0.onMissing = .create }
        #expect(run.counts == RecordCounts(created: 2, rejected: 2) && run.report.madeByLookup == 4)
        #expect(try bench.table("Author", "$id", "name") == "$id,name\nAuthor/p1,ann\nAuthor/p2,cyd\n")
        #expect(try bench.table("Tag", "$id", "name") == "$id,name\nTag/p1,x\nTag/p2,y\n")
    }
}

@Suite struct KnownReferencesLongTests {
    @Test(arguments: 0..<20)
    func `References that are known while reading have the same result as those that wait`(_ part: Int) throws {
        for seed in part * 20..<(part + 1) * 20 {
            _ = try BookImport(seed: seed + 1000, rows: seed % 50 == 0 ? 3000 : 30).check(seed)
        }
    }
}
