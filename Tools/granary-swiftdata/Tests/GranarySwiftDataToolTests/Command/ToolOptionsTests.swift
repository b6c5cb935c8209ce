import Testing

@testable import granary_swiftdata

@Suite struct ToolOptionsTests {
    @Test func options() throws {
        let arguments = [
            "a", "--files-from", "-", "--max-seconds", "3", "--max-file-size", "4", "--max-memory", "5", "-", "--",
            "--b",
        ]
        let options = try ToolOptions(arguments)
        #expect(options.paths == ["a", "-", "--b"] && options.readsPathsFromInput && options.action == .list)
        #expect(options.limits == ReadLimits(fileMegabytes: 4, seconds: 3, memoryMegabytes: 5))
        #expect(try ToolOptions(["--version"]).action == .printVersion)
        #expect(try ToolOptions(["-h"]).action == .printHelp)
        #expect(try ToolOptions(["help"]).action == .printHelp)
        #expect(try ToolOptions(["help", "a.swift"]).action == .list)
    }

    @Test func aWorkerHasTheLimitsOfItsParent() throws {
        let limits = ReadLimits(fileMegabytes: 4, seconds: 3, memoryMegabytes: 5)
        let options = try ToolOptions(ToolOptions.arguments(forWorkerWith: limits))
        #expect(options.limits == limits && options.action == .work)
    }

    @Test(
        arguments: [
            ([], "no files; pass files or `--files-from -`"), (["--x", "a"], "unknown option '--x'; see --help"),
            (["--files-from", "a"], "--files-from takes `-`, which stands for standard input"),
            (["--max-seconds", "0", "a"], "--max-seconds takes a number from 1 to 1048576"),
            (["--max-memory"], "--max-memory takes a number from 1 to 1048576"),
        ] as [([String], String)])
    func wrongUsage(arguments: [String], message: String) {
        #expect(throws: UsageError(message: message)) { try ToolOptions(arguments) }
    }
}
