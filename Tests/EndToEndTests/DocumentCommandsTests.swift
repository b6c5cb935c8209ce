import Foundation
import TestSupport
import Testing

/// Runs the command blocks of README.md and docs and compares the output that they show, in a copy of the sample of the
/// document's first line `cd samples/NAME`, otherwise of Triage.
///
/// A line `…` stands for any lines. UUIDs and seconds are masked.
struct DocumentCommandsTests {
    private struct Command {
        var text: String
        var output: [String] = []
        let line: Int
    }

    private static let root = Samples.root.deletingLastPathComponent()

    private static let documents: [URL] = {
        let docs = root.appending(path: "docs")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: docs.path)) ?? []
        return [root.appending(path: "README.md")]
            + names.filter { $0.hasSuffix(".md") }.sorted().map { docs.appending(path: $0) }
    }()

    /// The commands of the blocks that have a line `$ granary`.
    private static func commands(in document: URL) throws -> [Command] {
        var found: [Command] = []
        var block: [Command]?
        // A block of another language ends with the same line as one of commands begins.
        var isOther = false
        let lines = try String(contentsOf: document, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated().map({ ($0 + 1, String($1)) }) {
            if line.hasPrefix("```") {
                if let commands = block {
                    if commands.contains(where: { $0.text.hasPrefix("granary") }) { found += commands }
                    block = nil
                } else if isOther {
                    isOther = false
                } else if line == "```" {
                    block = []
                } else {
                    isOther = true
                }
            } else if block != nil {
                if line.hasPrefix("$ ") {
                    block?.append(Command(text: String(line.dropFirst(2)), line: number))
                } else if let last = block?.indices.last {
                    if block?[last].text.hasSuffix("\\") == true {
                        block?[last].text += "\n" + line
                    } else if !line.isEmpty {
                        block?[last].output.append(line)
                    }
                }
            }
        }
        return found
    }

    private static func sample(of document: URL) throws -> String {
        let text = try String(contentsOf: document, encoding: .utf8)
        return (try /(?m)^cd samples\/(\w+)$/.firstMatch(in: text)).map { String($0.1) } ?? "Triage"
    }

    private static func masked(_ line: String) -> String {
        line.replacing(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/, with: "UUID").replacing(/[0-9.]+ s\b/, with: "N s")
    }

    /// Whether the lines are the expected ones; `…` matches any lines.
    private static func matches(_ lines: ArraySlice<String>, _ expected: ArraySlice<String>) -> Bool {
        guard let first = expected.first else { return lines.isEmpty }
        let rest = expected.dropFirst()
        if first == "…" { return lines.indices.contains { matches(lines[$0...], rest) } || matches([], rest) }
        return lines.first == first && matches(lines.dropFirst(), rest)
    }

    @Test("The documents show the output that the commands print", arguments: documents)
    func commands(_ document: URL) throws {
        let commands = try Self.commands(in: document)
        guard !commands.isEmpty else { return }
        let folder = try TemporaryFolder()
        let sample = try Self.sample(of: document)
        let place = folder.url.appending(path: sample)
        try FileManager.default.copyItem(at: Self.root.appending(path: "samples/\(sample)"), to: place)
        for command in commands where !command.text.hasPrefix("cd ") {
            // Another program may not be installed.
            let tool = String(command.text.prefix { $0 != " " })
            let run = try Granary.run(
                [], in: place,
                script:
                    "G=\"$0\"; granary() { \"$G\" \"$@\"; }; command -v \(tool) > /dev/null || { echo '…'; exit; }; { \(command.text)\n} 2>&1"
            )
            let lines = run.output.split(separator: "\n").map { Self.masked(String($0)) }
            if lines == ["…"] { continue }
            #expect(
                Self.matches(lines[...], command.output.map(Self.masked)[...]),
                "\(document.lastPathComponent):\(command.line): \(command.text)\n\(lines.joined(separator: "\n"))")
        }
    }
}
