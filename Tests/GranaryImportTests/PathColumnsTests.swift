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
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Columns inside objects and lists.
@Suite struct PathColumnsTests {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "P",
            [
                .attribute("name", .string), .attribute("email", .string), .attribute("age", .integer16),
                .attribute("url", .string, .defaultValue(.string("none"))), .attribute("lat", .double),
                .attribute("shape", .transformable), .toOne("home", "A", inverse: nil),
                .toMany("tags", "T", inverse: "ps"),
            ], unique: [["name"]]),
        EntityDescription("A", [.attribute("street", .string), .attribute("zip", .string)], unique: [["street"]]),
        EntityDescription("T", [.attribute("word", .string), .toMany("ps", "P", inverse: "tags")], unique: [["word"]]),
    ])

    struct Case: Sendable, CustomTestStringConvertible {
        let record: String
        let map: [String: String]
        let ignored: Set<String>
        /// The values of name, email, age, url and lat, or the messages.
        let expected: [String]

        init(_ record: String, _ map: [String: String], _ ignored: Set<String> = [], _ expected: String...) {
            (self.record, self.map, self.ignored, self.expected) = (record, map, ignored, expected)
        }

        var testDescription: String { record }
    }

    static let cases = [
        Case(#"{"name":"n","contact":{"email":"e"}}"#, ["contact.email": "email"], [], "n,e,,none,"),
        Case(#"{"name":{"common":"n","more":{"x":1}}}"#, ["name.common": "name"], ["name.more"], "n,,,none,"),
        Case(#"{"name":{"common":"n","native":{"de":"m"}}}"#, ["name.common": "name"], ["name"], "n,,,none,"),
        Case(
            #"{"name":{"common":"n","native":{"de":"m"}}}"#, ["name.common": "name", "name.native.de": "email"], [],
            "n,m,,none,"),
        Case(#"{"name":"n","images":[{"url":"u"}]}"#, ["images.0.url": "url"], [], "n,,,u,"),
        Case(#"{"name":"n","images":[{"url":"u"},{"url":"v"}]}"#, ["images.1.url": "url"], ["images"], "n,,,v,"),
        Case(#"{"name":"n","xy":[8,50.5]}"#, ["xy.1": "lat"], ["xy"], "n,,,none,50.5"),
        Case(#"{"name":"n","g":{"xy":[8,50.5]}}"#, ["g.xy.1": "lat", "g.xy.0": "age"], [], "n,,8,none,50.5"),
        // The real name has dots.
        Case(#"{"name":"n","contact.email":"e"}"#, ["contact.email": "email"], [], "n,e,,none,"),
        Case(#"{"name":"n","a":{"b.c":"e"}}"#, ["a.b.c": "email"], [], "n,e,,none,"),
        // NULL and missing parts.
        Case(#"{"name":"n","c":null}"#, ["c.u": "url"], [], "n,,,,"),
        Case(#"{"name":"n","c":[]}"#, ["c.0.u": "url"], [], "n,,,,"),
        Case(#"{"name":"n","c":[{"u":"x"}]}"#, ["c.0.u": "email", "c.1.u": "url"], [], "n,x,,,"),
        Case(#"{"name":"n","c":{}},{"name":"m","c":{"u":"x"}}"#, ["c.u": "url"], [], "n,,,none,", "m,,,x,"),
        // What has no property is not lost.
        Case(
            #"{"name":"n","c":{"u":"x","phone":1}}"#, ["c.u": "url"], [],
            #"1:35 P has no property for the column "c.phone" --ignore c.phone"#),
        Case(
            #"{"name":"n","c":{"u":"x","d":{"e":1}}}"#, ["c.u": "url"], [],
            #"1:31 P has no property for the column "c.d"; its value is an object with "c.d.e" --ignore c.d"#),
        Case(
            #"{"name":"n","c":[{"u":"x"},{"u":"y"}]}"#, ["c.0.u": "url"], [],
            #"1:29 P has no property for the column "c"; its value is a list of objects with "u" --ignore c"#),
        Case(
            #"{"name":"n","c":"text"},{"name":"m","c":{"u":"x"}}"#, ["c.u": "url"], [],
            #"1:18 P has no property for the column "c" --ignore c"#),
        Case(#"{"name":"n","c":"text"},{"name":"m","c":{"u":"x"}}"#, ["c.u": "url"], ["c"], "n,,,none,", "m,,,x,"),
        Case(
            #"{"name":"n","c":"text"},{"name":"m","c":{"u":"x"}}"#, ["c.u": "url"], ["*"],
            #"1:18 expected an object at "c", inside of which "c.u" is --ignore c"#),
        Case(
            #"{"name":"n","c":[{"u":"x"}]},{"name":"m","c":{"u":"x"}}"#, ["c.u": "url"], ["*"],
            #"1:19 expected an object at "c", inside of which "c.u" is --ignore c"#),
        Case(#"{"name":"n","c":[{"u":"x"},{"u":"y"}]}"#, ["c.0.u": "url"], ["*"], "n,,,x,"),
        Case(
            #"{"name":"n","c":{"u":"x"},"c.u":"y"}"#, ["c.u": "url"], [],
            #"1:34 the member "c.u" occurs twice in one object "#),
        Case(#"{"name":"n","c":{"v":"x"}}"#, ["c.u": "url"], ["c"], #"there is no column "c.u" to map"#),
    ]

    private static func outcome(_ run: TestImport, _ bench: EngineBench) throws -> [String] {
        guard run.problems.isEmpty else {
            return run.report.diagnostics.map { diagnostic in
                var place = ""
                if let position = diagnostic.position, diagnostic.code != .headerMissing {
                    place = "\(position.line):\(position.column) "
                }
                return place + diagnostic.message + " " + (diagnostic.help ?? "")
            }
        }
        return try bench.table("P", "name", "email", "age", "url", "lat").split(separator: "\n").dropFirst().map(
            String.init)
    }

    @Test(arguments: cases)
    func `A path is a column`(_ item: Case) throws {
        let text = "[\(item.record)]"
        var hints: [String] = []
        for byRecord in [true, false] {
            var run = ImportRunOptions()
            run.readsRecordByRecord = byRecord
            let bench = try EngineBench(Self.model, .memory)
            let found = try bench.load(json: text, "P", run: run) {
                $0.columnMap = item.map
                ($0.ignoredColumns, $0.ignoresOtherColumns) = (
                    item.ignored.subtracting(["*"]), item.ignored.contains("*")
                )
            }
            let outcome = try Self.outcome(found, bench)
            #expect(outcome.map { $0.split(separator: "; did you").first.map(String.init) ?? $0 } == item.expected)
            hints = outcome
        }
        guard !item.expected.contains(where: { $0.contains("1:") }), !item.record.contains("null"),
            !item.record.contains(".5")
        else { return }
        let bench = try EngineBench(Self.model, .memory)
        var options = ImportOptions()
        options.columnMap = item.map
        (options.ignoredColumns, options.ignoresOtherColumns) = (
            item.ignored.subtracting(["*"]), item.ignored.contains("*")
        )
        let list = PropertyListReader(ByteSource(bytes: WrappedRecordsTests.propertyList(text), name: "in.plist"))
        let found = try TestImport.of([list], "P", bench.store, options)
        #expect(try Self.outcome(found, bench) == hints)
    }

    @Test func `A path in CSV is the name of a column`() throws {
        let bench = try EngineBench(Self.model, .memory)
        let run = try bench.load(csv: "name,c,c.u,c.v\nn,1,x,y\n", "P") {
            $0.columnMap = ["c.u": "url"]
            $0.ignoredColumns = ["c"]
        }
        #expect(run.messages == [#"P has no property for the column "c.v""#])
    }

    @Test func `Related objects and JSON values are inside paths too`() throws {
        let bench = try EngineBench(Self.model, .memory)
        let text = #"""
            [{"name":"n","data":{"geo":{"type":"Point","xy":[1,2]},"address":{"street":"s","zip":"1"},"words":[{"word":"a"},{"word":"b"}]}},
             {"name":"m","data":{"geo":[[3]],"address":"s","words":["b"]}}]
            """#
        let run = try bench.load(json: text, "P") {
            $0.columnMap = ["data.geo": "shape", "data.address": "home", "data.words": "tags"]
            $0.missingPolicies = ["tags": .create]
        }
        #expect(run.problems == [] && run.counts == RecordCounts(created: 2), "\(run.messages)")
        #expect(try bench.table("P", "name", "home.zip") == "name,home.zip\nn,1\nm,1\n")
        #expect(try bench.table("T", "word") == "word\na\nb\n")
        #expect(
            try bench.document().contains(#""shape": {"type":"Point","xy":[1,2]}"#)
                || bench.document().contains(#""shape":{"type":"Point","xy":[1,2]}"#))
        #expect(try bench.faults() == [])
    }

    @Test func `A path inside a related object is a column of that object`() throws {
        let bench = try EngineBench(Self.model, .memory)
        let text = #"[{"name":"n","home":{"street":"s","post":{"code":"1","x":2}}}]"#
        let run = try bench.load(json: text, "P") {
            $0.columnMap = ["post.code": "zip"]
            $0.ignoredColumns = ["post.x"]
        }
        #expect(run.problems == [], "\(run.messages)")
        #expect(try bench.table("P", "name", "home.zip") == "name,home.zip\nn,1\n")
    }

    @Test func `A column with a property has no columns inside`() throws {
        let bench = try EngineBench(Self.model, .memory)
        let error = #expect(throws: GranaryError.self) {
            try bench.load(json: "[]", "P") { $0.columnMap = ["c": "shape", "c.u": "url"] }
        }
        #expect(error?.code == .usage && error?.message.contains("\"c.u\" inside it") ?? false)
    }

    /// Records with objects, and the same records whose members have the paths as names.
    @Test func `Random records are read as if their paths were names`() throws { try Self.checkRandomRecords(0..<12) }

    static func checkRandomRecords(_ seeds: Range<Int>) throws {
        var random = SeededGenerator(seed: UInt64(5 + seeds.lowerBound))
        func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
        let options: @Sendable (inout ImportOptions) -> Void = {
            $0.columnMap = ["c.email": "email", "c.geo.lat": "lat", "i.0.url": "url", "i.1": "age", "c.home": "home"]
            $0.ignoredColumns = ["c.geo.lon", "x.y"]
            $0.onMissing = .create
        }
        for seed in seeds {
            let bad = [1 << 30, 40, 8][seed % 3]
            var nested: [String] = []
            var flat: [String] = []
            for number in 0..<300 {
                var contact: [(String, String)] = []
                var geo: [(String, String)] = []
                if number < 3 || chance(2) { contact.append(("email", chance(bad) ? "7" : "\"e\(number % 7)\"")) }
                if number < 3 || chance(2) { geo.append(("lat", chance(bad) ? "\"x\"" : "\(number).5")) }
                if number < 3 || chance(3) { geo.append(("lon", "[1,{\"q\":2}]")) }
                if number < 3 || chance(2) {
                    contact.append(("home", chance(3) ? "{\"street\":\"s\(number % 4)\"}" : "\"s\(number % 5)\""))
                }
                if chance(bad) { contact.append(("phone", "1")) }
                let list = number < 3 || chance(2) ? ["{\"url\":\"u\(number)\"}", "\(number)"] : []
                func object(_ members: [(String, String)]) -> String {
                    "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
                }
                let name = ("name", chance(bad) ? "\"n1\"" : "\"n\(number)\"")
                var parts = contact
                parts.insert(("geo", object(geo)), at: chance(2) ? 0 : parts.count)
                var members = [name, ("c", object(parts)), ("x", "{\"y\":1}")]
                if !list.isEmpty { members.append(("i", "[\(list.joined(separator: " , "))]")) }
                nested.append(object(members))
                var plain =
                    [name]
                    + parts.flatMap { part in
                        part.0 == "geo" ? geo.map { ("c.geo." + $0, $1) } : [("c." + part.0, part.1)]
                    }
                plain.append(("x.y", "1"))
                if !list.isEmpty { plain += [("i.0.url", "\"u\(number)\""), ("i.1", "\(number)")] }
                flat.append(object(plain))
            }
            func load(_ records: [String], byRecord: Bool) throws -> (String, RecordCounts, [String]) {
                let bench = try EngineBench(Self.model, seed % 10 == 0 ? .sqlite : .memory)
                defer { bench.keep() }
                var run = ImportRunOptions()
                run.readsRecordByRecord = byRecord
                run.mode = .keepGood
                let found = try bench.load(json: "[\(records.joined(separator: ",\n"))]", "P", run: run, options)
                #expect(try bench.faults() == [])
                let problems = found.report.diagnostics.map {
                    "\($0.position?.line ?? 0) \($0.field ?? "") \($0.message)"
                }
                return (try bench.document(), found.counts, problems.sorted())
            }
            let expected = try load(flat, byRecord: true)
            #expect(try load(nested, byRecord: true) == expected, "seed \(seed)")
            #expect(try load(nested, byRecord: false) == expected, "seed \(seed)")
            #expect(seed % 3 != 0 || expected.2 == [], "\(expected.2)")
        }
    }

    // MARK: All other columns

    @Test func `All other columns are ignored`() throws {
        let others: @Sendable (inout ImportOptions) -> Void = { $0.ignoresOtherColumns = true }
        let bench = try EngineBench(Self.model, .memory)
        #expect(try bench.load(csv: "name,x,y\na,1,2\n", "P", others).counts == RecordCounts(created: 1))
        let json = #"[{"name":"b","x":{"email":"no"},"home":{"street":"s","zip":"1","q":[]}}]"#
        let run = try bench.load(json: json, "P", others)
        #expect(run.counts == RecordCounts(created: 1), "\(run.messages)")
        #expect(try bench.table("P", "name", "email", "home.zip") == "name,email,home.zip\na,,\nb,,1\n")
        // Columns that the options name must exist.
        let missing = try bench.load(csv: "name,x\nc,1\n", "P") {
            $0.ignoresOtherColumns = true
            $0.ignoredColumns = ["other"]
        }
        #expect(missing.messages == [#"there is no column "other" to ignore"#])
        // Something must be left.
        for text in ["x,y\n1,2\n"] {
            #expect(try bench.load(csv: text, "P", others).messages.first?.contains("all columns") ?? false)
        }
        let none = try bench.load(json: #"[{"x":1},{"y":2}]"#, "P", others)
        #expect(none.messages.first?.contains("all columns are ignored") ?? false && none.report.isRefused)
        let wrapped = try bench.load(json: #"{"rows":[{"name":"c"}],"n":1}"#, "P", others)
        #expect(wrapped.messages.first?.contains(#"the records are in "rows""#) ?? false, "\(wrapped.messages)")
        #expect(try bench.count("P") == 2)
    }

    // MARK: Rejects

    /// A document, its places, the numbers of its records that are bad, and the rejects file.
    private static let rejects: [(String, [RecordPlace], String?, String)] = [
        (
            #"{"n":1,"data":{"items":[{"name":"a"},{"name":1},{"name":"b","q":2}],"more":[]}}"#,
            [RecordPlace("data.items", entity: "P"), RecordPlace("data.more", entity: "T")], nil,
            "{\n\"data\": {\n\"items\": [\n{\"name\":1},\n{\"name\":\"b\",\"q\":2}],\n\"more\": null}}\n"
        ),
        (
            #"{"t":{"x":{"lat":1},"y":{"lat":"z"}}}"#, [RecordPlace("t", entity: "P")], "name",
            "{\n\"t\": {\n\"y\": {\"lat\":\"z\"}}}\n"
        ),
        (
            #"[0,{"a":[{"name":{}}]}]"#, [RecordPlace("1.a", entity: "P")], nil,
            "[\nnull,\n{\n\"a\": [\n{\"name\":{}}]}]\n"
        ),
    ]

    @Test(arguments: rejects.indices)
    func `The rejects file has the places of the document`(_ index: Int) throws {
        let (text, places, key, expected) = Self.rejects[index]
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "bad.json").path
        var options = SourceOptions()
        (options.format, options.recordPlaces, options.recordKey) = (.json, places, key)
        func load(_ source: ImportSource, rejects: String?) throws -> ImportReport {
            var run = ImportRunOptions()
            (run.mode, run.rejectsPath) = (.keepGood, rejects)
            let store = try ExportSamples.store(Self.model)
            return try Importer(jobs: [ImportJob(entity: nil, sources: [source])], run: run).run(into: store)
        }
        let first = try load(.bytes(Data(text.utf8), name: "in.json", options: options), rejects: path)
        #expect(first.rejected > 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == expected)
        let again = try load(.file(URL(filePath: path), options: options), rejects: nil)
        #expect(again.rejected == first.rejected && again.read == first.rejected)
        #expect(again.diagnostics.map(\.code) == first.diagnostics.map(\.code))
        // A property list has the same shape.
        options.format = .plist
        let list = folder.url.appending(path: "bad.plist").path
        let bytes = Data(WrappedRecordsTests.propertyList(text))
        let third = try load(.bytes(bytes, name: "in.plist", options: options), rejects: list)
        let fourth = try load(.file(URL(filePath: list), options: options), rejects: nil)
        #expect(third.rejected == first.rejected && fourth.read == first.rejected && fourth.rejected == first.rejected)
    }

    @Test func `Entities of places are checked`() throws {
        func load(_ entity: String?, _ places: [RecordPlace]) throws -> ImportReport {
            var options = SourceOptions()
            (options.format, options.recordPlaces) = (.json, places)
            let source = ImportSource.bytes(
                Data(#"{"a":[{"name":"x","home":"s"}],"b":[{"street":"s"}]}"#.utf8), name: "in.json", options: options)
            return try Importer(jobs: [ImportJob(entity: entity, sources: [source])]).run(
                into: try ExportSamples.store(Self.model))
        }
        let both = [RecordPlace("b", entity: "A"), RecordPlace("a", entity: "P")]
        #expect(try load(nil, both).created == 2)
        #expect(try load("P", [RecordPlace("a")]).rejected == 1)
        for (entity, places, message) in [
            (nil, [RecordPlace("a")], "which entity are the records in \"a\"?"),
            (nil, [RecordPlace("a", entity: "Q")], "the model has no entity \"Q\""),
            ("A", both, "are of P, and the import is of A"),
        ] as [(String?, [RecordPlace], String)] {
            let error = #expect(throws: GranaryError.self) { try load(entity, places) }
            #expect(error?.code == .usage && error?.message.contains(message) ?? false, "\(error?.message ?? "")")
        }
    }
}

@Suite struct PathColumnsLongTests {
    @Test func `Random records are read as if their paths were names`() throws {
        try PathColumnsTests.checkRandomRecords(12..<72)
    }
}
