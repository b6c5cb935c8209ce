import Foundation
import GranaryBase
import TestSupport
import Testing

@Suite("Partial files") struct PartialFileTests {
    private let folder: TemporaryFolder
    private var target: String { folder.url.appending(path: "out.json").path }

    init() throws { folder = try TemporaryFolder() }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    @Test("A lock keeps the file of a running process from being removed")
    func locked() throws {
        var first: PartialFile? = try PartialFile.create(for: target)
        let path = try #require(first?.path)
        _ = try PartialFile.create(for: target)
        #expect(FileManager.default.fileExists(atPath: path))
        // The lock is released, as after a kill.
        first = nil
        let third = try PartialFile.create(for: target)
        #expect(try names == [URL(filePath: third.path).lastPathComponent])
    }

    @Test("Links, pipes and names of other forms are left alone")
    func others() throws {
        let id = UUID().uuidString
        let kept = try folder.write("x", to: "kept").path
        try FileManager.default.createSymbolicLink(atPath: target + ".\(id).partial", withDestinationPath: kept)
        try #require(mkfifo(target + ".\(UUID().uuidString).partial", 0o600) == 0)
        for name in ["out.json.partial", "out.json.1.partial", "out.jsonx.\(id).partial", "out.json.\(id).part"] {
            _ = try folder.write("x", to: name)
        }
        let before = try names
        PartialFile.removeAbandoned(of: target)
        #expect(try names == before)
    }

    @Test("Processes that create folders for the same target at the same time do not fail")
    func concurrentFolders() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [target] in
                    for _ in 0..<100 { _ = try PartialFile.createFolder(for: target) }
                }
            }
            try await group.waitForAll()
        }
        PartialFile.removeAbandoned(of: target)
        #expect(try names.isEmpty)
    }

    @Test("A folder is replaced atomically: a complete folder exists at every moment")
    func folders() async throws {
        let path = folder.url.appending(path: "out").path
        func write(_ number: Int) throws {
            let output = try FolderOutput(path: path + "/")
            for name in ["a", "b"] {
                try Data("\(number)".utf8).write(to: URL(filePath: output.temporary + "/" + name))
            }
            try output.finish()
        }
        try write(0)
        let watcher = Task.detached {
            var misses = 0
            while !Task.isCancelled { if access(path + "/a", F_OK) != 0 { misses += 1 } }
            return misses
        }
        for number in 1...300 { try write(number) }
        watcher.cancel()
        #expect(await watcher.value == 0)
        #expect(try names == ["out"])
        #expect(try String(contentsOfFile: path + "/b", encoding: .utf8) == "300")
    }

    @Test("A folder that is not finished leaves the old one")
    func unfinishedFolder() throws {
        let path = folder.url.appending(path: "out").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        _ = try folder.write("old", to: "out/a")
        do { _ = try FolderOutput(path: path) }
        #expect(try names == ["out"])
        #expect(try String(contentsOfFile: path + "/a", encoding: .utf8) == "old")
    }
}
