import Foundation
import GranaryModel
import GranaryModelFiles
import TestSupport
import Testing

/// No file is replaced that Granary did not make, and none that the run itself reads or writes.
struct OutputSafetyLongTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeStore()
        try CommandRun.model.write(to: run.folder.url.appending(path: "App.xcdatamodeld"))
        _ = try run.folder.write("key,name\n7,Cut\n-1,Bad\n", to: "in.csv")
        _ = try run.folder.write("key,name\n8,Sprain\n", to: "good.csv")
        _ = try run.folder.write("mine", to: "mine.txt")
        for name in ["Seed.sqlite.runs", ".Seed_SUPPORT"] {
            try FileManager.default.createDirectory(atPath: run.path(name), withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: run.path("link.txt"), withDestinationPath: run.path("in.csv"))
        try FileManager.default.linkItem(atPath: run.path("Seed.sqlite"), toPath: run.path("hard.txt"))
    }

    private func importing(_ more: [String], of file: String = "@in.csv") async -> CommandRun.Result {
        await run.run(
            [
                "import", file, "--model", "@App.xcdatamodeld", "--store", "@Seed.sqlite", "--entity", "Injury",
                "--mode",
                "keep-good",
            ] + more)
    }

    /// Every file of the folder by its path, with its bytes.
    private func contents() throws -> [String: Data] {
        var found: [String: Data] = [:]
        let files = try #require(FileManager.default.enumerator(atPath: run.folder.url.path))
        for case let name as String in files {
            found[name] = FileManager.default.contents(atPath: run.path(name))
        }
        return found
    }

    @Test(
        "An output is not what the run reads or writes, --force or not",
        arguments: [
            "@in.csv", "@link.txt", "@Seed.sqlite", "@hard.txt", "@Seed.sqlite-wal", "@Seed.sqlite-journal",
            "@Seed.sqlite.runs/x", "@App.xcdatamodeld/.xccurrentversion", "@App.xcdatamodeld/new.txt", "@./in.csv",
        ], ["--report", "--rejects"])
    func conflicts(_ output: String, _ option: String) async throws {
        let before = try contents()
        for force in [[], ["--force"]] {
            let result = await importing([option, output] + force)
            #expect(result.code == 64, "\(result.messages)")
            #expect(result.messages.contains("nothing was read"))
        }
        #expect(try contents() == before)
    }

    @Test("Two outputs are two files")
    func equalOutputs() async throws {
        for pair in [["--rejects", "@a", "--report", "@a"], ["--rejects", "@a", "--report", "@a.reasons.jsonl"]] {
            #expect(await importing(pair + ["--force"]).code == 64)
        }
        #expect(try !contents().keys.contains { $0.hasPrefix("a") })
    }

    @Test(
        "A file that exists is refused without --force, before anything is read", arguments: ["--report", "--rejects"])
    func existing(_ option: String) async throws {
        let before = try contents()
        // The input is not even there.
        let refused = await importing([option, "@mine.txt"])
        #expect(refused.code == 73 && refused.messages.contains("--force"), "\(refused.messages)")
        #expect(try contents() == before)
        let forced = await importing([option, "@mine.txt", "--force"])
        #expect(forced.code == 1, "\(forced.messages)")
        #expect(try run.text("mine.txt") != "mine")
    }

    @Test("A clean run deletes no file that it was given by mistake")
    func cleanRun() async throws {
        let result = await importing(["--rejects", "@mine.txt"], of: "@good.csv")
        #expect(result.code == 73)
        #expect(try run.text("mine.txt") == "mine")
    }

    @Test("An earlier rejects file is Granary's own until it is edited")
    func ownRejects() async throws {
        #expect(await importing(["--rejects", "@bad.csv"]).code == 1)
        let first = try run.text("bad.csv")
        // The same run again replaces it; a clean one removes it.
        #expect(await importing(["--rejects", "@bad.csv", "--on-conflict", "skip"]).code == 1)
        #expect(try run.text("bad.csv") == first)
        _ = try run.folder.write(first.replacing("-1", with: "9"), to: "bad.csv")
        let edited = await importing(["--rejects", "@bad.csv", "--on-conflict", "skip"])
        #expect(edited.code == 73 && edited.messages.contains("bad.csv: exists already"), "\(edited.messages)")
        #expect(try run.text("bad.csv").contains("9,Bad"))
        let forced = await importing(["--rejects", "@bad.csv", "--on-conflict", "skip", "--force"])
        #expect(forced.code == 1)
        #expect(try run.text("bad.csv") == first)
        #expect(await importing(["--rejects", "@bad.csv"], of: "@good.csv").code == 0)
        #expect(!run.exists("bad.csv") && !run.exists("bad.csv.reasons.jsonl"))
        // Reasons of somebody else stay as well.
        _ = try run.folder.write("notes\n", to: "bad.csv.reasons.jsonl")
        #expect(await importing(["--rejects", "@bad.csv"]).code == 73)
        #expect(try run.text("bad.csv.reasons.jsonl") == "notes\n")
    }

    @Test(
        "An export takes the place of nothing that belongs to the store or the model",
        arguments: [
            "@Seed.sqlite-wal", "@hard.txt", "@App.xcdatamodeld/contents", "@App.xcdatamodeld", "@.Seed_SUPPORT/x",
        ])
    func exports(_ output: String) async throws {
        let before = try contents()
        let result = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@App.xcdatamodeld", "--format", "json", "--output", output,
            "--force")
        #expect(result.code == 64, "\(result.messages)")
        #expect(try contents() == before)
    }

    @Test("A folder around the store is no output folder")
    func aroundTheStore() async throws {
        let before = try contents()
        let result = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@App.xcdatamodeld", "--format", "csv", "--output", "@.",
            "--force")
        #expect(result.code == 64, "\(result.messages)")
        #expect(try contents() == before)
    }

    @Test("A plan's outputs are checked as those of an import")
    func plans() async throws {
        _ = try run.folder.write(
            """
            model: App.xcdatamodeld
            store: Seed.sqlite
            mode: keep-good
            rejects: bad.csv
            imports:
              - {entity: Injury, file: in.csv, on-conflict: skip}
            """, to: "seed.yaml")
        for report in ["@seed.yaml", "@bad.csv", "@bad.csv.reasons.jsonl", "@in.csv", "@Seed.sqlite-wal"] {
            #expect(await run.run("seed", "@seed.yaml", "--report", report, "--force").code == 64, "\(report)")
        }
        #expect(await run.run("seed", "@seed.yaml", "--report", "@mine.txt").code == 73)
        #expect(try run.text("mine.txt") == "mine")
        #expect(await run.run("seed", "@seed.yaml", "--report", "@r.json").code == 1)
        _ = try run.folder.write("edited", to: "bad.csv")
        #expect(await run.run("seed", "@seed.yaml").code == 73)
        #expect(await run.run("seed", "@seed.yaml", "--force").code == 1)
    }
}
