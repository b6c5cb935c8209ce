import Foundation
import GranaryBase
import GranaryFormats
import GranaryPredicates
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryImport

/// Names, several sources, and what is left when something goes wrong.
@Suite struct RejectsFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.url.appending(path: name)), as: UTF8.self)
    }

    @Test func `Sources of one kind share a file, others get their own`() throws {
        let files = try RejectsFile(path: path("bad.csv")).finishSamples([
            RejectsSamples.entry(RejectsSamples.csv("a,b\n1,2\n", name: "1.csv"), [1]),
            RejectsSamples.entry(RejectsSamples.csv("a,b\n3,4\n", name: "2.csv"), []),
            RejectsSamples.entry(RejectsSamples.csv("b,a\n5,6\n", name: "3.csv"), [1]),
            RejectsSamples.entry(RejectsSamples.csv("a,b\r\n7,8\r\n9,0\r\n", name: "4.csv"), [2]),
            RejectsSamples.entry(RejectsSamples.csv("a,b\n1,2\n", name: "5.csv"), [1], entity: "U"),
            RejectsSamples.entry(RejectsSamples.json(Array("[{}]".utf8)), [1]),
        ])
        let expected = ["bad.csv", "bad.2.csv", "bad.3.csv", "bad.4.json", "bad.csv.reasons.jsonl"]
        let paths = expected.map { path($0) }
        #expect(files == paths)
        #expect(try names == expected.sorted())
        #expect(try text("bad.csv") == "a,b\n1,2\n9,0\n")
        #expect(try text("bad.2.csv") == "b,a\n5,6\n")
        #expect(try text("bad.3.csv") == "a,b\n1,2\n")
        #expect(try text("bad.4.json") == "[\n{}\n]\n")
    }

    @Test func `A source that is named after its entity is read through`() throws {
        func named(_ entity: String) -> ImportSource {
            ImportSource(name: "\(entity).csv") { () throws(GranaryError) -> any RecordReader in
                EntityReader(
                    try CSVReader(ByteSource(bytes: Array("a\n\(entity)\n".utf8), name: entity)), entity: entity)
            }
        }
        _ = try RejectsFile(path: path("bad")).finishSamples([
            RejectsSamples.entry(named("P"), [1], entity: nil), RejectsSamples.entry(named("Q"), [1], entity: nil),
        ])
        #expect(try text("bad") == "a\nP\n")
        #expect(try text("bad.2") == "a\nQ\n")
    }

    @Test func `Documents do not share a file`() throws {
        let document = Array(#"{"entities": {"T": [{}]}}"#.utf8)
        let files = try RejectsFile(path: path("bad.json")).finishSamples([
            RejectsSamples.entry(RejectsSamples.json(document, name: "1"), [1]),
            RejectsSamples.entry(RejectsSamples.json(document, name: "2"), [1]),
        ])
        #expect(files.dropLast() == [path("bad.json"), path("bad.2.json")])
    }

    @Test func `Files of these names are replaced at the end, and removed where nothing is rejected`() throws {
        for name in ["bad.csv", "bad.csv.reasons.jsonl", "bad.2.csv"] { _ = try folder.write("old", to: name) }
        let entry = RejectsSamples.entry(RejectsSamples.csv("a\n1\n"), [1])
        #expect(throws: GranaryError.self) { _ = try RejectsFile(path: path("bad.csv")) }
        let file = try RejectsFile(path: path("bad.csv"), replacesOthers: true)
        #expect(try text("bad.csv") == "old")
        _ = try file.finishSamples([entry])
        #expect(try text("bad.csv") == "a\n1\n")
        #expect(try text("bad.csv.reasons.jsonl").hasPrefix("{\"rejects\":[{\"name\":\"bad.csv\",\"sha256\":\""))

        let second = try RejectsFile(path: path("bad.csv"))
        second.note(Diagnostic(.valueSyntax, "a warning", severity: .warning))
        #expect(try second.finishSamples([RejectsSamples.entry(RejectsSamples.csv("a\n1\n"), [])]) == [])
        #expect(try names == ["bad.2.csv"])
    }

    @Test func `Nothing is left of what is discarded`() throws {
        _ = try folder.write("old", to: "bad.csv")
        let file = try RejectsFile(path: path("bad.csv"), replacesOthers: true)
        for _ in 0..<2000 { file.note(Diagnostic(.valueSyntax, "some text that fills the buffer")) }
        file.discard()
        #expect(try names == ["bad.csv"])
        #expect(try text("bad.csv") == "old")
        #expect(throws: GranaryError.self) { _ = try file.finishSamples([]) }
        #expect(try names == ["bad.csv"])
    }

    @Test(arguments: [
        ("missing/bad.csv", GranaryError.Code.uncreatable), ("folder", .uncreatable), ("in.csv", .usage),
        ("folder/../in.csv", .usage), ("link.csv", .usage), ("bad.csv.gz", .usage),
    ])
    func `A path that cannot be written fails at once`(_ name: String, _ code: GranaryError.Code) throws {
        _ = try folder.write("a\n", to: "in.csv")
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "folder"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: "link.csv"), withDestinationURL: folder.url.appending(path: "in.csv"))
        let error = #expect(throws: GranaryError.self) {
            _ = try RejectsFile(path: path(name), protecting: protected("in.csv"))
        }
        #expect(error?.code == code)
        #expect(try names == ["folder", "in.csv", "link.csv"])
    }

    private func protected(_ name: String) -> ProtectedFiles {
        var files = ProtectedFiles()
        files.add(path(name), as: "the input")
        return files
    }

    @Test(arguments: ["", "-"])
    func `Standard output is no place for them`(_ name: String) {
        let error = #expect(throws: GranaryError.self) { _ = try RejectsFile(path: name) }
        #expect(error?.code == .usage)
    }

    @Test func `A further file spares what must not be written`() throws {
        _ = try folder.write("a\n1\n", to: "bad.2.csv")
        let file = try RejectsFile(path: path("bad.csv"), protecting: protected("bad.2.csv"))
        let files = try file.finishSamples([
            RejectsSamples.entry(RejectsSamples.csv("a\n1\n"), [1]),
            RejectsSamples.entry(RejectsSamples.csv("b\n1\n"), [1]),
        ])
        #expect(files.dropLast() == [path("bad.csv"), path("bad.3.csv")])
    }

    @Test func `Records that were not kept are told, and nothing is left`() throws {
        let file = try RejectsFile(path: path("bad.csv"))
        let error = #expect(throws: GranaryError.self) {
            _ = try file.finishSamples([RejectsSamples.entry(RejectsSamples.csv("a\n1\n"), [1, 2])])
        }
        #expect(error?.code == .internalDefect)
        #expect(try names.isEmpty)
    }

    @Test func `What comes behind the last rejected record may be broken`() throws {
        let text = Array("[{}, {\"a\": 1}, oops".utf8)
        let written = try RejectsSamples.text([RejectsSamples.entry(RejectsSamples.json(text), [2])])
        #expect(written == "[\n{\"a\": 1}\n]\n")
    }

    /// Notes whether a reader asks it.
    private final class AskedGuide: MemberGuide {
        private(set) var isAsked = false

        func kind(ofRecordsOf entity: String?) -> Int32 {
            isAsked = true
            return 0
        }

        func content(of member: String, kind: Int32) -> MemberContent {
            isAsked = true
            return .objects(kind: 0)
        }
    }

    @Test func `A second reading takes the hints of the first`() throws {
        let guide = AskedGuide()
        var entry = RejectsSamples.entry(RejectsSamples.json(Array("[{\"a\": {\"b\": 1}}]".utf8)), [1])
        entry.hints = ReaderHints(guide: guide)
        let file = try RejectsFile(path: path("bad.json"))
        _ = try file.write([entry])
        try file.publish()
        #expect(guide.isAsked)
    }

    @Test func `The reasons are the diagnostics, one a line`() throws {
        var full = Diagnostic(
            .valueSyntax, "\"x\" is \\ no\tnumber\u{1}\n", severity: .warning,
            at: SourcePosition(file: "a/ä.csv", line: 3, column: 4, byteOffset: 20, record: 2), field: "ü", entity: "T",
            property: "p", object: "x-coredata://S/T/p1", value: "x\u{2028}", coreDataCode: 1550, help: "--ignore 'ü'")
        full.related = [SourcePosition(file: "b", line: 1, column: 1), SourcePosition(file: "c", line: 2, column: 3)]
        // Another property of Diagnostic needs another member in DiagnosticLine, except for `rule`, which is not coded.
        #expect(Mirror(reflecting: full).children.count == 13)
        let plain = Diagnostic(.headerMissing, "plain/text", at: SourcePosition(file: "f", line: 1, column: 2))
        let diagnostics = [full, Diagnostic(.csvSyntax, ""), plain] + Array(repeating: full, count: 3000)
        let file = try RejectsFile(path: path("bad.csv"))
        for diagnostic in diagnostics { file.note(diagnostic) }
        _ = try file.finishSamples([RejectsSamples.entry(RejectsSamples.csv("a\n1\n"), [1])])
        let lines = try text("bad.csv.reasons.jsonl").utf8.split(separator: 0x0A)
        let decoder = JSONDecoder()
        let decoded = try lines.map { try decoder.decode(Diagnostic.self, from: Data($0)) }
        #expect(decoded == diagnostics)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(Data(lines[2]) == (try encoder.encode(plain)))
    }
}
