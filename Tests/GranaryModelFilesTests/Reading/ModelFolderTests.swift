import Foundation
import GranaryBase
import GranaryModel
import TestSupport
import Testing

@testable import GranaryModelFiles

/// Folders: which version counts, and what is no model source.
struct ModelFolderTests {
    /// An `.xcdatamodeld` whose versions hold one entity named as the version.
    private static func folder(
        versions: [String], current: String? = nil, name: String = "M.xcdatamodeld"
    ) throws -> (TemporaryFolder, URL) {
        let folder = try TemporaryFolder()
        let model = folder.url.appending(path: name)
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        for version in versions {
            let path = model.appending(path: version + ".xcdatamodel")
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            try Data("<model><entity name=\"\(version)\"/></model>".utf8).write(to: path.appending(path: "contents"))
        }
        if let current { try Data(current.utf8).write(to: model.appending(path: ".xccurrentversion")) }
        return (folder, model)
    }

    private static func currentFile(_ entry: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>\(entry)</dict></plist>
        """
    }

    @Test(arguments: [(["M 2", "M", "M 3"], nil), (["M 2", "M"], "")] as [([String], String?)])
    func severalWithoutACurrentOne(_ versions: [String], _ entry: String?) throws {
        let (folder, url) = try Self.folder(versions: versions, current: entry.map(Self.currentFile))
        let error = #expect(throws: GranaryError.self) { try ManagedObjectModel(contentsOf: url) }
        for name in versions { #expect(error?.message.contains("\(name).xcdatamodel") == true) }
        _ = folder
    }

    @Test(
        arguments: [
            (["Only"], nil, "Only"),
            (["M", "M 2"], "<key>_XCCurrentVersionName</key><string>M 2.xcdatamodel</string>", "M 2"),
        ] as [([String], String?, String)])
    func currentVersion(_ versions: [String], _ entry: String?, _ expected: String) throws {
        let (folder, url) = try Self.folder(versions: versions, current: entry.map(Self.currentFile))
        #expect(try ManagedObjectModel(contentsOf: url).entities.map(\.name) == [expected])
        let all = try ManagedObjectModel.versions(in: url)
        #expect(all.map(\.name) == versions.sorted())
        #expect(all.filter(\.isCurrent).map(\.name) == [expected])
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: [
        (
            "<key>_XCCurrentVersionName</key><string>M 4.xcdatamodel</string>",
            "the current version is \"M 4.xcdatamodel\", but the folder holds M.xcdatamodel, M 2.xcdatamodel"
        ),
        ("<key>_XCCurrentVersionName</key><string>../M/M.xcdatamodel</string>", "../M/M.xcdatamodel"),
        ("<key>_XCCurrentVersionName</key><integer>1</integer>", "is not text"),
        ("<array/>", "[plist.syntax]"),
    ])
    func brokenCurrentVersion(_ entry: String, _ message: String) throws {
        let (folder, url) = try Self.folder(versions: ["M", "M 2"], current: Self.currentFile(entry))
        let lines = try #require(ModelSamples.refusal { _ = try ManagedObjectModel(contentsOf: url) })
        #expect(lines.count == 1 && lines[0].contains(message), "\(lines)")
        withExtendedLifetime(folder) {}
    }

    @Test func positionsNameTheFileAsGiven() throws {
        let (folder, url) = try Self.folder(versions: ["M"])
        try Data("<model>\n <entity/></model>".utf8).write(to: url.appending(path: "M.xcdatamodel/contents"))
        let lines = ModelSamples.refusal { _ = try ManagedObjectModel(contentsOf: url) }
        let path = "\(folder.url.path)/M.xcdatamodeld/M.xcdatamodel/contents"
        #expect(lines == ["\(path):2:2: error: <entity> has no attribute \"name\" [model.syntax]"])
    }

    @Test func pathsAsGiven() {
        let here = FileManager.default.currentDirectoryPath
        #expect(URL(filePath: "a b/M.json").givenPath == "a b/M.json")
        #expect(URL(filePath: "/a b/M.xcdatamodeld/").givenPath == "/a b/M.xcdatamodeld")
        #expect(URL(filePath: "M", relativeTo: URL(filePath: "/base/")).givenPath == "/base/M")
        #expect(URL(filePath: "M", relativeTo: URL(filePath: here + "/")).givenPath == "M")
    }

    @Test func namesDecideNothing() throws {
        let (folder, url) = try Self.folder(versions: ["M"], name: "Odd.momd")
        #expect(try ManagedObjectModel(contentsOf: url).entities.map(\.name) == ["M"])
        let version = url.appending(path: "M.xcdatamodel")
        #expect(try ManagedObjectModel(contentsOf: version).entities.map(\.name) == ["M"])
        #expect(try ManagedObjectModel(contentsOf: version.appending(path: "contents")).entities.map(\.name) == ["M"])
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: [
        ("M.momd", ["VersionInfo.plist", "M.mom"], "VersionInfo.plist"),
        ("M.momd", ["VersionInfo.plist", "M.omo"], "is a folder of compiled models without a .mom file"),
        ("M.momd", ["M.mom"], "M.mom: is not a model"),
        ("M.momd", ["M.mom", "N.mom"], "has several versions and no current one"),
        ("M.momd", ["M.cdm"], "holds a compiled mapping model (.cdm), but no model"),
        ("M.xcdatamodel", ["elements", "layout"], "is a model of Xcode 3"),
        ("M.xcdatamodeld", ["notes.txt"], "holds no version"),
        ("M", ["notes.txt"], "is a folder without a model"),
    ])
    func noSource(_ name: String, _ files: [String], _ message: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for file in files { try Data("x".utf8).write(to: url.appending(path: file)) }
        let lines = try #require(ModelSamples.refusal { _ = try ManagedObjectModel(contentsOf: url) })
        #expect(lines.count == 1 && lines[0].contains(message), "\(lines)")
    }
}
