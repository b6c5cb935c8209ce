import Foundation
import Testing

/// What holds for all commands: help, usage errors, streams.
struct GranaryCommandTests {
    @Test func versionAndHelpAreData() async throws {
        let run = try CommandRun()
        let version = await run.run("--version")
        #expect(version.code == 0 && version.output == "0.1.0\n" && version.messages.isEmpty)
        let help = await run.run("help", "store", "info")
        #expect(help.code == 0 && help.output.contains("granary store info Seed.sqlite"))
        #expect(await run.run().code == 0)
    }

    @Test(
        "The version and help are also answered after the name of a command",
        arguments: [
            (["import", "--version"], "0.1.0\n"), (["store", "info", "S", "--version"], "0.1.0\n"),
            (["model", "show", "-h"], "OVERVIEW: "), (["subset", "--experimental-dump-help"], "{"),
        ])
    func dataAfterACommand(_ words: [String], _ start: String) async throws {
        let run = try CommandRun()
        let result = await run.run(words)
        #expect(result.code == 0 && result.output.hasPrefix(start) && result.messages.isEmpty, "\(result.output)")
    }

    @Test("The help of an import has six options and an example; --help-all has the others too")
    func shortHelp() async throws {
        let run = try CommandRun()
        for words in [["help", "import"], ["import", "--help"], ["import", "-h"]] {
            let help = await run.run(words).output
            let options = help.split(separator: "\n").filter { $0.hasPrefix("  --") || $0.hasPrefix("  -h") }
                .compactMap { $0.split(separator: " ").first }
            #expect(
                options == [
                    "--model", "--store", "--entity", "--map", "--lookup", "--on-conflict", "--version", "-h,",
                ])
            #expect(help.split(separator: "\n").count < 60, "\(help)")
            #expect(help.contains("\nExample:\n  granary import patients.csv --model Triage.xcdatamodeld"))
        }
        let all = await run.run("import", "--help-all").output
        for option in ["--model", "--delimiter", "--table", "--terms", "--key", "--trim", "--ship", "--report-all"] {
            #expect(all.contains("\n  \(option)"), "\(option)")
        }
    }

    @Test("The command help knows --help-all")
    func helpAll() async throws {
        let run = try CommandRun()
        let all = await run.run("import", "--help-all").output
        #expect(await run.run("help", "import", "--help-all").output == all)
        #expect(!all.contains("trim-columns"))
    }

    @Test("Examples in the help can be pasted: no line is broken")
    func examples() async throws {
        let run = try CommandRun()
        let commands = [
            "import", "inspect", "seed", "export", "generate", "subset", "query", "init", "model init", "model code",
            "model diff", "model convert", "store migrate", "store create", "store diff", "store revert",
        ]
        for command in commands {
            let help = await run.run(command.split(separator: " ").map(String.init) + ["--help"]).output
            let text = help.components(separatedBy: "\nUSAGE:").first ?? ""
            let lines = text.components(separatedBy: "Example")
            for line in lines.dropFirst().joined().split(separator: "\n").dropFirst() where !line.hasPrefix("  ") {
                // Examples are indented; other lines end the examples.
                #expect(!line.hasPrefix("-") && !line.contains(".sqlite --"), "\(command): \(line)")
            }
            for line in text.split(separator: "\n") where line.hasPrefix("  granary") {
                #expect(line.count <= 80, "\(line)")
            }
        }
    }

    @Test("The help of an import lists the options on the import as a whole under one title")
    func importAsAWhole() async throws {
        let run = try CommandRun()
        let help = await run.run("import", "--help-all").output
        let parts = help.components(separatedBy: "THE IMPORT AS A WHOLE:\n")
        #expect(parts.count == 2)
        let section = try #require(parts.last?.components(separatedBy: "\n\n").first)
        let options = section.split(separator: "\n").filter { $0.hasPrefix("  --") }
            .compactMap { $0.split(separator: " ").first }
        #expect(
            options == [
                "--mode", "--max-rejects", "--rejects", "--rejects-format", "--force", "--dry-run", "--revertible",
                "--loader", "--no-ledger", "--ship", "--external", "--store-uuid",
            ])
    }

    @Test(
        "Options on the import as a whole that exclude each other",
        arguments: [
            (["--ship", "--revertible"], "--ship and --revertible exclude each other."),
            (["--no-ledger", "--revertible"], "--no-ledger and --revertible exclude each other"),
            (["--store-uuid", "x", "--max-rejects", "1"], "--store-uuid must be a UUID."),
        ])
    func exclusiveImportOptions(_ options: [String], _ message: String) async throws {
        let run = try CommandRun()
        let result = await run.run(["import", "@a.csv", "--store", "@S.sqlite", "--model", "@M"] + options)
        #expect(result.code == 64 && result.output.isEmpty)
        #expect(result.messages.hasPrefix("granary: error: \(message)"), "\(result.messages)")
        #expect(result.messages.contains("\nUsage: granary import [<options>]"), "\(result.messages)")
    }

    @Test(arguments: [
        ["nix"], ["export"], ["model"], ["store", "create", "--store", "x"], ["model", "hash"],
        ["model", "show", "--format", "yaml", "x"], ["store", "info"], ["store", "info", "x", "--busy-timeout", "-1"],
        ["store", "check", "x", "--max-diagnostics", "-1"],
    ])
    func usage(words: [String]) async throws {
        let run = try CommandRun()
        let result = await run.run(words)
        // A group by itself shows its help.
        if words == ["model"] {
            #expect(result.code == 0)
            return
        }
        #expect(result.code == 64)
        #expect(result.messages.hasPrefix("granary: error: "))
        #expect(result.output.isEmpty)
        #expect(try run.names.isEmpty)
    }
}
