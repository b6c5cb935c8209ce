import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import TestSupport
import Testing
@testable import GranaryImport

/// The rejected rows, mended and imported alone, complete the import.
@Suite struct FaultRejectsTests {
    @Test(arguments: 0..<2)
    func `Mended rejects make the store of the good file`(_ number: Int) throws {
        try Self.check(number, rowCount: 300)
    }

    static func check(_ number: Int, rowCount: Int) throws {
        let folder = try TemporaryFolder()
        let columns = FaultColumn.choice(relationships: FaultColumn.relationships, number)
        // Random bytes may leave a good row with another value.
        let file = FaultFile(
            seed: UInt64(200 + number), rowCount: rowCount, damaged: 3, by: FaultDamage.declared, columns: columns)
        var run = FaultCheck.run
        run.rejectsPath = folder.url.appending(path: "bad.csv").path
        let store = try FaultModel.store()
        let report = try Importer(jobs: [FaultFile.job(file.bytes)], run: run).run(into: store)
        let check = FaultCheck(report, columns, file.records)
        #expect(check.records.count == file.rows.count)
        let rejected = check.records.indices.filter { check.records[$0].isBad }
        #expect(rejected.count > file.facts.count)

        // Each as it was, under the header that it had; the reasons are the report's.
        let written = [UInt8](try Data(contentsOf: folder.url.appending(path: "bad.csv")))
        #expect(written == file.bytes(of: rejected.map { file.lines[$0] }))
        let reasons = try Data(contentsOf: folder.url.appending(path: "bad.csv.reasons.jsonl"))
        let reasonCount = reasons.count(where: { $0 == 0x0A })
        #expect(reasonCount == report.diagnosticCount)

        let mended = file.bytes(of: rejected.map { file.rows[$0].raw })
        let second = try Importer(jobs: [FaultFile.job(mended)], run: run).run(into: store)
        #expect(second.created == rejected.count && second.rejected == 0, "\(second.diagnostics.prefix(3))")
        #expect(second.rejects == [] && !FileManager.default.fileExists(atPath: run.rejectsPath ?? ""))

        let whole = try FaultModel.store()
        let good = try Importer(jobs: [FaultFile.job(file.goodBytes)]).run(into: whole)
        #expect(good.created == file.rows.count, "\(good.diagnostics.prefix(3))")
        for entity in FaultModel.keys.keys {
            let (found, expected) = (try FaultContents.of(entity, in: store), try FaultContents.of(entity, in: whole))
            #expect(FaultContents.differences(found, expected) == [])
        }
    }
}

@Suite struct FaultRejectsLongTests {
    @Test(arguments: 0..<6)
    func `Mended rejects make the store of the good file`(_ number: Int) throws {
        try FaultRejectsTests.check(number, rowCount: 800)
    }
}

extension FaultColumn {
    /// A choice by number.
    fileprivate static func choice(relationships: [FaultColumn], _ number: Int) -> [FaultColumn] {
        var random = SeededGenerator(seed: UInt64(900 + number))
        return choice(attributes: 5, relationships: relationships, &random)
    }
}
