import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Rows that are equal in all columns that are read are one object.
@Suite struct DistinctTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "R",
            [
                .attribute("name", .string), .attribute("color", .string), .attribute("price", .decimal),
                .attribute("size", .integer16, .maximum(9)), .attribute("data", .binary), .attribute("day", .date),
                .toOne("up", "R", inverse: "downs"), .toMany("downs", "R", inverse: "up"),
                .toMany("tags", "T", inverse: "rs"), .toMany("notes", "N", inverse: "r"),
            ], unique: [["name"]]),
        EntityDescription("T", [.attribute("word", .string), .toMany("rs", "R", inverse: "tags")], unique: [["word"]]),
        EntityDescription("N", [.attribute("text", .string), .toOne("r", "R", inverse: "notes")]),
        EntityDescription("Free", [.attribute("a", .integer16), .attribute("b", .string)]),
    ])

    private static let distinct: @Sendable (inout ImportOptions) -> Void = { $0.mergesEqualRows = true }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Equal rows are one object, whatever the columns that are not read`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let text = "name,color,category\nFood,red,Bread\nFood,red,Milk\nToys,,x\n\"Food\",\"red\",Eggs\n"
        let without = try bench.load(csv: text, "R") { $0.ignoredColumns = ["category"] }
        #expect(without.problems == ["3:1 unique.duplicate name", "5:1 unique.duplicate name"])
        let run = try bench.load(csv: text, "R") {
            $0.mergesEqualRows = true
            $0.ignoredColumns = ["category"]
        }
        #expect(run.problems == [] && run.counts == RecordCounts(created: 2, unchanged: 2), "\(run.messages)")
        #expect(try bench.table("R", "name", "color") == "name,color\nFood,red\nToys,\n")
        let skip = try bench.load(csv: text, "R") {
            $0.mergesEqualRows = true
            $0.ignoredColumns = ["category"]
            $0.onConflict = .skip
        }
        #expect(skip.counts == RecordCounts(skipped: 4))
        let update = try bench.load(csv: text.replacing("red", with: "blue"), "R") {
            $0.mergesEqualRows = true
            $0.ignoredColumns = ["category"]
            $0.onConflict = .update
        }
        #expect(update.counts == RecordCounts(updated: 1, unchanged: 3), "\(update.messages)")
        #expect(try bench.faults() == [])
    }

    /// The columns, rows that are equal to the first, and one that is not.
    private static let equal: [(String, [String], String)] = [
        ("name,price", ["a,1.0", "a,1", "a,1.00", "\"a\",1"], "b,1.01"),
        ("name,data", ["a,AQI=", "\"a\",\"AQI=\""], "b,AQM="),
        ("name,day", ["a,2024-01-01T00:00:00Z", "a,2024-01-01T01:00:00+01:00"], "b,2024-01-01T00:00:01Z"),
        ("name,up", ["a,z", "a,\"z\""], "z,"), ("name,up", ["z,", "z,"], "a,z"),
        ("name,tags", ["a,x;y", "a,\"x;y\""], "b,y;x"), ("name,tags", ["a,\"\"\"x\"\";y\"", "a,x;y"], "b,x"),
        ("name,color", ["a,", "a,"], "b,\"\""), ("name,color", ["a,\"x \"\" y\"", "a,\"x \"\" y\""], "b,x"),
        ("name,$id", ["a,R/p1", "a,R/p1"], "b,R/p2"),
    ]

    @Test(arguments: equal.indices, EngineBench.Kind.allCases)
    func `Values are compared, not their texts`(_ index: Int, _ kind: EngineBench.Kind) throws {
        let (header, rows, other) = Self.equal[index]
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let text = ([header] + rows + [other] + rows).map { $0 + "\n" }.joined()
        let run = try bench.load(csv: text, "R") {
            $0.mergesEqualRows = true
            if !header.contains("up") { $0.onMissing = .create }
        }
        #expect(
            run.problems == [] && run.counts == RecordCounts(created: 2, unchanged: rows.count * 2 - 1),
            "\(run.messages)")
        #expect(try bench.faults() == [])
    }

    @Test func `Rows that differ in a value are different, with or without a key`() throws {
        let bench = try EngineBench(Self.model, .memory)
        let free = try bench.load(csv: "a,b\n1,x\n1,y\n1,x\n,x\n,x\n", "Free", Self.distinct)
        #expect(free.counts == RecordCounts(created: 3, unchanged: 2))
        let keyed = try bench.load(csv: "name,color\na,red\na,blue\n", "R", Self.distinct)
        #expect(keyed.problems == ["3:1 unique.duplicate name"])
    }

    @Test func `A missing member, NULL and the empty text are different`() throws {
        let bench = try EngineBench(Self.model, .memory)
        let text = #"[{"a":1},{"a":1,"b":null},{"a":1,"b":""},{"b":"","a":1},{"b":null,"a":1},{"a":1}]"#
        let run = try bench.load(json: text, "Free", Self.distinct)
        #expect(run.problems == [] && run.counts == RecordCounts(created: 3, unchanged: 3), "\(run.problems)")
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `Nested objects count with all that they contain`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        let text = """
            [{"name":"a","notes":[{"text":"x"},{"text":"y"}],"tags":["q",{"word":"r"}]},
             {"tags":["q",{"word":"r"}],"notes":[{"text":"x"},{"text":"y"}],"name":"a"},
             {"name":"b","notes":[{"text":"x"}],"up":{"name":"c","color":"red"}},
             {"name":"b","notes":[{"text":"x"}],"up":{"color":"red","name":"c"}}]
            """
        let other = #"[{"up":{"color":"red","name":"c"},"notes":[{"text":"x"}],"name":"b"}]"#
        var options = ImportOptions()
        (options.mergesEqualRows, options.onMissing) = (true, .create)
        let run = try TestImport.of(
            [TestImport.reader(json: text), TestImport.reader(json: other, name: "2.json")], "R", bench.store, options)
        #expect(run.problems == [] && run.counts == RecordCounts(created: 2, unchanged: 3), "\(run.messages)")
        #expect(run.report.nested == 4, "\(run.report.nested)")
        #expect(try bench.faults() == [])
        let unlike = try bench.load(
            json: #"[{"name":"d","notes":[{"text":"x"}]},{"name":"d","notes":[{"text":"z"}]}]"#, "R", Self.distinct)
        #expect(unlike.problems == ["1:46 unique.duplicate name"], "\(unlike.problems)")
    }

    @Test(arguments: EngineBench.Kind.allCases)
    func `The repeats of a rejected row are rejected with it`(_ kind: EngineBench.Kind) throws {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        try bench.load(csv: "name,color\nold,red\n", "R")
        let text = """
            name,size,up
            old,1,
            old,1,
            big,99,
            big,99,
            lost,2,nobody
            lost,2,nobody
            good,3,
            good,3,
            leaf,4,good
            leaf,4,good

            """
        let run = try bench.load(csv: text, "R", run: TestImport.keepGood, Self.distinct)
        #expect(run.counts == RecordCounts(created: 2, unchanged: 2, rejected: 6), "\(run.problems)")
        let lines = Set(run.report.diagnostics.compactMap(\.position?.line))
        #expect(lines == [2, 3, 4, 5, 6, 7], "\(run.problems)")
        #expect(run.messages.contains("equals the record at in.csv:2, which is rejected"), "\(run.messages)")
        #expect(try bench.table("R", "name", "up") == "name,up\nold,\ngood,\nleaf,good\n")
    }

    @Test func `Rows of several files and of both tokenizers are compared, those of several imports are not`() throws {
        for splitting in [CSVSplitting.native, .libcsv] {
            var source = SourceOptions()
            source.tokenizer = splitting
            source.format = .csv
            let sources = [("a,b\n1,x\n", "1.csv"), ("b,a\n\"x\",1\ny,2\n", "2.csv")].map { text, name in
                ImportSource.bytes(Data(text.utf8), name: name, options: source)
            }
            var options = ImportOptions()
            options.mergesEqualRows = true
            let bench = try EngineBench(Self.model, .memory)
            let job = ImportJob(entity: "Free", sources: sources, options: options)
            #expect(try bench.load([job]).counts == RecordCounts(created: 2, unchanged: 1))
            #expect(try bench.load([job, job]).counts == RecordCounts(created: 4, unchanged: 2))
        }
    }

    /// Generated rows: a slow twin counts different rows. Chunks, single records and both loaders give the same.
    @Test func `Generated rows are as many objects as there are different rows`() throws {
        var random = SeededGenerator(seed: 7)
        let schema = try Self.model.resolved()
        for _ in 0..<6 {
            let rows = (0..<3000).map { _ in
                "\(Int.random(in: 0..<40, using: &random)),\(["x", "\"x\"", "\"y\"\"y\"", "", "\"\""].randomElement(using: &random) ?? "")"
            }
            let different = Set(rows.map { $0.replacing("\"x\"", with: "x") })
            for (threads, loader) in [(0, ImportRunOptions.Loader.sql), (3, .pages), (3, .sql)] {
                let made = try TestImport.sqlite(Self.model)
                defer { withExtendedLifetime(made.folder) {} }
                var run = ImportRunOptions()
                (run.threads, run.loader) = (threads, loader)
                let result = try TestImport.csv(
                    "a,b\n" + rows.map { $0 + "\n" }.joined(), "Free", into: made.store, run: run, Self.distinct)
                #expect(
                    result.counts == RecordCounts(created: different.count, unchanged: rows.count - different.count))
                #expect(try made.store.count(entity: schema.entity(named: "Free")?.index ?? 0) == different.count)
            }
        }
    }

    @Test func `Equal digests of one record are one entry`() {
        var rows = DistinctRows()
        func digest(_ number: Int) -> DistinctRows.Digest { DistinctRows.Content(entity: number).digest }
        func place(_ number: Int) -> RecordLocation { RecordLocation(file: 0, line: number + 1, record: number) }
        for number in 1...10_000 { #expect(rows.insert(digest(number), at: place(number)) == nil) }
        #expect(rows.insert(digest(77), at: place(77)) == nil)
        let first = rows.insert(digest(5000), at: place(20_000))
        #expect(first?.record == 5000 && first?.line == 5001)
    }
}
