import Foundation
import TestSupport
import Testing

/// Imports onto a disk that becomes full.
@Suite struct FullDiskCrashTests {
    private let job: MainJobTests

    init() throws { job = try MainJobTests() }

    /// The failed import itself restores the store.
    @Test func fullDiskLeavesTheStoreByteForByte() throws {
        try job.seedInjuries()
        let before = try Data(contentsOf: job.folder.url.appending(path: "Seed.sqlite"))
        let rows = (0..<200_000).map { "C\(100_000 + $0),made up\n" }.joined()
        let file = try job.folder.write("code,title\n" + rows, to: "codes.csv").path
        // The disk is full after the commit has written a part of the rows into the store file.
        let run = try Granary.run(
            ["import", file, "--model", job.model, "--store", job.path("Seed.sqlite"), "--entity", "Diagnosis"],
            fileBlocks: 8_000)
        #expect(run.status == 74, "\(run.errors)")
        #expect(run.ledger.hasPrefix("read "))
        #expect(try Data(contentsOf: job.folder.url.appending(path: "Seed.sqlite")) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: job.folder.url.path).sorted()
        #expect(names == ["Seed.sqlite", "codes.csv"])
    }

    @Test(arguments: ["pages", "sql"]) func fullDiskMakesNoStore(_ loader: String) throws {
        let rows = (0..<30_000).map { "C\(100_000 + $0),made up\n" }.joined()
        let file = try job.folder.write("code,title\n" + rows, to: "codes.csv").path
        let run = try Granary.run(
            [
                "import", file, "--model", job.model, "--store", job.path("New.sqlite"), "--entity", "Diagnosis",
                "--loader", loader,
            ], fileBlocks: 1000)
        #expect(run.status == 74, "\(run.errors)")
        #expect(run.errors.contains("/New.sqlite: ") && !run.errors.contains(".partial"), "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: job.folder.url.path) == ["codes.csv"])
    }
}
