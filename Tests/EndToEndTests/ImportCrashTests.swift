import Foundation
import GranarySQLite
import TestSupport
import Testing

/// `kill -9` at 60 moments of an import that changes a store: rows that update objects and some that are rejected,
/// links, objects that are pruned. The store is then the one before or the one after, in every table.
@Suite struct ImportCrashTests {
    private let folder: TemporaryFolder
    /// Where the store lies as it was before, and where it is imported into.
    private let base: URL
    private let place: URL

    init() throws {
        folder = try TemporaryFolder()
        base = folder.url.appending(path: "base")
        place = folder.url.appending(path: "place")
        try FileManager.default.createDirectory(at: base, withIntermediateDirectories: false)
        try ImportCrashFiles.write(to: base)
    }

    private var store: URL { place.appending(path: "Seed.sqlite") }

    private static func size(of file: String) -> Int? {
        var status = stat()
        return stat(file, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Always the same folder: the ledger of runs has the names of the files.
    private func reset() throws {
        if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
        try FileManager.default.copyItem(at: base, to: place)
    }

    private func makeBase(journalMode: String) throws {
        let filled = try Granary.run(["seed", "before.yaml"], in: base)
        #expect(filled.status == 0, "\(filled.errors)")
        let connection = try Connection(path: base.appending(path: "Seed.sqlite").path, mode: .readWrite)
        let mode = try connection.text(pragma: "journal_mode = \(journalMode)")
        #expect(mode == journalMode)
        try connection.close()
    }

    private func rejects() -> Data? { try? Data(contentsOf: place.appending(path: "bad.csv")) }

    @Test(arguments: [("delete", 40), ("wal", 20)])
    func aStoreThatIsChangedIsTheOneBeforeOrTheOneAfter(journalMode: String, count: Int) throws {
        // The ledger has the time of each run, which must be the same in all of them.
        setenv("SOURCE_DATE_EPOCH", "1700000000", 1)
        try makeBase(journalMode: journalMode)
        let size = Self.size(of: base.appending(path: "Seed.sqlite").path) ?? 0
        try reset()
        let before = try StoreDump.text(of: store)
        let companion = store.path + (journalMode == "wal" ? "-wal" : "-journal")
        let file = store.path
        var run = CrashRun(
            arguments: ["seed", place.appending(path: "after.yaml").path], endStatus: 1,
            signs: [
                { _ in Self.size(of: companion) != nil },
                // The rows are on their way into the file, or into the log.
                { _ in
                    journalMode == "wal"
                        ? (Self.size(of: companion) ?? 0) > 1 << 16 : (Self.size(of: file) ?? 0) > size
                },
            ])
        try reset()
        let whole = try run.kill(at: CrashMoment(mark: 0, part: nil))
        #expect(whole.status == 1, "\(whole.errors)")
        #expect(whole.errors.contains("pruned 50"), "\(whole.errors)")
        let after = try StoreDump.text(of: store)
        let rejectsAfter = rejects()
        #expect(rejectsAfter != nil)
        let isChanged = before != after
        #expect(isChanged)
        let check = try Granary.run(["store", "check", file, "--model", place.appending(path: "Model.json").path])
        #expect(check.status == 0 && check.errors.hasSuffix(": 0 errors, 0 warnings\n"), "\(check.errors)")

        var endings = (before: 0, after: 0, withCompanion: 0)
        for moment in CrashMoment.series(count: count, marks: 3, seed: 6) {
            try reset()
            let result = try run.kill(at: moment)
            if (Self.size(of: companion) ?? 0) > 0 { endings.withCompanion += 1 }
            let found = try StoreDump.text(of: store)
            if found == after {
                #expect(result.status == 1 || result.status == SIGKILL, "\(moment): \(result.errors)")
                // What is not in the store is in the rejects.
                let areWhole = rejects() == rejectsAfter
                #expect(areWhole, "\(moment)")
                endings.after += 1
            } else {
                let isBefore = found == before
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
