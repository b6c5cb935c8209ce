import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// The order of rows and files is no matter: references lead forward, backward, to themselves and in circles.
@Suite struct OrderTests {
    /// The file's rows in one of its orders.
    private static func ordered(_ lines: [[UInt8]], _ order: Int) -> [[UInt8]] {
        var random = SeededGenerator(seed: UInt64(order))
        switch order {
        case 0: return lines
        case 1: return lines.reversed()
        default: return lines.shuffled(using: &random)
        }
    }

    /// Items and what they refer to in one run, the sources in one of their orders too.
    private static func run(
        _ file: FaultFile, _ order: Int, into store: any StoreBackend
    ) throws -> ImportReport {
        var jobs = [FaultFile.job(file.bytes(of: ordered(file.lines, order)))]
        for (entity, csv) in FaultModel.references {
            let source = FaultFile.source(Array(csv.utf8), name: "\(entity).csv")
            jobs.insert(ImportJob(entity: entity, sources: [source]), at: order % 2 == 0 ? 0 : jobs.endIndex)
        }
        return try Importer(jobs: jobs, run: FaultCheck.run).run(into: store)
    }

    private static func columns(_ seed: Int) -> [FaultColumn] {
        var random = SeededGenerator(seed: UInt64(seed))
        return FaultColumn.choice(attributes: 3, relationships: FaultColumn.relationships, &random)
    }

    /// Without damage, and with records that are rejected because of their own values or of records that they refer to.
    /// The order decides which of two records with one key stays, so there are no such records.
    @Test(arguments: zip([1], [2]))
    func `Rows in any order make equal stores`(_ seed: Int, _ damaged: Int) throws {
        try Self.check(seed, damaged, rowCount: 80, orders: 1..<3)
    }

    static func check(_ seed: Int, _ damaged: Int, rowCount: Int, orders: Range<Int>) throws {
        let file = FaultFile(
            seed: UInt64(300 + seed), rowCount: rowCount, damaged: damaged, by: FaultDamage.texts,
            columns: Self.columns(seed))
        let first = try ExportSamples.store(FaultModel.model)
        let report = try Self.run(file, 0, into: first)
        #expect(damaged == 0 ? report.rejected == 0 : report.rejected >= file.facts.count, "\(report.ledger)")
        let expected = try FaultContents.of("Item", in: first)
        for order in orders {
            let store = try ExportSamples.store(FaultModel.model)
            let other = try Self.run(file, order, into: store)
            #expect(other.ledger == report.ledger)
            #expect(FaultContents.differences(try FaultContents.of("Item", in: store), expected) == [])
            #expect(try FaultContents.of("Badge", in: store) == FaultContents.of("Badge", in: first))
        }
    }

    @Test(arguments: [1])
    func `A store in a file is no other`(_ order: Int) throws {
        let columns = Self.columns(7).filter { $0 != .price }
        let file = FaultFile(seed: 310, rowCount: 300, damaged: 2, by: FaultDamage.texts, columns: columns)
        let memory = try ExportSamples.store(FaultModel.model)
        let report = try Self.run(file, 0, into: memory)
        let (store, folder) = try TestImport.sqlite(FaultModel.model)
        defer { withExtendedLifetime(folder) {} }
        #expect(try Self.run(file, order, into: store).ledger == report.ledger)
        let (found, expected) = (try FaultContents.of("Item", in: store), try FaultContents.of("Item", in: memory))
        #expect(FaultContents.differences(found, expected) == [])
    }
}

@Suite struct OrderLongTests {
    @Test(arguments: [0, 2])
    func `A store in a file is no other`(_ order: Int) throws {
        try OrderTests().`A store in a file is no other`(order)
    }

    @Test(arguments: 0..<4, [0, 1, 2])
    func `Rows in any order make equal stores`(_ seed: Int, _ damaged: Int) throws {
        try OrderTests.check(seed, damaged, rowCount: 300, orders: 1..<6)
    }
}
