import Foundation
import GranarySQLite
import TestSupport
import Testing

/// Imports that are interrupted, and imports that meet each other.
@Suite struct InterruptCrashTests {
    private let folder: TemporaryFolder
    private let store: String
    private let ledgerOfNothing = "read 0 = created 0 + updated 0 + unchanged 0 + skipped 0 + rejected 0"

    init() throws {
        folder = try TemporaryFolder()
        store = folder.url.appending(path: "Seed.sqlite").path
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: store)) }

    private func importArguments(_ file: String, _ entity: String) -> [String] {
        ["import", file, "--model", DiagnosisTable.model, "--store", store, "--entity", entity]
    }

    private func importResponders(timeout: String) -> [String] {
        importArguments(Samples.url("Triage/responders.csv").path, "Responder") + ["--busy-timeout", timeout]
    }

    private func makeStore() throws {
        let file = try folder.write("key,name\n0,Burn\n1,Fracture\n", to: "injuries.csv").path
        let run = try Granary.run(importArguments(file, "Injury"))
        #expect(run.status == 0, "\(run.errors)")
        try FileManager.default.removeItem(atPath: file)
    }

    private static let rowCount = 50_000

    /// An import that has much to do when the first rows are on their way into the store.
    private func startLong(_ options: [String] = [], titleLength: Int = 10) throws -> RunningGranary {
        let rows = (0..<Self.rowCount).map { "C\(100_000 + $0)\n" }.joined()
        let file = try folder.write("code\n" + rows, to: "codes.csv").path
        let title = String(repeating: "t", count: titleLength)
        return try Granary.start(importArguments(file, "Diagnosis") + ["--constant", "title=\(title)"] + options)
    }

    private func wait(for running: RunningGranary, until isReached: () throws -> Bool) throws {
        while running.isRunning {
            if try isReached() { return }
            Thread.sleep(forTimeInterval: 0.0002)
        }
        Issue.record("the import was over too soon")
    }

    private func waitForWriting(_ running: RunningGranary) throws {
        try wait(for: running) { FileManager.default.fileExists(atPath: store + "-journal") }
    }

    @Test(arguments: [SIGINT, SIGTERM]) func theStoreIsAsItWas(signal: Int32) throws {
        try makeStore()
        let before = try bytes()
        let running = try startLong(["--mode", "keep-good", "--rejects", folder.url.appending(path: "bad.csv").path])
        try waitForWriting(running)
        running.send(signal)
        let result = try running.finish()
        #expect(result.status == 130, "\(result.errors)")
        #expect(
            result.errors.contains(/error: interrupted after reading [1-9][0-9,]* rows; .*Seed\.sqlite is unchanged/),
            "\(result.errors)")
        #expect(result.ledger == ledgerOfNothing)
        #expect(try bytes() == before)
        #expect(try names == ["Seed.sqlite", "codes.csv"])
    }

    /// A model of one entity whose objects are linked with each other.
    private func makeGraph() throws {
        let model = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="P" syncable="YES">
            <attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="q" optional="YES" toMany="YES" destinationEntity="P" inverseName="r" inverseEntity="P"/>
            <relationship name="r" optional="YES" toMany="YES" destinationEntity="P" inverseName="q" inverseEntity="P"/>
            </entity></model>
            """
        let path = folder.url.appending(path: "Graph.xcdatamodel")
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        try Data(model.utf8).write(to: path.appending(path: "contents"))
        let objects = (1...300).map { number in
            let linked = (1...7).map { "\"P/p\((number * $0 * 31) % 300 + 1)\"" }
            return "{\"$id\": \"P/p\(number)\", \"q\": [\(Set(linked).sorted().joined(separator: ","))]}"
        }
        let file = try folder.write("{\"entities\": {\"P\": [\(objects.joined(separator: ","))]}}", to: "graph.json")
            .path
        let run = try Granary.run(["import", file, "--model", path.path, "--store", store, "--as-is"])
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("A signal ends a search while SQLite runs it", arguments: [SIGINT, SIGTERM], [1, 2])
    func aLongSearchEnds(signal: Int32, signals: Int) throws {
        try makeGraph()
        let before = try bytes()
        let path = String(repeating: "q.", count: 9)
        let running = try Granary.start(["query", store, "P WHERE \(path)@count > 0", "--count"])
        let start = ContinuousClock.now
        try wait(for: running) { ContinuousClock.now - start > .seconds(1) }
        for _ in 0..<signals { running.send(signal) }
        let result = try running.finish()
        #expect(result.status == 130, "\(result.errors)")
        #expect(result.output.isEmpty)
        #expect(try bytes() == before)
    }

    @Test(arguments: [SIGINT, SIGTERM]) func aNewStoreIsNotThere(signal: Int32) throws {
        // So long that what has changed does not stay in memory.
        let running = try startLong(titleLength: 2_500)
        try wait(for: running) {
            guard let name = try names.first(where: { $0.hasSuffix(".partial") }) else { return false }
            var status = stat()
            return stat(folder.url.appending(path: name).path, &status) == 0 && status.st_size > 1 << 20
        }
        running.send(signal)
        let result = try running.finish()
        #expect(result.status == 130, "\(result.errors)")
        #expect(result.errors.contains("interrupted"), "\(result.errors)")
        #expect(result.ledger == ledgerOfNothing)
        #expect(try names == ["codes.csv"])
    }

    /// The first is stopped while it writes, so that there is no race between the two.
    @Test func theSecondOfTwoImportsWaitsOrGivesUp() throws {
        try makeStore()
        let first = try startLong()
        try waitForWriting(first)
        first.send(SIGSTOP)
        let hasty = try Granary.run(importResponders(timeout: "0.2"))
        #expect(hasty.status == 75, "\(hasty.errors)")
        #expect(hasty.errors.contains("\(store): the store is in use by another process"), "\(hasty.errors)")
        #expect(hasty.ledger == ledgerOfNothing)
        let patient = try Granary.start(importResponders(timeout: "60"))
        // Without the first it takes less.
        Thread.sleep(forTimeInterval: 0.5)
        #expect(patient.isRunning)
        first.send(SIGCONT)
        let results = (first: try first.finish(), second: try patient.finish())
        #expect(results.first.status == 0, "\(results.first.errors)")
        #expect(results.second.status == 0, "\(results.second.errors)")
        let export = try Granary.run(DiagnosisTable.exportArguments(store))
        #expect(
            export.ledger
                == "exported \(Self.rowCount + 42) = Diagnosis \(Self.rowCount) + Injury 2 + Patient 0 + Responder 40")
        let check = try Granary.run(["store", "check", store, "--model", DiagnosisTable.model])
        #expect(check.status == 0, "\(check.errors)")
    }
}
