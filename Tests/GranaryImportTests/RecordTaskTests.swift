import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryPredicates
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// JSON whose rows are created by threads. The import does and says the same as one that reads record by record.
private struct JSONImport {
    static let model = ManagedObjectModel(entities: [
        EntityDescription("Author", [.attribute("name", .string), .attribute("age", .integer16)], unique: [["name"]]),
        EntityDescription(
            "Tag", [.attribute("name", .string), .toMany("books", "Book", inverse: "tags")], unique: [["name"]]),
        EntityDescription(
            "Book",
            [
                .attribute("isbn", .string), .attribute("pages", .integer16, .defaultValue(.integer(7))),
                .attribute("kind", .string, .required, .defaultValue(.string("novel"))),
                .attribute("price", .double), .attribute("isNew", .boolean, .required), .attribute("day", .date),
                .attribute("settings", .transformable), .attribute("rate", .decimal, .defaultValue(.decimal(5))),
                .attribute("label", .string, .defaultValue(.string("new"))),
                .toOne("author", "Author", inverse: nil), .toOne("sequel", "Book", inverse: nil),
                .toMany("tags", "Tag", inverse: "books"),
            ], unique: [["isbn"]]),
        EntityDescription("Note", [.attribute("number", .integer16, .required), .attribute("text", .string)]),
    ])

    let seed: Int
    let text: String
    let entity: String?
    let isLines: Bool
    let mode: ImportRunOptions.Mode
    let policy: ImportOptions.MissingPolicy
    let onConflict: ImportOptions.ConflictPolicy
    let readsOnce: Bool

    init(seed: Int, records: Int) {
        self.seed = seed
        var random = SeededGenerator(seed: UInt64(seed))
        func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        // Of some files each record is good, and of others hardly one is.
        let bad = pick([1 << 40, 200, 30, 4])
        let nests = pick([0, 1, 2])
        let areLines = Bool.random(using: &random)
        isLines = areLines
        mode = pick([.allOrNothing, .keepGood])
        policy = pick([.create, .create, .null, .error])
        onConflict = pick([.error, .error, .error, .error, .error, .update, .skip])
        readsOnce = chance(5)
        // Names that are special in lists, but valid.
        let odd = chance(2) ? 25 : 1 << 40
        let hasSequels = chance(3)
        func name() -> String {
            chance(odd) ? pick(["\"a;b\"", "\" n1\"", "\"q\\\"q\""]) : "\"n\(Int.random(in: 0..<9, using: &random))\""
        }
        // Before this record there are no references, so none is resolved when the first nested object becomes a row.
        let quiet = nests == 2 ? pick([0, 1, 1, records / 2]) : 0
        func object() -> String {
            nests == 2 && chance(quiet == 1 ? 8 : 300)
                ? "{\"name\":\(name()),\"age\":\(pick([1, 2]))}" : "{\"name\":\(name())}"
        }
        func reference() -> String { chance(6) ? "null" : nests > 0 && chance(2) ? object() : name() }
        func book(_ number: Int) -> String {
            // The first records have all columns, so that rows of the others are created by threads.
            func has(_ one: Int) -> Bool { number < 2 || chance(one) }
            func lacks(_ one: Int) -> Bool { number > 1 && chance(one) }
            var members = ["\"isbn\":\"b\(chance(bad) ? number / 2 : number)\""]
            members.append("\"isNew\":\(chance(bad) ? pick(["1", "\"yes\"", "null", "7"]) : pick(["true", "false"]))")
            if !lacks(5) {
                members.append(
                    "\"pages\":\(chance(bad) ? pick(["1.5", "99999", "[1]", "{}"]) : pick(["12", "null", "\"34\""]))")
            }
            if has(3) {
                members.append(
                    "\"kind\":\(chance(bad) ? pick(["null", "5", "true"]) : pick(["\"story\"", "\"caf\\u00e9\"", "\"\""]))"
                )
            }
            if !lacks(4) { members.append("\"price\":\(pick(["1", "2.50", "1e3", "-0.0"]))") }
            if !lacks(3) { members.append("\"rate\":\(pick(["null", "2.5", "7"]))") }
            if !lacks(3) { members.append("\"label\":\(pick(["null", "\"old\"", "\"none\"", "\"\""]))") }
            if has(4) { members.append("\"day\":\(chance(bad) ? "\"soon\"" : "\"2024-02-29T10:00:00Z\"")") }
            if quiet == 1, number == 0 {
                members.append("\"author\":null,\"tags\":[]")
            } else if number == quiet, quiet > 0 {
                members.append("\"author\":{\"name\":\(name()),\"age\":3}")
            } else if !lacks(4), number > quiet || quiet == 0 {
                members.append("\"author\":\(reference())")
            }
            if !lacks(4), number > quiet || quiet == 0 {
                let objects = nests > 0 && chance(2)
                var names = Set((0..<Int.random(in: 0..<4, using: &random)).map { _ in objects ? object() : name() })
                    .sorted()
                if chance(bad), let first = names.first { names.append(first) }
                if chance(bad) { names.append(pick(["7", "\"a;b\"", "\" n1\"", "\"\"", "[\"n1\"]"])) }
                members.append("\"tags\":[\(names.joined(separator: ", "))]")
            }
            if hasSequels, chance(10), number > 0 {
                members.append(
                    "\"sequel\":\"b\(Int.random(in: 0...number + (chance(bad) ? 500 : 0), using: &random))\"")
            }
            if chance(40) { members.append("\"settings\":{\"a\":[1,\(number)]}") }
            if chance(bad) { members.append(pick(["\"unknown\":1", "\"isbn\":\"again\"", "\"name\":\"n\""])) }
            if chance(8) { members.shuffle(using: &random) }
            let text = "{" + members.joined(separator: chance(9) ? " , " : ",") + "}"
            return areLines && chance(bad) && chance(3)
                ? pick(["{\"isbn\":", "[]", "{\"isbn\":\"\\ud800\"}", ""]) : text
        }
        func note(_ number: Int) -> String {
            chance(bad) ? "{\"number\":\(pick(["70000", "null", "\"x\""]))}" : "{\"number\":\(number),\"text\":\"t\"}"
        }
        let isDocument = !areLines && chance(3)
        let ofNotes = !isDocument && chance(4)
        entity = isDocument ? nil : ofNotes ? "Note" : "Book"
        let lines = (0..<records).map { ofNotes ? note($0) : book($0) }
        let notes = (0..<records / 2).map { note($0) }
        if areLines {
            text = lines.joined(separator: chance(3) ? "\r\n" : "\n")
        } else if isDocument {
            text =
                "{\"entities\":{\"Note\":[\(notes.joined(separator: ","))],\"Book\":[\(lines.joined(separator: ",\n"))]}}"
        } else {
            text = "[" + lines.joined(separator: pick([",", ",\n", ",\n\n  "])) + "]"
        }
    }

    struct Outcome: Equatable {
        var counts: RecordCounts
        var made: Int
        var omitted: [OmittedReferences]
        var diagnostics: [Diagnostic]
        var document: String
        var rejects: [String: Data]
        var failure: String?
    }

    func load(_ kind: EngineBench.Kind, threads: Int?, byRecord: Bool) throws -> Outcome {
        let bench = try EngineBench(Self.model, kind)
        defer { bench.keep() }
        try bench.load(csv: "name\nn1\nn2\n", "Author")
        try bench.load(csv: "name\nn1\n", "Tag")
        let folder = try TemporaryFolder()
        var run = ImportRunOptions()
        (run.mode, run.threads, run.readsRecordByRecord) = (mode, threads, byRecord)
        run.isRevertible = seed % 5 == 0 && kind == .sqlite
        run.keepsLedger = run.isRevertible
        if mode == .keepGood { run.rejectsPath = folder.url.appending(path: "bad.json").path }
        var options = ImportOptions()
        options.onMissing = policy
        options.onConflict = onConflict
        options.missingPolicies["sequel"] = .error
        options.lookups["sequel"] = .attribute("isbn")
        if seed % 4 == 1 { options.trims = true }
        if seed % 4 == 2 { options.emptyIsNull = true }
        do {
            let report: ImportReport
            let source = ImportSource.text(text, format: isLines ? .ndjson : .json, name: "in.json")
            if readsOnce {
                // References to objects of an entity that objects can be nested of wait.
                let reader = try source.makeReader()
                report = try Importer(entity: entity, options: options, run: run).run([reader], into: bench.store)
            } else {
                report = try Importer(jobs: [ImportJob(entity: entity, sources: [source], options: options)], run: run)
                    .run(into: bench.store)
            }
            var rejects: [String: Data] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
                rejects[name] = try Data(contentsOf: folder.url.appending(path: name))
            }
            return Outcome(
                counts: RecordCounts(report), made: report.madeByLookup, omitted: report.omittedReferences,
                diagnostics: report.diagnostics, document: try bench.document(), rejects: rejects)
        } catch let error as GranaryError {
            return Outcome(
                counts: RecordCounts(), made: 0, omitted: [], diagnostics: error.diagnostics,
                document: try bench.document(), rejects: [:], failure: error.message)
        }
    }

    /// - Returns: the outcome.
    static func check(_ seed: Int, records: Int) throws -> Outcome {
        let one = JSONImport(seed: seed, records: records)
        let kind: EngineBench.Kind = seed % 3 == 0 ? .sqlite : .memory
        let expected = try one.load(kind, threads: 0, byRecord: true)
        let found = try one.load(kind, threads: seed % 2, byRecord: false)
        #expect(found.document == expected.document, "seed \(seed)")
        #expect(found == expected, "seed \(seed)")
        return expected
    }
}

@Suite struct RecordTaskTests {
    @Test func `Threads create the rows of JSON records as they are created one by one`() throws {
        var created = 0
        var refused = 0
        for seed in 0..<15 {
            let outcome = try JSONImport.check(seed, records: seed % 15 == 1 ? 1100 : 30)
            created += outcome.counts.created
            refused += outcome.failure != nil || outcome.counts.created == 0 ? 1 : 0
        }
        #expect(created > 100 && refused > 0 && refused < 10, "\(created) \(refused)")
    }

    /// The first reading ends at the nested object, because the reference before it could mean the same author.
    @Test func `A revertible import starts again at a nested object`() throws {
        let bench = try EngineBench(JSONImport.model, .sqlite)
        defer { bench.keep() }
        let text = """
            [{"isbn":"a","isNew":true,"author":"ann"},{"isbn":"b","isNew":true,"author":{"name":"bob","age":3}}]
            """
        var options = ImportOptions()
        options.onMissing = .create
        var run = ImportRunOptions()
        run.isRevertible = true
        for _ in 0..<2 {
            let source = ImportSource.text(text, format: .json, name: "in.json")
            let job = ImportJob(entity: "Book", sources: [source], options: options)
            let report = try bench.load([job], run: run).report
            #expect(report.created == (options.onConflict == .error ? 2 : 0))
            options.onConflict = .update
        }
        let authors = try bench.table("Author", "name", "age").split(separator: "\n")
        #expect(authors.sorted() == ["ann,", "bob,3", "name,age"])
    }
}

@Suite struct RecordTaskLongTests {
    @Test func `Threads create the rows of JSON records as they are created one by one`() throws {
        for seed in 15..<50 { _ = try JSONImport.check(seed, records: seed % 15 == 1 ? 1100 : 30) }
        for seed in 100..<140 { _ = try JSONImport.check(seed, records: seed % 10 == 0 ? 2500 : 300) }
    }
}
