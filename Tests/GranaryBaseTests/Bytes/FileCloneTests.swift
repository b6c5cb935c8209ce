import Foundation
import GranaryBase
import TestSupport
import Testing

@Suite struct FileCloneTests {
    @Test("A folder is copied with everything in it, and the copy is separate")
    func folder() throws {
        let folder = try TemporaryFolder()
        let source = folder.url.appending(path: "from")
        let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        try FileManager.default.createDirectory(
            at: source.appending(path: ".hidden/inner"), withIntermediateDirectories: true)
        for name in ["a", ".hidden/b", ".hidden/inner/c"] { try content.write(to: source.appending(path: name)) }
        try Data().write(to: source.appending(path: "empty"))
        let target = folder.url.appending(path: "to")
        try FileClone.copyFolder(source.path, to: target.path)
        let names = try FileManager.default.subpathsOfDirectory(atPath: target.path).sorted()
        #expect(names == [".hidden", ".hidden/b", ".hidden/inner", ".hidden/inner/c", "a", "empty"])
        #expect(try Data(contentsOf: target.appending(path: ".hidden/inner/c")) == content)
        #expect(try Data(contentsOf: target.appending(path: "empty")).isEmpty)
        let copy = try FileHandle(forWritingTo: target.appending(path: "a"))
        try copy.write(contentsOf: Data([9, 9, 9]))
        try copy.close()
        #expect(try Data(contentsOf: source.appending(path: "a")) == content)
    }

    @Test("An existing file is not replaced, and a missing one is an error")
    func errors() throws {
        let folder = try TemporaryFolder()
        let (a, b) = (try folder.write("a", to: "a"), try folder.write("b", to: "b"))
        let missing = folder.url.appending(path: "c").path
        for (source, target) in [(a.path, b.path), (missing, folder.url.appending(path: "d").path)] {
            let error = #expect(throws: GranaryError.self) { try FileClone.copyFile(source, to: target) }
            #expect(error?.code == .inputOutput)
        }
        #expect(try String(contentsOf: b, encoding: .utf8) == "b")
    }
}
