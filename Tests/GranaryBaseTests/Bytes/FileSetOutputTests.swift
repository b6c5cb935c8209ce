import Foundation
import TestSupport
import Testing

@testable import GranaryBase

/// Several files, and folders, that replace others together.
@Suite struct FileSetOutputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var files: [String: String] {
        get throws {
            var files: [String: String] = [:]
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
                files[name] = try? String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
            }
            return files
        }
    }

    @Test("All files get their names, and the old ones are removed")
    func finish() throws {
        _ = try folder.write("old", to: "a")
        do {
            let output = try FileSetOutput(folder: folder.url.path)
            try output.add("new", as: "a", replacing: true)
            try output.add("new", as: "b", replacing: false)
            #expect(try files["a"] == "old" && files["b"] == nil)
            try output.finish()
        }
        #expect(try files == ["a": "new", "b": "new"])
    }

    @Test("If a file cannot get its name, the old files come back", arguments: [false, true])
    func restore(isFinished: Bool) throws {
        _ = try folder.write("old", to: "a")
        do {
            let output = try FileSetOutput(folder: folder.url.path)
            try output.add("new", as: "a", replacing: true)
            try output.add("new", as: "b", replacing: true)
            try output.add("new", as: "c", replacing: false)
            _ = try folder.write("mine", to: "c")
            if isFinished {
                let error = #expect(throws: GranaryError.self) { try output.finish() }
                #expect(error?.code == .uncreatable && error?.message.hasPrefix("\(folder.url.path)/c: ") == true)
            }
        }
        #expect(try files == ["a": "old", "c": "mine"])
    }

    @Test("What a killed process has left is removed")
    func abandoned() throws {
        let left = folder.url.appending(path: ".granary.\(UUID().uuidString).partial")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: false)
        try Data("left".utf8).write(to: left.appending(path: "a"))
        let output = try FileSetOutput(folder: folder.url.path)
        FileSetOutput.removeAbandoned(in: folder.url.path)
        #expect(!FileManager.default.fileExists(atPath: left.path))
        try output.add("new", as: "a", replacing: true)
        try output.finish()
        #expect(try files["a"] == "new")
    }

    @Test(
        "A folder that is placed and not published comes back",
        arguments: [(false, false), (true, false), (true, true)])
    func folders(hasOld: Bool, isPublished: Bool) throws {
        if hasOld {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: "out"), withIntermediateDirectories: false)
            _ = try folder.write("old", to: "out/a")
        }
        do {
            let output = try FolderOutput(path: folder.url.appending(path: "out").path)
            try Data("new".utf8).write(to: URL(filePath: output.temporary + "/a"))
            try output.place()
            #expect(try files["out/a"] == "new")
            if isPublished { output.publish() }
        }
        #expect(try files["out/a"] == (isPublished ? "new" : hasOld ? "old" : nil))
        #expect(try files.keys.allSatisfy { !$0.contains(".partial") })
    }
}
