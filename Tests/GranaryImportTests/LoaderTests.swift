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

/// Page by page or by SQL, an import stores and says the same.
@Suite struct LoaderTests {
    /// The unique index of a subentity is one over the whole table, B's rows included.
    private static let siblings = ManagedObjectModel(entities: [
        EntityDescription("Parent", [.attribute("name", .string)]),
        EntityDescription("A", [], superentity: "Parent", unique: [["name"]]),
        EntityDescription("B", [], superentity: "Parent"),
    ])

    private static func run(
        _ loader: ImportRunOptions.Loader, _ mode: ImportRunOptions.Mode, isDryRun: Bool
    ) throws -> ImportReport {
        let (store, folder) = try TestImport.sqlite(siblings)
        defer { withExtendedLifetime(folder) {} }
        var run = ImportRunOptions()
        (run.loader, run.mode, run.isDryRun) = (loader, mode, isDryRun)
        let jobs = [("A", "name\nx\ny\n"), ("B", "name\nx\nz\n")].map { entity, text in
            let source = ImportSource(name: entity + ".csv", nests: false) {
                () throws(GranaryError) -> any RecordReader in
                try CSVReader(ByteSource(bytes: Array(text.utf8), name: entity + ".csv"))
            }
            return ImportJob(entity: entity, sources: [source])
        }
        return try Importer(jobs: jobs, run: run).run(into: store)
    }

    @Test(arguments: [ImportRunOptions.Mode.allOrNothing, .keepGood], [false, true])
    func duplicatesAmongSubentitiesAreNamed(_ mode: ImportRunOptions.Mode, _ isDryRun: Bool) throws {
        for loader in [ImportRunOptions.Loader.sql, .auto] {
            let report = try Self.run(loader, mode, isDryRun: isDryRun)
            #expect(report.isRefused && report.rejected == 1, "\(loader)")
            #expect(report.diagnostics.map(\.code) == [.uniqueExists], "\(loader)")
            #expect(
                report.diagnostics.first?.position?.file == "B.csv" && report.diagnostics.first?.position?.line == 2)
        }
    }

    @Test func pagesAreRefusedForThem() {
        let error = #expect(throws: GranaryError.self) { try Self.run(.pages, .allOrNothing, isDryRun: false) }
        #expect(error?.code == .usage)
    }
}
