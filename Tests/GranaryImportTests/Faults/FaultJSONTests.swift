import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Damaged JSON: every damaged record is named, and every other one is in the store with just its values.
@Suite struct FaultJSONTests {
    @Test(arguments: [true, false])
    func `Every damaged record is named, and no good one is touched`(_ isLines: Bool) throws {
        try compare(0, isLines, rowCount: 250)
    }

    func compare(_ number: Int, _ isLines: Bool, rowCount: Int) throws {
        let file = FaultJSON(seed: UInt64(number), rowCount: rowCount, isLines: isLines)
        #expect(file.facts.count > rowCount / 3)
        let store = try FaultModel.store()
        let report = try Importer(entity: "Item", run: FaultCheck.run).run([file.reader()], into: store)
        let check = FaultCheck(report, file.columns, file.records)
        let start = isLines ? 1 : 2
        #expect(check.wrongPlaces == [])
        #expect(check.untold(file.facts, lines: file.lines.indices.map { $0 + start...$0 + start }) == [])
        #expect(try check.differences(store) == [])
        check.checkCounts()
    }

    /// A member that is no property is lost data in every record that has it, not only in the first.
    @Test func `A member that the model does not have rejects each record that has it`() throws {
        let text = """
            [{"code":"k1","name":"Ann"},
            {"code":"k2","name":"Bob","nme":1},
            {"code":"k3","name":"Cy","nme":2}]
            """
        let store = try FaultModel.store()
        let report = try Importer(entity: "Item", run: TestImport.keepGood).run(
            [TestImport.reader(json: text)], into: store)
        #expect(report.created == 1 && report.rejected == 2)
        #expect(report.diagnostics.map { $0.position?.line } == [2, 3])
    }
}

@Suite struct FaultJSONLongTests {
    @Test(arguments: 0..<6, [true, false])
    func `Every damaged record is named, and no good one is touched`(_ number: Int, _ isLines: Bool) throws {
        try FaultJSONTests().compare(number, isLines, rowCount: 1_000)
    }
}
