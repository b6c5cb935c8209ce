import Foundation
import TestSupport
import Testing

/// `--mode keep-good` by the binary: sources that can be read only once, compressed ones, patterns.
@Suite struct RejectsTests {
    private let model = Samples.url("Triage/Triage.xcdatamodeld").path
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.url.appending(path: name)), as: UTF8.self)
    }

    private func keepGood(_ files: [String], input: String? = nil) throws -> Granary {
        try Granary.run(
            ["import"] + files + [
                "--model", model, "--store", path("Seed.sqlite"), "--entity", "Injury", "--mode", "keep-good",
                "--rejects", path("bad.csv"),
            ], input: input)
    }

    private func injuries() throws -> String {
        try Granary.run([
            "export", "--store", path("Seed.sqlite"), "--model", model, "--entity", "Injury", "--format", "csv",
            "--columns", "key,name", "--output", "-",
        ]).output
    }

    private func expectRejects(_ run: Granary, _ rejects: String) throws {
        #expect(run.status == 1, "\(run.errors)")
        #expect(try text("bad.csv") == rejects)
        #expect(run.errors.contains("rejected records are in \(path("bad.csv")), "), "\(run.errors)")
        let reasons = try text("bad.csv.reasons.jsonl").split(separator: "\n")
        #expect(reasons.count == 2 && reasons.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    }

    /// The rejects of a pipe are its bytes too, though it cannot be read a second time.
    @Test func standardInputHasRejects() throws {
        let run = try keepGood(["-", "--format", "csv"], input: "key,name\r\n0,Burn\r\nx,Cut\r\n1,\r\n2,Cold\r\n")
        try expectRejects(run, "key,name\r\nx,Cut\r\n1,\r\n")
        #expect(run.ledger == "read 4 = created 2 + updated 0 + unchanged 0 + skipped 0 + rejected 2")
        #expect(try injuries() == "key,name\n0,Burn\n2,Cold\n")
    }

    func compressedFilesAndPatternsHaveRejects() throws {
        _ = try folder.write(Data(Gzip.stored(Array("key,name\n0,Burn\nx,Cut\n".utf8))), to: "a.csv.gz")
        _ = try folder.write("key,name\n-1,Cold\n1,Heat\n", to: "b.csv")
        let run = try keepGood([path("[ab].csv*")])
        try expectRejects(run, "key,name\nx,Cut\n-1,Cold\n")
        #expect(run.ledger == "read 4 = created 2 + updated 0 + unchanged 0 + skipped 0 + rejected 2")
        #expect(try injuries() == "key,name\n0,Burn\n1,Heat\n")
        // Mended and imported alone they complete the import.
        _ = try folder.write("key,name\n2,Cut\n3,Cold\n", to: "bad.csv")
        let mended = try Granary.run([
            "import", path("bad.csv"), "--model", model, "--store", path("Seed.sqlite"), "--entity", "Injury",
        ])
        #expect(mended.status == 0, "\(mended.errors)")
        #expect(try injuries() == "key,name\n0,Burn\n1,Heat\n2,Cut\n3,Cold\n")
    }
}
