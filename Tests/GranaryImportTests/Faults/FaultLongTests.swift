import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import TestSupport
import Testing
@testable import GranaryImport

/// Good files, damaged in every way that is known and in random ones. Every damaged row is reported at its line, and
/// every other one is in the store with just its values.
@Suite struct FaultLongTests {
    private static let files = 0..<12
    private static let rowCount = 2_000
    private static let leastDamaged = 1_400

    @Test func `More than fifteen thousand rows are damaged`() {
        #expect(Self.files.count * Self.leastDamaged > 15_000)
    }

    @Test(arguments: files)
    func `Every damaged row is named, and no good row is touched`(_ number: Int) throws {
        let file = FaultFile(seed: UInt64(number), rowCount: Self.rowCount, damaged: 6, by: FaultDamage.all)
        #expect(file.facts.count >= Self.leastDamaged)
        try check(file)
    }

    /// Each damage in files of its own kind, so that none hides behind the others.
    @Test func `Every kind of damage is found by itself`() throws {
        var seed: UInt64 = 1000
        for damage in FaultDamage.kinds {
            seed += 1
            let file = FaultFile(seed: seed, rowCount: 12, damaged: 3, by: [damage], columns: FaultColumn.allCases)
            try check(file, damage.name)
        }
    }

    @Test(arguments: 100..<104)
    func `A file without damage goes in whole`(_ number: Int) throws {
        let file = FaultFile(
            seed: UInt64(number), rowCount: 500, damaged: 0, by: [], columns: FaultColumn.allCases)
        #expect(file.bytes == file.goodBytes)
        try check(file)
    }

    private func check(_ file: FaultFile, _ name: String = "") throws {
        let store = try FaultModel.store()
        let report = try Importer(jobs: [FaultFile.job(file.bytes)], run: FaultCheck.run).run(into: store)
        let check = FaultCheck(report, file.columns, file.records)
        #expect(check.wrongPlaces == [], "\(name)")
        #expect(check.untold(file.facts, lines: file.linesOfRow) == [], "\(name)")
        #expect(try check.differences(store) == [], "\(name)")
        check.checkCounts()
    }
}
