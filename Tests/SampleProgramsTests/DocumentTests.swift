import Foundation
import TestSupport
import Testing

/// docs/from-core-data.md shows the files of samples/PluginApp, which `make test-long` builds and runs, word for word.
/// samples/README.md says which sample follows which listing.
@Suite("Sample: the program of docs/from-core-data.md, and the table of listings") struct DocumentTests {
    private static let root = Samples.root.deletingLastPathComponent()

    private func document() throws -> String {
        try String(contentsOf: Self.root.appending(path: "docs/from-core-data.md"), encoding: .utf8)
    }

    @Test(
        "The document has the text of each file",
        arguments: [
            "Sources/PluginApp/main.swift",
            "Sources/PluginApp/Company.xcdatamodeld/Company.xcdatamodel/contents",
        ])
    func files(_ path: String) throws {
        let text = try String(contentsOf: Samples.url("PluginApp/" + path), encoding: .utf8)
        #expect(try document().contains("\n" + text.trimmingCharacters(in: .newlines) + "\n```"))
    }

    @Test("The manifest differs in the place of Granary only")
    func manifest() throws {
        let text = try String(contentsOf: Samples.url("PluginApp/Package.swift"), encoding: .utf8)
            .replacingOccurrences(of: #"name: "Granary", path: "../..""#, with: #"url: "ADDRESS", branch: "main""#)
        #expect(text.contains("ADDRESS"))
        #expect(try document().contains("\n" + text.trimmingCharacters(in: .newlines) + "\n```"))
    }

    @Test("The output is what Scripts/test-plugin expects")
    func output() throws {
        let script = try String(contentsOf: Self.root.appending(path: "Scripts/test-plugin"), encoding: .utf8)
        let parts = script.components(separatedBy: "TEXT'\n")
        let expected = try #require(parts.dropFirst().first?.components(separatedBy: "TEXT\n").first)
        #expect(expected.hasSuffix("\n"))
        #expect(try document().contains("$ swift run\n" + expected + "```"))
    }

    @Test("Every program in the document exists, and every program is in it")
    func programs() throws {
        let document = try document()
        let folder = Samples.url("Programs")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !name.hasPrefix(".") {
            #expect(document.contains("](../samples/Programs/\(name)"), "\(name)")
        }
        for link in document.components(separatedBy: "](../").dropFirst() {
            let path = link.prefix { $0 != ")" && $0 != "#" }
            #expect(
                FileManager.default.fileExists(atPath: Self.root.appending(path: String(path)).path), "\(path)")
        }
    }

    /// The links of a text in Markdown to files, each with the names in code font up to the next link.
    private static func links(_ text: some StringProtocol) -> [(path: String, names: [String])] {
        text.components(separatedBy: "](").dropFirst().compactMap { part in
            let path = String(part.prefix { $0 != ")" && $0 != "#" })
            let names = part.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            return path.isEmpty ? nil : (path, names)
        }
    }

    @Test("The table of listings has 49 rows, and each name is in the file before it")
    func listings() throws {
        let text = try String(contentsOf: Samples.url("README.md"), encoding: .utf8)
        var numbers: [Int] = []
        for line in text.components(separatedBy: "\n") {
            let cells = line.components(separatedBy: " | ")
            guard cells.count == 4, let number = Int(cells[0].dropFirst(2)) else { continue }
            numbers.append(number)
            #expect(!Self.links(cells[2]).isEmpty, "row \(number)")
            for link in Self.links(cells[2]) {
                let content = try String(contentsOf: Samples.url(link.path), encoding: .utf8)
                for name in link.names { #expect(content.contains(name), "row \(number): \(name) in \(link.path)") }
            }
            for link in Self.links(cells[3]) {
                #expect(
                    FileManager.default.fileExists(atPath: Samples.url(link.path).path), "row \(number): \(link.path)")
            }
        }
        #expect(numbers == Array(1...49))
    }
}
