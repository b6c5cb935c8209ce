import Foundation
import GranarySQLite
import TestSupport
import Testing

/// Several processes on one store.
///
/// No test reads the store's bytes while it holds a lock: closing any file handle gives up all locks that the process
/// has on that file.
@Suite struct TwoProcessesLongTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.url.appending(path: "Seed.sqlite").path
    }

    private func makeStore() throws {
        let run = try Granary.run([
            "import", "--model", DiagnosisTable.model, "--store", store, "--entity", "Injury", "--terms",
            "Burn%C-Spine", "--delimiter", "%", "--attribute", "name", "--ordinal", "key",
        ])
        #expect(run.status == 0, "\(run.errors)")
    }

    /// Adds 40 responders.
    private func importResponders(timeout: String) -> [String] {
        [
            "import", Samples.url("Triage/responders.csv").path, "--model", DiagnosisTable.model, "--store", store,
            "--entity", "Responder", "--busy-timeout", timeout,
        ]
    }

    private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: store)) }

    /// The ways to be in the way: of opening, of beginning, and, for a reader, of the commit alone.
    static let locks = ["BEGIN EXCLUSIVE", "BEGIN IMMEDIATE", "BEGIN; SELECT COUNT(*) FROM ZINJURY"]

    @Test(arguments: locks) func theSecondWaitsForTheFirst(lock: String) throws {
        try makeStore()
        let other = try Connection(path: store, mode: .readWrite)
        try other.execute(lock)
        let running = try Granary.start(importResponders(timeout: "60"))
        // Without the lock it takes less.
        Thread.sleep(forTimeInterval: 0.5)
        #expect(running.isRunning)
        try other.execute("COMMIT")
        let result = try running.finish()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.ledger.hasPrefix("read 40 = created 40 "))
    }

    @Test(arguments: locks) func theSecondGivesUpAfterTheTimeout(lock: String) throws {
        try makeStore()
        let before = try bytes()
        let other = try Connection(path: store, mode: .readWrite)
        try other.execute(lock)
        let result = try Granary.run(importResponders(timeout: "0.2"))
        #expect(result.status == 75, "\(result.errors)")
        #expect(
            result.errors.contains(
                "\(store): the store is in use by another process; try again when it has finished"),
            "\(result.errors)")
        #expect(result.ledger == "read 0 = created 0 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
        try other.execute("COMMIT")
        try other.close()
        #expect(try bytes() == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Seed.sqlite"])
        // Nothing is left in the way of the next.
        let next = try Granary.run(importResponders(timeout: "5"))
        #expect(next.status == 0, "\(next.errors)")
    }

    /// The names in the folder, with lengths and times; opens none of the files.
    private func listing() throws -> [String: String] {
        var found: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.url.path + "/" + name)
            let date = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            found[name] = "\((attributes[.size] as? NSNumber)?.intValue ?? -1) \(date)"
        }
        return found
    }

    /// It reads what was there before the transaction that runs.
    @Test func aReaderReadsACopyAfterTheTimeout() throws {
        try makeStore()
        let before = try bytes()
        let export = try Granary.run(DiagnosisTable.exportArguments(store))
        let other = try Connection(path: store, mode: .readWrite)
        try other.execute("BEGIN EXCLUSIVE; DELETE FROM ZINJURY")
        let files = try listing()
        for arguments in [
            DiagnosisTable.exportArguments(store), ["store", "check", store, "--model", DiagnosisTable.model],
            ["store", "info", store],
        ] {
            let result = try Granary.run(arguments + ["--busy-timeout", "0.1"])
            #expect(result.status == 0, "\(result.errors)")
            if arguments.first == "export" { #expect(result.output == export.output) }
        }
        #expect(try listing() == files)
        try other.execute("ROLLBACK")
        try other.close()
        #expect(try bytes() == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Seed.sqlite"])
    }

    @Test func aReaderLeavesALogThatIsUsedAlone() throws {
        try makeStore()
        let other = try Connection(path: store, mode: .readWrite)
        #expect(try other.text(pragma: "journal_mode = wal") == "wal")
        try other.execute("UPDATE ZINJURY SET ZNAME = 'in the log' WHERE Z_PK = 1")
        let files = try listing()
        let result = try Granary.run(DiagnosisTable.exportArguments(store))
        #expect(result.status == 0 && result.output.contains("in the log"), "\(result.errors)")
        // The index of the log belongs to all of its users.
        let index = "Seed.sqlite-shm"
        var (before, after) = (files, try listing())
        #expect(before.removeValue(forKey: index) != nil && after.removeValue(forKey: index) != nil)
        #expect(after == before)
        try other.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Seed.sqlite"])
    }

    /// The locks of this process survive a reader of its own.
    @Test func readingBesideALockKeepsIt() throws {
        try makeStore()
        let other = try Connection(path: store, mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let reader = try Connection.reading(path: store)
        #expect(try reader.integer("SELECT COUNT(*) FROM ZINJURY") == 2)
        try reader.close()
        let result = try Granary.run(importResponders(timeout: "0.2"))
        #expect(result.status == 75, "\(result.errors)")
        try other.execute("COMMIT")
    }

    @Test func aCopyThatHasNoRoomIsTold() throws {
        try makeStore()
        let other = try Connection(path: store, mode: .readWrite)
        #expect(try other.text(pragma: "journal_mode = wal") == "wal")
        try other.execute("UPDATE ZINJURY SET ZNAME = 'in the log' WHERE Z_PK = 1")
        let copy = folder.url.appending(path: "Copy.sqlite").path
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: store + suffix, toPath: copy + suffix) }
        try other.close()
        let result = try Granary.run(DiagnosisTable.exportArguments(copy), fileBlocks: 8)
        #expect(result.status == 74, "\(result.errors)")
        #expect(result.errors.contains("\(copy): "), "\(result.errors)")
        #expect(result.errors.contains("none can be made"), "\(result.errors)")
        let whole = try Granary.run(DiagnosisTable.exportArguments(copy))
        #expect(whole.status == 0 && whole.output.contains("in the log"), "\(whole.errors)")
    }

    @Test(arguments: ["delete", "wal"]) func readersSeeTheStoreBeforeOrAfter(journalMode: String) throws {
        let even = try folder.write(DiagnosisTable.csv(isOdd: false), to: "even.csv").path
        let odd = try folder.write(DiagnosisTable.csv(isOdd: true), to: "odd.csv").path
        let first = try Granary.run(DiagnosisTable.importArguments(even, into: store))
        #expect(first.status == 0, "\(first.errors)")
        let connection = try Connection(path: store, mode: .readWrite)
        let mode = try connection.text(pragma: "journal_mode = \(journalMode)")
        #expect(mode == journalMode)
        try connection.close()
        let export = DiagnosisTable.exportArguments(store) + ["--busy-timeout", "60"]
        let before = try Granary.run(export).output
        let writer = try Granary.start(
            DiagnosisTable.importArguments(odd, into: store) + ["--busy-timeout", "60"])
        // Four at a time for as long as it writes, and once more.
        var documents: [String] = []
        var isWriting = true
        while isWriting {
            isWriting = writer.isRunning
            var readers: [RunningGranary] = []
            for _ in 0..<4 { readers.append(try Granary.start(export)) }
            for reader in readers {
                let result = try reader.finish()
                #expect(result.status == 0, "\(result.errors)")
                documents.append(result.output)
            }
        }
        let written = try writer.finish()
        #expect(written.status == 0, "\(written.errors)")
        let after = try Granary.run(export).output
        #expect(before.utf8.count < after.utf8.count)
        let areAllKnown = documents.allSatisfy { $0 == before || $0 == after }
        #expect(areAllKnown)
        let last = documents.last == after
        #expect(last)
    }

    @Test func twoWritersBothGetTheirRowsIn() throws {
        try makeStore()
        let even = try folder.write(DiagnosisTable.csv(isOdd: false), to: "even.csv").path
        let odd = try folder.write(DiagnosisTable.csv(isOdd: true), to: "odd.csv").path
        // The odd ones need even ones as parents; both need what makes keys.
        let first = try Granary.run(DiagnosisTable.importArguments(even, into: store))
        #expect(first.status == 0, "\(first.errors)")
        let rows = try Granary.start(
            DiagnosisTable.importArguments(odd, into: store) + ["--busy-timeout", "60"])
        let responders = try Granary.start(importResponders(timeout: "60"))
        for running in [rows, responders] {
            let result = try running.finish()
            #expect(result.status == 0, "\(result.errors)")
        }
        let export = try Granary.run(DiagnosisTable.exportArguments(store))
        let count = 2 * DiagnosisTable.rowCount
        #expect(export.ledger == "exported \(count + 42) = Diagnosis \(count) + Injury 2 + Patient 0 + Responder 40")
        let check = try Granary.run(["store", "check", store, "--model", DiagnosisTable.model])
        #expect(check.status == 0, "\(check.errors)")
    }

    /// One makes the store. The other is refused, or, where it comes late, adds its rows.
    @Test func twoMakersOfOneStore() throws {
        let even = try folder.write(DiagnosisTable.csv(isOdd: false), to: "even.csv").path
        let makers = [
            try Granary.start(DiagnosisTable.importArguments(even, into: store)),
            try Granary.start(importResponders(timeout: "60")),
        ]
        let results = try makers.map { try $0.finish() }
        let winners = results.filter { $0.status == 0 }
        #expect(!winners.isEmpty)
        for loser in results where loser.status != 0 {
            #expect(loser.status == 73, "\(loser.errors)")
            #expect(loser.errors.contains(store), "\(loser.errors)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names == ["Seed.sqlite", "even.csv"])
        let export = try Granary.run(DiagnosisTable.exportArguments(store))
        let rows = results[0].status == 0 ? DiagnosisTable.rowCount : 0
        let responders = results[1].status == 0 ? 40 : 0
        #expect(
            export.ledger
                == "exported \(rows + responders) = Diagnosis \(rows) + Injury 0 + Patient 0 + Responder \(responders)")
        let check = try Granary.run(["store", "check", store, "--model", DiagnosisTable.model])
        #expect(check.status == 0, "\(check.errors)")
    }
}
