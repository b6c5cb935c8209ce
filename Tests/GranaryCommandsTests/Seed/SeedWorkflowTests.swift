import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryYAML

/// The workflow in docs/shipping.md: it is YAML of the expected shape, and its granary commands do what it says.
@Suite struct SeedWorkflowTests {
    private static let root = Samples.root.deletingLastPathComponent()
    private static let kind = TreeKind(noun: "workflow", syntax: .planSyntax, unknown: .planUnknown)
    private static let workflow = Samples.url("Triage/seed-workflow.yml")
    private let runs: CommandRun

    /// A repository with the sample Triage as its folder Seed.
    init() throws {
        runs = try CommandRun()
        try FileManager.default.copyItem(at: Samples.url("Triage"), to: runs.folder.url.appending(path: "Seed"))
    }

    /// The scripts of the steps of the job.
    private func scripts() throws -> [String] {
        let tree = try PlacedTree.read(
            PlacedText(Array(try Data(contentsOf: Self.workflow)), file: "seed-workflow.yml", kind: Self.kind))
        func value(_ key: String, of node: Int) throws -> Int {
            try #require(tree.members(node).first { tree.name($0.key) == key }?.value, "\(key)")
        }
        let steps = try value("steps", of: value("seed", of: value("jobs", of: PlacedTree.root)))
        guard case .list(let list) = tree.content(steps) else { return [] }
        return list.compactMap { step in
            let run = tree.members(step).first { tree.name($0.key) == "run" }?.value
            guard let run, case .text(let text, _) = tree.content(run) else { return nil }
            return text
        }
    }

    /// The granary commands: their words, and the file with which the output is compared.
    private func commands() throws -> [(words: [String], expected: String?)] {
        try scripts().flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("granary ") }.map { line in
            let parts = line.split(separator: "|")
            let words = try ShellWords.split(String(parts[0])).dropFirst().map { $0.hasPrefix("Seed/") ? "@" + $0 : $0 }
            guard parts.count > 1 else { return (words, nil) }
            let compared = try ShellWords.split(String(parts[1]))
            #expect(compared.count == 3 && compared[0] == "diff" && compared[2] == "-", "\(line)")
            return (words, compared[1])
        }
    }

    private func run() async throws -> [Int32] {
        var codes: [Int32] = []
        for command in try commands() {
            let result = await runs.run(command.words)
            let differs = try command.expected.map { try runs.text($0) != result.output } ?? false
            codes.append(differs ? 1 : result.code)
        }
        return codes
    }

    @Test("The commands succeed with a current store, and notice an old one and another model") func commandsRun()
        async throws
    {
        #expect(await runs.run("seed", "@Seed/seed.yaml").code == 0)
        let hash = await runs.run("model", "hash", "@Seed/Triage.xcdatamodeld")
        _ = try runs.folder.write(hash.output, to: "Seed/Model.hash")
        #expect(try await run() == [0, 0, 0, 0])
        let patients = try runs.text("Seed/patients.csv").split(separator: "\n").dropLast().joined(separator: "\n")
        _ = try runs.folder.write(patients + "\n", to: "Seed/patients.csv")
        #expect(try await run() == [0, 0, 1, 0])
        let contents = "Seed/Triage.xcdatamodeld/Triage.xcdatamodel/contents"
        let model = try runs.text(contents)
        let changed = model.replacing("name=\"temperature\"", with: "name=\"fever\"")
        #expect(changed != model)
        _ = try runs.folder.write(changed, to: contents)
        let codes = try await run()
        #expect(codes[0] == 0 && codes[1] == 1 && codes[3] != 0, "\(codes)")
    }

    @Test("The document shows the file") func document() throws {
        let text = try String(contentsOf: Self.workflow, encoding: .utf8)
        let document = try String(contentsOf: Self.root.appending(path: "docs/shipping.md"), encoding: .utf8)
        #expect(document.contains("```yaml\n" + text + "```"))
    }
}
