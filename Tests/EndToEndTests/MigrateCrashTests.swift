import Foundation
import Granary
import TestSupport
import Testing

/// `store migrate` that is killed or fails at each change of a name. The store is then the old one or the new one, with
/// its external files, and the next run finishes.
@Suite(.enabled(if: Strace.isPresent, "\(Strace.absence)")) struct MigrateCrashTests {
    private let folder: TemporaryFolder
    private let base: URL
    private let place: URL

    private static let properties: [PropertyDescription] = [
        .attribute("title", .string, .required), .attribute("data", .binary, .externalStorage),
    ]

    init() throws {
        folder = try TemporaryFolder()
        base = folder.url.appending(path: "base")
        place = folder.url.appending(path: "place")
        try FileManager.default.createDirectory(at: base, withIntermediateDirectories: false)
        let added = PropertyDescription.attribute("year", .integer16, .defaultValue(7))
        for (name, properties) in [("Old", Self.properties), ("New", Self.properties + [added])] {
            try ManagedObjectModel(entities: [EntityDescription("Photo", properties)])
                .write(to: base.appending(path: "\(name).json"))
        }
        let data = String(repeating: "DATA", count: 50_000).data(using: .utf8)?.base64EncodedString() ?? ""
        let rows = (0..<2).map { "{\"title\": \"T\($0)\", \"data\": \"\(data)\"}" }
        try Data("[\(rows.joined(separator: ","))]".utf8).write(to: base.appending(path: "rows.json"))
        let run = try Granary.run(
            ["import", "rows.json", "--entity", "Photo", "--model", "Old.json", "--store", "S.sqlite"], in: base)
        try #require(run.status == 0, "\(run.errors)")
        try FileManager.default.removeItem(at: base.appending(path: "rows.json"))
    }

    private func reset() throws {
        if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
        try FileManager.default.copyItem(at: base, to: place)
    }

    private func migrate(_ more: String...) -> [String] {
        ["store", "migrate", "S.sqlite", "--model", "New.json", "--quiet"] + more
    }

    /// `old` or `new`: the version of the store, whose objects are whole.
    private func version(_ what: String) throws -> String {
        let check = try Granary.run(["store", "check", "S.sqlite"], in: place)
        #expect(check.errors.contains(": 0 errors"), "\(what): \(check.errors)")
        let query = try Granary.run(["export", "--store", "S.sqlite", "--format", "csv", "--output", "-"], in: place)
        #expect(query.status == 0, "\(what): \(query.errors)")
        let lines = query.output.split(separator: "\n")
        #expect(lines.count == 3, "\(what): \(query.output.prefix(200))")
        return lines.first?.contains("year") == true ? "new" : "old"
    }

    private func finish(_ what: String) throws {
        let next = try Granary.run(migrate("--no-backup"), in: place)
        #expect(next.status == 0, "\(what): \(next.errors)")
        #expect(try version("\(what), next run") == "new")
        let names = try FileManager.default.subpathsOfDirectory(atPath: place.path)
        #expect(names.filter { $0.contains(".partial") } == [], "\(what)")
        #expect(names.count { $0.hasPrefix(".S_SUPPORT/_EXTERNAL_DATA/") } == 2, "\(what): \(names)")
    }

    @Test("Killed at each rename, link and removal", arguments: [true, false])
    func killed(keepsBackup: Bool) throws {
        var found: Set<String> = []
        let words = keepsBackup ? migrate() : migrate("--no-backup")
        let count = try Strace.kill(words, in: place, before: { try reset() }) { what in
            found.insert(try version(what))
            try finish(what)
        }
        #expect(count >= 3)
        #expect(found == ["old", "new"])
    }

    @Test(
        "An error of each call leaves the old store or the new one",
        arguments: [
            ("rename,renameat2", "error=EIO"), ("fsync", "error=EIO"), ("link", "error=EIO"),
            ("unlink", "error=EACCES"), ("pwrite64", "error=ENOSPC"), ("write", "error=ENOSPC"),
        ])
    func errors(calls: String, injection: String) throws {
        for number in 1...200 {
            try reset()
            guard let run = try Strace.run(migrate("--no-backup"), in: place, calls, injection, number: number) else {
                return
            }
            let what = "\(calls) \(number): \(run.status) \(run.errors)"
            let version = try version(what)
            #expect(version == "new" || run.status != 0, "\(what)")
            try finish(what)
        }
    }
}
