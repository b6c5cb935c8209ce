import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Several files of one import that refer to each other: whatever their order, chunks of records give what single
/// records give, and pages what SQL gives.
@Suite struct SeveralFilesTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Kind", [.attribute("name", .string), .toMany("items", "Item", inverse: "kind")], unique: [["name"]]),
        EntityDescription(
            "Item",
            [
                .attribute("code", .string, .required), .attribute("number", .integer16),
                .toOne("kind", "Kind", inverse: "items"),
            ], unique: [["code"]]),
    ])

    private struct Outcome: Equatable {
        let diagnostics: [Diagnostic]
        let counts: RecordCounts
        let document: String
    }

    private static let kinds = "name\n" + (0..<50).map { "kind \($0)\n" }.joined()
    private static let moreKinds = "name\n" + (50..<60).map { "kind \($0)\n" }.joined()

    /// Items of a few kinds; one of them has a fault every so often.
    private static func items(kinds: Int, faults: Bool) -> String {
        "code,number,kind\n"
            + (0..<700).map { row in
                let kind = row % 13 == 5 ? "" : "kind \(row * 7 % kinds)"
                guard faults else { return "c\(row * 31 % 701),\(row),\(kind)\n" }
                switch row {
                case 111: return "c\(row),40000,\(kind)\n"
                case 222: return "c0,\(row),\(kind)\n"
                case 333: return "c\(row * 31 % 701),\(row),nowhere\n"
                case 444: return "\"c\"\"\(row)\",\(row),\(kind)\n"
                default: return "c\(row * 31 % 701),\(row),\(kind)\n"
                }
            }.joined()
    }

    private static func outcome(
        _ files: [(entity: String, text: String)], _ splitting: CSVSplitting, _ loader: ImportRunOptions.Loader,
        _ mode: ImportRunOptions.Mode
    ) throws -> Outcome {
        let (store, folder) = try TestImport.sqlite(model)
        defer { withExtendedLifetime(folder) {} }
        var options = CSVReader.Options()
        options.splitting = splitting
        let jobs = files.enumerated().map { number, file in
            let name = "\(number).csv"
            let source = ImportSource(name: name, nests: false) {
                [options] () throws(GranaryError) -> any RecordReader in
                try CSVReader(ByteSource(bytes: Array(file.text.utf8), name: name), options: options)
            }
            return ImportJob(entity: file.entity, sources: [source])
        }
        var run = ImportRunOptions()
        (run.loader, run.mode) = (loader, mode)
        let report = try Importer(jobs: jobs, run: run).run(into: store)
        return Outcome(
            diagnostics: report.diagnostics, counts: RecordCounts(report),
            document: try TestImport(store: store, report: report).document)
    }

    @Test(arguments: zip([ImportRunOptions.Mode.keepGood], [true]))
    func theOrderOfFilesDoesNotMatter(_ mode: ImportRunOptions.Mode, _ hasFaults: Bool) throws {
        let known = Self.items(kinds: 50, faults: hasFaults)
        let orders: [[(String, String)]] = [
            [("Kind", Self.kinds), ("Item", known)],
            [("Item", known), ("Kind", Self.kinds)],
            [("Kind", Self.kinds), ("Item", Self.items(kinds: 60, faults: hasFaults)), ("Kind", Self.moreKinds)],
            [("Kind", Self.kinds), ("Item", known), ("Item", "code,number,kind\nlast,1,kind 9\nc3,1,\n")],
        ]
        for order in orders {
            let plain = try Self.outcome(order, .libcsv, .sql, mode)
            #expect(plain.counts.created > 0 || hasFaults || order.count == 3)
            #expect(try Self.outcome(order, .native, .sql, mode) == plain)
            #expect(try Self.outcome(order, .native, .auto, mode) == plain)
        }
    }
}

@Suite struct SeveralFilesLongTests {
    @Test(arguments: zip([ImportRunOptions.Mode.allOrNothing, .allOrNothing, .keepGood], [false, true, false]))
    func theOrderOfFilesDoesNotMatter(_ mode: ImportRunOptions.Mode, _ hasFaults: Bool) throws {
        try SeveralFilesTests().theOrderOfFilesDoesNotMatter(mode, hasFaults)
    }
}
