import Foundation
import TestSupport
import Testing

/// Imports onto a disk that becomes full.
@Suite struct FullDiskCrashTests {
    private let model = Samples.url("Triage/Triage.xcdatamodeld").path
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func seedInjuries() throws {
        let run = try Granary.run([
            "import", "--model", model, "--store", path("Seed.sqlite"), "--entity", "Injury", "--terms",
            "Blunt Trauma%Burn%C-Spine%Cardiac%Crushing%Fracture%Laceration%Penetration", "--delimiter", "%",
            "--attribute", "name", "--ordinal", "key",
        ])
        #expect(run.status == 0)
        #expect(run.ledger == "read 8 = created 8 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
    }

    /// The failed import itself restores the store.
    @Test func fullDiskLeavesTheStoreByteForByte() throws {
        try seedInjuries()
        let before = try Data(contentsOf: folder.url.appending(path: "Seed.sqlite"))
        let rows = (0..<200_000).map { "C\(100_000 + $0),made up\n" }.joined()
        let file = try folder.write("code,title\n" + rows, to: "codes.csv").path
        // The disk is full after the commit has written a part of the rows into the store file.
        let run = try Granary.run(
            ["import", file, "--model", model, "--store", path("Seed.sqlite"), "--entity", "Diagnosis"],
            fileBlocks: 8_000)
        #expect(run.status == 74, "\(run.errors)")
        #expect(run.ledger.hasPrefix("read "))
        #expect(try Data(contentsOf: folder.url.appending(path: "Seed.sqlite")) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names == ["Seed.sqlite", "codes.csv"])
    }

    @Test(arguments: ["pages", "sql"]) func fullDiskMakesNoStore(_ loader: String) throws {
        let rows = (0..<30_000).map { "C\(100_000 + $0),made up\n" }.joined()
        let file = try folder.write("code,title\n" + rows, to: "codes.csv").path
        let run = try Granary.run(
            [
                "import", file, "--model", model, "--store", path("New.sqlite"), "--entity", "Diagnosis",
                "--loader", loader,
            ], fileBlocks: 1000)
        #expect(run.status == 74, "\(run.errors)")
        #expect(run.errors.contains("/New.sqlite: ") && !run.errors.contains(".partial"), "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["codes.csv"])
    }
}
