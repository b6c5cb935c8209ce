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
