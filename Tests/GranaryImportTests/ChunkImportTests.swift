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

/// However a source is cut into chunks, and however many threads make rows of them, an import does and says the same as
/// one that reads record by record.
@Suite struct ChunkImportTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Kind", [.attribute("name", .string), .toMany("items", "Item", inverse: "kind")], unique: [["name"]]),
        EntityDescription(
            "Item",
            [
                .attribute("code", .string, .required), .attribute("number", .integer32),
                .attribute("title", .string),
                .toOne("kind", "Kind", inverse: "items"), .toOne("parent", "Item", inverse: "children"),
                .toMany("children", "Item", inverse: "parent"),
            ], unique: [["code"]]),
        EntityDescription(
            "Note",
            [
                .attribute("number", .integer16), .attribute("day", .date),
                .attribute("flag", .boolean, .required), .attribute("text", .string),
            ]),
    ])

    private struct Reading: CustomTestStringConvertible {
        var splitting = CSVSplitting.native
        let chunkBytes: Int
        let threads: Int
        /// Whether the source names the entity, as a file does that is named after it.
        var isNamed = false
        var isRecordByRecord = false

        var testDescription: String { "\(splitting), \(chunkBytes) bytes, \(threads) threads" }
    }

    /// What an import has left.
    private struct Outcome: Equatable {
        var counts: RecordCounts
        var diagnostics: [Diagnostic]
        var document: String
        var rejects: [String: Data]
    }

    private static func outcome(
        _ text: String, _ entity: String, _ mode: ImportRunOptions.Mode, _ reading: Reading
    ) throws -> Outcome {
        let bench = try EngineBench(model, .sqlite)
        defer { bench.keep() }
        try bench.load(csv: "name\na\nb\nc\n", "Kind")
        let folder = try TemporaryFolder()
        var options = CSVReader.Options()
        options.splitting = reading.splitting
        let source = ImportSource(name: "in.csv", nests: false) {
            [options] () throws(GranaryError) -> any RecordReader in
            let reader = try CSVReader(
                ByteSource(bytes: Array(text.utf8), name: "in.csv"), options: options, chunkBytes: reading.chunkBytes)
            return reading.isNamed ? EntityReader(reader, entity: entity) : reader
        }
        var run = ImportRunOptions()
        run.mode = mode
        run.threads = reading.threads
        run.readsRecordByRecord = reading.isRecordByRecord
        run.keepsLedger = false
        if mode == .keepGood { run.rejectsPath = folder.url.appending(path: "bad.csv").path }
        let job = ImportJob(entity: reading.isNamed ? nil : entity, sources: [source])
        let report = try Importer(jobs: [job], run: run).run(into: bench.store)
        var rejects: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            rejects[name] = try Data(contentsOf: folder.url.appending(path: name))
        }
        return Outcome(
            counts: RecordCounts(report), diagnostics: report.diagnostics,
            document: try bench.document(), rejects: rejects)
    }

    private static let readings = [
        Reading(chunkBytes: 400, threads: 2, isNamed: true),
        Reading(chunkBytes: 1 << 18, threads: 0), Reading(chunkBytes: 400, threads: 0),
        Reading(chunkBytes: 500, threads: 3), Reading(chunkBytes: 5000, threads: 1),
        Reading(splitting: .libcsv, chunkBytes: 5000, threads: 1),
    ]

    private static func check(_ text: String, _ entity: String, _ mode: ImportRunOptions.Mode) throws -> Outcome {
        var slow = Reading(splitting: .libcsv, chunkBytes: 1 << 18, threads: 0)
        slow.isRecordByRecord = true
        let expected = try outcome(text, entity, mode, slow)
        slow.isNamed = true
        let named = try outcome(text, entity, mode, slow)
        for reading in readings {
            let found = try outcome(text, entity, mode, reading)
            #expect(found == (reading.isNamed ? named : expected), "\(reading.testDescription)")
        }
        return expected
    }

    /// - Parameter badEvery: about one record in so many has something wrong.
    private static func items(_ count: Int, badEvery: Int, seed: UInt64) -> String {
        var generator = SeededGenerator(seed: seed)
        var text = "code,number,title,kind,parent\n"
        for row in 0..<count {
            var fields = ["c\(row)", "\(generator.next() % 1000)", "title \(row)", "abc".randomLetter(&generator), ""]
            if row > 0, generator.next() % 3 == 0 { fields[4] = "c\(generator.next() % UInt64(row))" }
            if generator.next() % 11 == 0 { fields[2] = "\"a \"\"quoted\"\" word,\nand a line\"" }
            if generator.next() % UInt64(badEvery) == 0 {
                switch generator.next() % 7 {
                case 0: fields[1] = "none"
                case 1: fields[0] = "c\(generator.next() % UInt64(row + 1))"
                case 2: fields[3] = "unknown"
                case 3: fields.append("one more")
                case 4: fields[0] = ""
                case 5: fields[4] = "c\(count + 5)"
                default: fields[4] = "c\(generator.next() % UInt64(count))"
                }
            }
            text += fields.joined(separator: ",") + (generator.next() % 50 == 0 ? "\r\n" : "\n")
        }
        return text
    }

    private static func notes(_ count: Int, badEvery: Int, seed: UInt64) -> String {
        var generator = SeededGenerator(seed: seed)
        var text = "number,day,flag,text\n"
        for row in 0..<count {
            var fields = [
                "\(generator.next() % 1000)", "2024-01-\(10 + row % 20)T00:00:00Z", row % 2 == 0 ? "true" : "no",
                "t\(row)",
            ]
            if generator.next() % 13 == 0 { fields[3] = "\"say \"\"\(row)\"\"\"" }
            if generator.next() % 17 == 0 { fields[0] = "" }
            if generator.next() % UInt64(badEvery) == 0 {
                switch generator.next() % 5 {
                case 0: fields[0] = "99999"
                case 1: fields[1] = "2024-02-31T00:00:00Z"
                case 2: (fields[2], fields[0]) = ("", "x")
                case 3: fields.removeLast()
                default: fields[3] = "a \"quote\" inside"
                }
            }
            text += fields.joined(separator: ",") + "\n"
        }
        return text
    }

    @Test func `Rows with keys and references`() throws { try Self.rowsWithKeys(120, seed: 1) }

    static func rowsWithKeys(_ count: Int, seed: UInt64) throws {
        let text = items(count, badEvery: 12, seed: seed)
        let good = try check(text, "Item", .keepGood)
        #expect(good.counts.rejected > count / 24 && good.counts.created > count / 2, "\(good.counts)")
        #expect(good.rejects.count == 2)
        _ = try check(text, "Item", .allOrNothing)
        let clean = try check(items(count, badEvery: 1 << 40, seed: seed), "Item", .allOrNothing)
        #expect(clean.counts == RecordCounts(created: count))
    }

    /// Threads also say what is wrong with such rows.
    @Test func `Rows of attributes alone`() throws { try Self.rowsOfAttributes(300) }

    static func rowsOfAttributes(_ count: Int) throws {
        let good = try check(notes(count, badEvery: 20, seed: 1), "Note", .keepGood)
        #expect(good.counts.rejected > count / 40 && good.counts.created > count / 2, "\(good.counts)")
    }

    /// After 1,000 rejected fields no help is searched, and threads make the diagnostics.
    static func manyProblems() throws {
        let good = try check(notes(6000, badEvery: 4, seed: 2), "Note", .keepGood)
        #expect(good.counts.rejected > 1100 && good.counts.created > 3000, "\(good.counts)")
    }
}

@Suite struct ChunkImportLongTests {
    @Test(arguments: [2] as [UInt64])
    func `Rows with keys and references`(_ seed: UInt64) throws {
        try ChunkImportTests.rowsWithKeys(300, seed: seed)
    }

    @Test func `Rows of attributes alone`() throws { try ChunkImportTests.rowsOfAttributes(1500) }

    @Test func `Rows with many problems`() throws { try ChunkImportTests.manyProblems() }
}

extension String {
    fileprivate func randomLetter(_ generator: inout SeededGenerator) -> String {
        randomElement(using: &generator).map(String.init) ?? ""
    }
}
