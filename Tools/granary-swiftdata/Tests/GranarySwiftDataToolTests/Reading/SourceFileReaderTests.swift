import Foundation
import Testing

@testable import granary_swiftdata

@Suite struct SourceFileReaderTests {
    @Test(
        arguments: [
            ([0x61, 0x0A, 0xC3, 0x28], 2, 1), ([0xFF], 1, 1), ([0x61, 0xE2, 0x82], 1, 2),
            ([0x61, 0xED, 0xA0, 0x80], 1, 2),
        ] as [([UInt8], Int, Int)])
    func invalidUTF8IsAProblem(bytes: [UInt8], line: Int, column: Int) {
        let file = SourceFileReader().read(path: "a", bytes: bytes)
        #expect(file.problems.map(\.place) == [SourcePlace(line: line, column: column)])
        #expect(file.problems.map(\.message) == ["is not UTF-8; save the file as UTF-8"])
    }

    @Test func aByteOrderMarkDoesNotCount() {
        let file = Snippet.file("\u{FEFF}struct A {}")
        #expect(file.declarations.map(\.place) == [SourcePlace(line: 1, column: 8)])
        #expect(file.problems.isEmpty)
    }

    @Test func anEmptyFileHasNothing() {
        let file = Snippet.file("")
        #expect(file.declarations.isEmpty && file.problems.isEmpty && file.path == "a.swift")
    }

    @Test func carriageReturnsEndLines() {
        let file = Snippet.file("struct A {\r\n    var x: Int\r    var y: Int\r\n}\r\n")
        #expect(file.declarations.first?.variables.map(\.place.line) == [2, 3])
    }

    @Test func filesThatCannotBeReadAreProblems() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("granary-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let large = folder.appendingPathComponent("large.swift")
        try Data(repeating: 0x20, count: 1 << 20 + 1).write(to: large)
        let pipe = folder.appendingPathComponent("pipe.swift")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let advice = "name the files that have the models, or pass --max-file-size"
        let cases = [
            (folder.appendingPathComponent("missing.swift"), "cannot be read: No such file or directory"),
            (folder, "is not a regular file"), (pipe, "is not a regular file"),
            (large, "is larger than 1 MB and is not read; \(advice)"),
        ]
        for (url, expected) in cases {
            let file = SourceFileReader(limits: ReadLimits(fileMegabytes: 1)).read(path: url.path)
            #expect(file.problems.map(\.message) == [expected])
            #expect(file.problems.map(\.place) == [SourcePlace(line: 1, column: 1)])
            #expect(file.path == url.path)
        }
    }
}
