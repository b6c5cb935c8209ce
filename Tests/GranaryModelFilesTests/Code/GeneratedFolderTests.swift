import Foundation
import GranaryBase
import GranaryModelFiles
import TestSupport
import Testing

/// Which files are written, kept and refused.
@Suite("Folders of generated files") struct GeneratedFolderTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.url.appending(path: "Sources/Model").path
    }

    private func files(_ text: String) -> [GeneratedFile] {
        [
            GeneratedFile(name: "_A.swift", text: "\(GeneratedFile.mark)\n\n\(text)\n", isHuman: false),
            GeneratedFile(name: "A.swift", text: "class A: _A {}\n", isHuman: true),
        ]
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    @Test("The user's file is written once; the other only when it changes")
    func twice() throws {
        var result = try GeneratedFolder(path: path + "/").write(files("one"))
        #expect(result.written == ["_A.swift", "A.swift"] && result.unchanged.isEmpty && result.kept.isEmpty)
        try Data("class A: _A { /* mine */ }".utf8).write(to: URL(filePath: "\(path)/A.swift"))
        let old = Date(timeIntervalSinceReferenceDate: 1_000)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: "\(path)/_A.swift")

        result = try GeneratedFolder(path: path).write(files("one"))
        #expect(result.written.isEmpty && result.unchanged == ["_A.swift"] && result.kept == ["A.swift"])
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/_A.swift")
        #expect(attributes[.modificationDate] as? Date == old)

        result = try GeneratedFolder(path: path).write(files("two"))
        #expect(result.written == ["_A.swift"] && result.kept == ["A.swift"])
        #expect(try text("_A.swift").contains("two"))
        #expect(try text("A.swift") == "class A: _A { /* mine */ }")
    }

    @Test("A file that was not generated stays, and then nothing is written")
    func foreignFiles() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data("class _A {}\n".utf8).write(to: URL(filePath: "\(path)/_A.swift"))
        let error = try #require(throws: GranaryError.self) { try GeneratedFolder(path: path).write(files("one")) }
        #expect(error.code == .uncreatable)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["_A.swift"])
        #expect(try text("_A.swift") == "class _A {}\n")
    }

    @Test("A folder in the place of a file, and a file in the place of the folder")
    func wrongKinds() throws {
        try FileManager.default.createDirectory(atPath: "\(path)/A.swift", withIntermediateDirectories: true)
        #expect(throws: GranaryError.self) { try GeneratedFolder(path: path).write(files("one")) }
        let file = try folder.write("x", to: "file")
        #expect(throws: GranaryError.self) { try GeneratedFolder(path: file.path).write(files("one")) }
    }
}
