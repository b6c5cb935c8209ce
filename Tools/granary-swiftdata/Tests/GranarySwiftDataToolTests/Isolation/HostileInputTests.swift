import Foundation
import Testing

@testable import granary_swiftdata

@Suite struct HostileInputTests {
    @Test func filesThatAreOnlyLargeAreRead() throws { try HostileInput.checkLargeFiles(size: 1000) }

    @Test func filesThatNestTooDeepHaveAProblem() throws { try HostileInput.checkDeepFiles(size: 1000) }

    /// The parser fails at these in whatever build.
    @Test(arguments: ["[", "\"\\("])
    func filesThatOverflowTheParserHaveAProblem(text: String) throws {
        let contents = [HostileInput.value(text, 100_000), Data("struct A {}".utf8)]
        let listing = try ToolProcess.listing(of: contents, options: ["--max-memory", "1024"])
        #expect(listing.files.map { $0.declarations.count } == [0, 1])
        let message = try #require(listing.files.first?.problems.first?.message)
        #expect(message.hasPrefix("is not read, because the parser failed (signal "))
        #expect(message.hasSuffix("or needs more than 1024 MB of memory; see --max-memory"))
    }

    @Test func aFileThatTakesTooLongHasAProblem() throws {
        let contents = [HostileInput.repeated("precedencegroup ", 100_000), Data("struct A {}".utf8)]
        let listing = try ToolProcess.listing(of: contents, options: ["--max-seconds", "2"])
        #expect(listing.files.map { $0.declarations.count } == [0, 1])
        let messages = listing.files.map { $0.problems.map(\.message) }
        #expect(messages == [["takes longer than 2 s to parse and is not read; see --max-seconds"], []])
    }

    @Test func manyFilesThatFailDoNotTakeAWorkerEach() throws {
        let reading = IsolatedReading(executable: URL(fileURLWithPath: "/bin/false"), limits: ReadLimits())
        var files: [SourceFile] = []
        try reading.read((0..<25).map { "\($0)" }) { files.append(try JSONDecoder().decode(SourceFile.self, from: $0)) }
        #expect(files.map(\.path) == (0..<25).map { "\($0)" })
        let messages = files.map { $0.problems.map(\.message) }
        #expect(
            messages.prefix(20).allSatisfy {
                $0 == ["is not read, because the process that reads it failed with code 1"]
            })
        #expect(
            messages.suffix(5).allSatisfy { $0 == ["is not read, because the parser failed at 20 files before it"] })
    }

    @Test func aMissingProgramIsAnError() {
        let reading = IsolatedReading(executable: URL(fileURLWithPath: "/nonexistent"), limits: ReadLimits())
        #expect(throws: WorkerStartError.self) { try reading.read(["a"]) { _ in } }
    }
}
