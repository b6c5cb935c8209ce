import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// A dry run says what the run then does, and does nothing; and what both say is what becomes of the store.
@Suite struct DryRunTests {
    /// Items in a store, and a file with some of them as they are, some changed, new ones and bad ones.
    struct Scenario {
        let base: FaultFile
        let job: ImportJob
        let options: ImportRunOptions

        init(_ number: Int) {
            var random = SeededGenerator(seed: UInt64(400 + number))
            var options = ImportOptions()
            options.onConflict = [.update, .replace, .update, .skip][number % 4]
            options.missingPolicies["group"] = [.error, .create, .null][number % 3]
            options.prunes = number % 5 == 0
            options.maximumPruned = .percent(100)
            var run = FaultCheck.run
            if number % 7 == 6 { run.mode = .allOrNothing }
            self.options = run
            // Who is pruned leaves its children; they are no records' business.
            let relationships: [FaultColumn] = options.prunes ? [.group, .tags] : [.group, .parent, .tags]
            let columns = FaultColumn.choice(attributes: 4, relationships: relationships, &random)
            let base = FaultFile(seed: random.next(), rowCount: 120, damaged: 0, by: [], columns: columns)
            self.base = base
            let code = columns.firstIndex(of: .code) ?? 0
            let codes = base.rows.map { $0.cells[code].text }
            let other = FaultFile(
                seed: random.next(), rowCount: 80, damaged: options.prunes ? 0 : 2, by: FaultDamage.texts,
                columns: columns, known: codes)
            let places = base.rows.indices.shuffled(using: &random)
            var rows = places[..<40].map { base.rows[$0] }
            for place in places[40..<65] {
                var row = base.rows[(place + 1) % base.rows.count]
                row.cells[code] = base.rows[place].cells[code]
                rows.append(row)
            }
            let known = Set(codes)
            rows += other.records.compactMap(\.row).filter { !known.contains($0.cells[code].text) }
            // A column that is absent leaves its property, or gives it its default.
            let absent = number % 2 == 0 ? columns.firstIndex { !$0.isRequired && $0 != .group } : nil
            let kept = columns.indices.filter { $0 != absent }
            let lines = rows.map { row in FaultRow(cells: kept.map { row.cells[$0] }).raw }.shuffled(using: &random)
            let header = Array(kept.map { columns[$0].rawValue }.joined(separator: ",").utf8)
            var input = header
            for line in lines { input += [0x0A] + line }
            input.append(0x0A)
            job = FaultFile.job(input, options)
        }

        func fill(_ store: any StoreBackend) throws {
            try FaultModel.fill(store)
            _ = try Importer(jobs: [FaultFile.job(base.bytes)], run: FaultCheck.run).run(into: store)
        }

        func run(isDry: Bool, _ store: any StoreBackend) throws -> ImportReport {
            var run = options
            run.isDryRun = isDry
            return try Importer(jobs: [job], run: run).run(into: store)
        }
    }

    /// All of a report but what no two runs share.
    private static func text(_ report: ImportReport) throws -> String {
        var report = report
        report.isDryRun = false
        report.seconds = 0
        report.run = nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(report), as: UTF8.self)
    }

    @Test(arguments: 0..<2)
    func `The dry run's report is the run's, and the run's is the truth`(_ number: Int) throws {
        try compare(number)
    }

    func compare(_ number: Int) throws {
        let scenario = Scenario(number)
        let store = try ExportSamples.store(FaultModel.model)
        try scenario.fill(store)
        let image = try FaultContents.image(store)
        let before = try FaultContents.of(store)
        let dry = try scenario.run(isDry: true, store)
        #expect(try FaultContents.image(store) == image)
        let real = try scenario.run(isDry: false, store)
        #expect(dry.isDryRun && dry.run == nil && !real.isDryRun)
        #expect(try Self.text(dry) == Self.text(real))
        let after = try FaultContents.of(store)
        Self.check(real, before["Item"] ?? [:], after["Item"] ?? [:])
        #expect(real.madeByLookup == (after["Group"]?.count ?? 0) - (before["Group"]?.count ?? 0))
        #expect(after["Tag"]?.count == before["Tag"]?.count && after["Badge"] == before["Badge"])
        #expect(real.isRefused == (scenario.options.mode == .allOrNothing && real.rejected > 0))
        if real.isRefused { #expect(try FaultContents.image(store) == image) }
    }

    /// The counts, and the properties that are said to have changed, are the differences of the store.
    private static func check(
        _ report: ImportReport, _ before: [[UInt8]: FaultContents.Properties],
        _ after: [[UInt8]: FaultContents.Properties]
    ) {
        let stayed = Set(before.keys).intersection(after.keys)
        let changed = stayed.filter { before[$0] != after[$0] }
        #expect(report.created == after.count - stayed.count)
        #expect(report.pruned == before.count - stayed.count)
        #expect(report.updated == changed.count)
        #expect(report.replaced == 0 || report.replaced == report.updated)
        #expect(report.read == report.created + report.updated + report.unchanged + report.skipped + report.rejected)
        #expect(report.changeCount == report.updated + report.pruned + report.madeByLookup)
        #expect(report.changes.count == report.changeCount)
        var properties: [String: Int] = [:]
        for code in changed {
            let (old, new) = (before[code] ?? [:], after[code] ?? [:])
            for name in Set(old.keys).union(new.keys) where old[name] != new[name] { properties[name, default: 0] += 1 }
        }
        var told: [String: Int] = [:]
        for change in report.changes where change.action == .update || change.action == .replace {
            for name in change.properties { told[name, default: 0] += 1 }
        }
        #expect(told == properties)
    }

    @Test(arguments: 0..<2)
    func `A dry run leaves a store's file as it is`(_ number: Int) throws {
        let scenario = Scenario(number)
        let (store, folder) = try TestImport.sqlite(FaultModel.model)
        try scenario.fill(store)
        try store.publish()
        let path = folder.url.appending(path: "S.sqlite")
        let bytes = try Data(contentsOf: path)
        let image = try FaultContents.image(store)
        let dry = try scenario.run(isDry: true, store)
        #expect(try Data(contentsOf: path) == bytes)
        #expect(try FaultContents.image(store) == image)
        let real = try scenario.run(isDry: false, store)
        #expect(try Self.text(dry) == Self.text(real))
    }
}

@Suite struct DryRunLongTests {
    @Test(arguments: 2..<60)
    func `The dry run's report is the run's, and the run's is the truth`(_ number: Int) throws {
        try DryRunTests().compare(number)
    }

    @Test(arguments: 2..<6)
    func `A dry run leaves a store's file as it is`(_ number: Int) throws {
        try DryRunTests().`A dry run leaves a store's file as it is`(number)
    }

    @Test func `The scenarios have something of everything`() throws {
        var sum = ImportReport()
        for number in 0..<30 {
            let scenario = DryRunTests.Scenario(number)
            let store = try ExportSamples.store(FaultModel.model)
            try scenario.fill(store)
            let report = try scenario.run(isDry: true, store)
            sum.created += report.created
            sum.updated += report.updated
            sum.unchanged += report.unchanged
            sum.skipped += report.skipped
            sum.rejected += report.rejected
            sum.replaced += report.replaced
            sum.madeByLookup += report.madeByLookup
            sum.pruned += report.pruned
        }
        for count in [sum.created, sum.updated, sum.unchanged, sum.skipped, sum.rejected, sum.replaced] {
            #expect(count > 100)
        }
        #expect(sum.madeByLookup > 0 && sum.pruned > 50)
    }
}
