import Foundation
import GranarySQLite
import TestSupport
import Testing

/// `kill -9` at 200 moments: the store is then the one before or the one after.
@Suite struct CrashTests {
    private let folder: TemporaryFolder
    private let contents = StoreContents(model: DiagnosisTable.model)

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    @Test func aStoreInTheMakingIsThereWholeOrNotAtAll() throws {
        let place = path("place")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let store = place + "/New.sqlite"
        let file = try folder.write(DiagnosisTable.csv(isOdd: false), to: "even.csv").path
        var before: Set<String> = []
        func names() -> Set<String> {
            Set((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [])
        }
        func newNames() -> Set<String> { names().subtracting(before) }
        var run = CrashRun(
            arguments: DiagnosisTable.importArguments(file, into: store),
            signs: [
                { _ in !newNames().isEmpty },
                { _ in newNames().contains { (Self.size(of: "\(place)/\($0)") ?? 0) > 1 << 16 } },
            ])
        let whole = try run.kill(at: CrashMoment(mark: 0, part: nil))
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(names().sorted() == ["New.sqlite"])
        let finished = try contents.document(of: store)
        try FileManager.default.removeItem(atPath: store)

        var endings = (before: 0, after: 0)
        for moment in CrashMoment.series(count: 100, marks: 3, seed: 1) {
            // What the last run left lies beside this one's store.
            before = names()
            let result = try run.kill(at: moment)
            // A run that was not killed early has already removed it.
            for name in before { try? FileManager.default.removeItem(atPath: "\(place)/\(name)") }
            let others = names().filter { name in
                // SQLite may have put its journal beside the file in the making.
                name != "New.sqlite" && !name.hasSuffix(".partial") && !name.hasSuffix(".partial-journal")
            }
            #expect(others.isEmpty, "\(moment)")
            if names().contains("New.sqlite") {
                let isFinished = try contents.document(of: store) == finished
                #expect(isFinished, "\(moment)")
                endings.after += 1
                try FileManager.default.removeItem(atPath: store)
            } else {
                #expect(result.status == SIGKILL, "\(moment): \(result.errors)")
                endings.before += 1
            }
        }
        #expect(endings.before > 0 && endings.after > 0, "\(endings)")
        // Whatever was left behind, the name is free.
        let last = try Granary.run(DiagnosisTable.importArguments(file, into: store))
        #expect(last.status == 0, "\(last.errors)")
        let isFinished = try contents.document(of: store) == finished
        #expect(isFinished)
    }

    /// In both journal modes: Core Data's own stores have a write-ahead log.
    @Test(arguments: [("delete", 80), ("wal", 20)])
    func aStoreThatIsWrittenIsTheOneBeforeOrTheOneAfter(journalMode: String, count: Int) throws {
        let base = path("Base.sqlite")
        let store = path("Seed.sqlite")
        let even = try folder.write(DiagnosisTable.csv(isOdd: false), to: "even.csv").path
        let odd = try folder.write(DiagnosisTable.csv(isOdd: true), to: "odd.csv").path
        let first = try Granary.run(DiagnosisTable.importArguments(even, into: base))
        #expect(first.status == 0, "\(first.errors)")
        let connection = try Connection(path: base, mode: .readWrite)
        let mode = try connection.text(pragma: "journal_mode = \(journalMode)")
        #expect(mode == journalMode)
        try connection.close()
        let documentBefore = try contents.document(of: base)
        let size = Self.size(of: base) ?? 0

        func reset() throws {
            for suffix in ["", "-journal", "-wal", "-shm"] where Self.size(of: store + suffix) != nil {
                try FileManager.default.removeItem(atPath: store + suffix)
            }
            try FileManager.default.copyItem(atPath: base, toPath: store)
        }
        let companion = store + (journalMode == "wal" ? "-wal" : "-journal")
        var run = CrashRun(
            arguments: DiagnosisTable.importArguments(odd, into: store),
            signs: [
                // An empty log exists from the first read on.
                { _ in (Self.size(of: companion) ?? 0) > 0 },
                // The rows are on their way into the file, or into the log.
                { _ in
                    journalMode == "wal"
                        ? (Self.size(of: companion) ?? 0) > 1 << 16 : (Self.size(of: store) ?? 0) > size
                },
            ])
        try reset()
        let whole = try run.kill(at: CrashMoment(mark: 0, part: nil))
        #expect(whole.status == 0, "\(whole.errors)")
        let documentAfter = try contents.document(of: store)
        #expect(documentBefore.utf8.count < documentAfter.utf8.count)

        var endings = (before: 0, after: 0, withCompanion: 0)
        for moment in CrashMoment.series(count: count, marks: 3, seed: 2) {
            try reset()
            let result = try run.kill(at: moment)
            if (Self.size(of: companion) ?? 0) > 0 { endings.withCompanion += 1 }
            let document = try contents.document(of: store)
            if document == documentAfter {
                #expect(result.status == 0 || result.status == SIGKILL, "\(moment): \(result.errors)")
                endings.after += 1
            } else {
                let isBefore = document == documentBefore
                #expect(isBefore, "\(moment)")
                #expect(result.status == SIGKILL, "\(moment): \(result.errors)")
                endings.before += 1
            }
        }
        #expect(endings.before > 0 && endings.after > 0, "\(endings)")
        // Some died in the middle of it, and their journal was what saved the store.
        #expect(endings.withCompanion > 0, "\(endings)")
    }
}
