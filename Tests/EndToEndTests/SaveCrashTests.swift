import Foundation
import GranarySQLite
import TestSupport
import Testing

/// `kill -9` at 90 moments of a context's save: each store is then the one before or the one after.
@Suite struct SaveCrashTests {
    private let folder: TemporaryFolder
    /// Where the stores lie as they were before, and where they are saved.
    private let base: URL
    private let place: URL

    init() throws {
        folder = try TemporaryFolder()
        base = folder.url.appending(path: "base")
        place = folder.url.appending(path: "place")
        try SaveCrashModel.write(to: folder.url)
    }

    private static func size(of file: String) -> Int? {
        var status = stat()
        return stat(file, &status) == 0 ? Int(status.st_size) : nil
    }

    private func arguments(_ kind: String, in place: URL, round: Int) -> [String] {
        [folder.url.appending(path: "Store.json").path, place.path, kind, String(round)]
    }

    /// Makes the stores that each save begins with.
    private func makeBase(_ kind: String) throws {
        try FileManager.default.createDirectory(at: base, withIntermediateDirectories: false)
        let filled = try Granary.run(arguments(kind, in: base, round: 0), program: "crash-program")
        #expect(filled.status == 0 && filled.output == "ready\nsaved\n", "\(filled.errors)")
    }

    private func reset() throws {
        if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
        try FileManager.default.copyItem(at: base, to: place)
    }

    /// A save, and what shows how far it is; it has come to its end once.
    private func wholeRun(_ kind: String, signs: [(RunningGranary) -> Bool]) throws -> CrashRun {
        var allSigns: [(RunningGranary) -> Bool] = [{ $0.hasPrinted("ready") }]
        allSigns += signs
        var run = CrashRun(
            program: "crash-program", arguments: arguments(kind, in: place, round: 1), signs: allSigns)
        try reset()
        let whole = try run.kill(at: CrashMoment(mark: 0, part: nil))
        #expect(whole.status == 0 && whole.output == "ready\nsaved\n", "\(whole.errors)")
        return run
    }

    /// The binary finds nothing wrong with a store, and as many objects as it should have.
    private func check(_ name: String, in place: URL, count: Int) throws {
        let store = place.appending(path: name + ".sqlite").path
        let model = folder.url.appending(path: name + ".json").path
        let check = try Granary.run(["store", "check", store, "--model", model])
        #expect(check.status == 0 && check.errors.hasSuffix(": 0 errors, 0 warnings\n"), "\(check.errors)")
        let export = try Granary.run([
            "export", "--store", store, "--model", model, "--format", "json", "--output", "-",
        ])
        #expect(export.status == 0 && export.ledger.hasPrefix("exported \(count) = "), "\(export.errors)")
    }

    private func dump(_ name: String, in place: URL) throws -> String {
        try StoreDump.text(of: place.appending(path: name + ".sqlite"))
    }

    /// What was announced has come to pass, and nothing has without a word.
    private func expect(_ isAfter: Bool, _ result: Granary, _ moment: CrashMoment) {
        #expect(result.status == 0 || result.status == SIGKILL, "\(moment): \(result.errors)")
        if result.output.contains("saved") { #expect(isAfter, "\(moment)") }
        if !result.output.contains("ready") { #expect(!isAfter, "\(moment)") }
    }

    /// With a history and external data, in both journal modes: Core Data's own stores have a write-ahead log.
    @Test(arguments: [("delete", 40), ("wal", 20)])
    func aSaveIsThereWholeOrNotAtAll(journalMode: String, count: Int) throws {
        try makeBase("sqlite")
        let connection = try Connection(path: base.appending(path: "Store.sqlite").path, mode: .readWrite)
        let mode = try connection.text(pragma: "journal_mode = \(journalMode)")
        #expect(mode == journalMode)
        try connection.close()
        let before = try dump("Store", in: base)
        try check("Store", in: base, count: 280)
        let size = Self.size(of: base.appending(path: "Store.sqlite").path) ?? 0
        let store = place.appending(path: "Store.sqlite").path
        let companion = store + (journalMode == "wal" ? "-wal" : "-journal")
        var run = try wholeRun(
            "sqlite",
            signs: [
                { _ in (Self.size(of: companion) ?? 0) > 0 },
                // The rows are on their way into the file, or into the log.
                { _ in
                    journalMode == "wal"
                        ? (Self.size(of: companion) ?? 0) > 1 << 14 : (Self.size(of: store) ?? 0) > size
                },
            ])
        let after = try dump("Store", in: place)
        // 200 items - 50 + 60, 11 boxes, 30 tags, 40 notes - 10 + 12.
        try check("Store", in: place, count: 293)
        let isChanged = before != after
        #expect(isChanged)

        var endings = (before: 0, after: 0, withCompanion: 0)
        for moment in CrashMoment.series(count: count, marks: 4, seed: 3) {
            try reset()
            let result = try run.kill(at: moment)
            if (Self.size(of: companion) ?? 0) > 0 { endings.withCompanion += 1 }
            let found = try dump("Store", in: place)
            let isKnown = found == before || found == after
            #expect(isKnown, "\(moment)")
            expect(found == after, result, moment)
            if found == after { endings.after += 1 } else { endings.before += 1 }
        }
        #expect(endings.before > 0 && endings.after > 0, "\(endings)")
        // Some died in the middle of it, and their journal was what saved the store.
        if journalMode == "delete" { #expect(endings.withCompanion > 0, "\(endings)") }
    }

    @Test func anArchiveIsTheOneBeforeOrTheOneAfter() throws {
        let model = folder.url.appending(path: "Store.json")
        // The same bytes hold the same.
        var known: [Data: String] = [:]
        func contents(in place: URL) throws -> String {
            let file = place.appending(path: "Store.archive")
            let bytes = try Data(contentsOf: file)
            if let text = known[bytes] { return text }
            let text = try SaveCrashModel.description(ofArchive: file, model: model)
            known[bytes] = text
            return text
        }
        func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? [] }
        try makeBase("archive")
        let before = try contents(in: base)
        var run = try wholeRun("archive", signs: [{ _ in names().count > 1 }])
        #expect(names() == ["Store.archive"])
        let after = try contents(in: place)
        let isChanged = before != after
        #expect(isChanged)

        var endings = (before: 0, after: 0)
        for moment in CrashMoment.series(count: 20, marks: 3, seed: 4) {
            try reset()
            let result = try run.kill(at: moment)
            let others = names().filter { $0 != "Store.archive" && !$0.hasSuffix(".partial") }
            #expect(others.isEmpty, "\(moment)")
            let found = try contents(in: place)
            let isKnown = found == before || found == after
            #expect(isKnown, "\(moment)")
            expect(found == after, result, moment)
            if found == after { endings.after += 1 } else { endings.before += 1 }
        }
        #expect(endings.before > 0 && endings.after > 0, "\(endings)")
    }

    /// Two stores are two commits, the last store's first: a process may die between them
    /// (docs/core-data-compatibility.md).
    @Test func ofTwoStoresEachIsTheOneBeforeOrTheOneAfter() throws {
        try makeBase("two")
        let before = (things: try dump("Things", in: base), notes: try dump("Notes", in: base))
        try check("Things", in: base, count: 240)
        try check("Notes", in: base, count: 40)
        let things = place.appending(path: "Things.sqlite").path
        let notes = place.appending(path: "Notes.sqlite").path
        // The second is begun when the first has all its rows, and is gone first.
        var run = try wholeRun(
            "two",
            signs: [
                { _ in (Self.size(of: things + "-journal") ?? 0) > 0 },
                { _ in (Self.size(of: notes + "-journal") ?? 0) > 0 },
            ])
        let after = (things: try dump("Things", in: place), notes: try dump("Notes", in: place))
        try check("Things", in: place, count: 251)
        try check("Notes", in: place, count: 42)
        let areChanged = before.things != after.things && before.notes != after.notes
        #expect(areChanged)

        var endings = (before: 0, after: 0)
        for moment in CrashMoment.series(count: 10, marks: 4, seed: 5) {
            try reset()
            let result = try run.kill(at: moment)
            let found = (things: try dump("Things", in: place), notes: try dump("Notes", in: place))
            let areKnown =
                (found.things == before.things || found.things == after.things)
                && (found.notes == before.notes || found.notes == after.notes)
            #expect(areKnown, "\(moment)")
            let isInOrder = found.things != after.things || found.notes == after.notes
            #expect(isInOrder, "\(moment)")
            expect(found.things == after.things, result, moment)
            if found.things == after.things { endings.after += 1 }
            if found.notes == before.notes { endings.before += 1 }
        }
        #expect(endings.before > 0 && endings.after > 0, "\(endings)")
    }
}
