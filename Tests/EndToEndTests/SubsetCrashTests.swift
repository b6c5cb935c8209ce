import Foundation
import Granary
import GranarySQLite
import TestSupport
import Testing

/// `subset --force` that is killed or fails at each change of a name. The target is then the old store or the new one,
/// and the next run removes everything else.
@Suite(.enabled(if: Strace.isPresent, "\(Strace.absence)")) struct SubsetCrashTests {
    private let folder: TemporaryFolder
    private let base: URL
    private let place: URL
    private static let secret = Data("SECRETDATA".utf8)

    init() throws {
        folder = try TemporaryFolder()
        base = folder.url.appending(path: "base")
        place = folder.url.appending(path: "place")
        try FileManager.default.createDirectory(at: base, withIntermediateDirectories: false)
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Photo", [.attribute("title", .string, .required), .attribute("data", .binary, .externalStorage)])
        ])
        try model.write(to: base.appending(path: "Model.json"))
        for (name, count) in [("S", 3), ("T", 2)] {
            let data = String(repeating: "SECRETDATA", count: 20_000).data(using: .utf8)?.base64EncodedString() ?? ""
            let rows = (0..<count).map { "{\"title\": \"\(name)\($0)\", \"data\": \"\(data)\"}" }
            try Data("[\(rows.joined(separator: ","))]".utf8).write(to: base.appending(path: "rows.json"))
            let run = try Granary.run(
                ["import", "rows.json", "--entity", "Photo", "--model", "Model.json", "--store", "\(name).sqlite"],
                in: base)
            try #require(run.status == 0, "\(run.errors)")
        }
        try FileManager.default.removeItem(at: base.appending(path: "rows.json"))
    }

    private func reset(hasTarget: Bool) throws {
        if FileManager.default.fileExists(atPath: place.path) { try FileManager.default.removeItem(at: place) }
        try FileManager.default.copyItem(at: base, to: place)
        guard !hasTarget else { return }
        for name in ["T.sqlite", ".T_SUPPORT"] { try FileManager.default.removeItem(at: place.appending(path: name)) }
    }

    private func subset(_ more: String...) -> [String] {
        ["subset", "--store", "S.sqlite", "--from", "Photo", "--output", "T.sqlite", "--quiet"] + more
    }

    private var names: [String] {
        get throws { try FileManager.default.subpathsOfDirectory(atPath: place.path) }
    }

    /// The titles in the target; nil if it does not exist.
    private var titles: [String]? {
        get throws {
            guard FileManager.default.fileExists(atPath: place.appending(path: "T.sqlite").path) else { return nil }
            let words = ["query", "T.sqlite", "Photo", "--columns", "title", "--format", "csv"]
            let query = try Granary.run(words, in: place)
            #expect(query.status == 0, "\(query.errors)")
            return query.output.split(separator: "\n").dropFirst().map(String.init)
        }
    }

    /// Checks that the target is whole.
    private func check(_ what: String, findings: String) throws {
        let check = try Granary.run(["store", "check", "T.sqlite"], in: place)
        #expect(check.errors.contains(findings), "\(what): \(check.errors)")
    }

    /// The files of the target that contain a value of the source.
    private var originals: [String] {
        get throws {
            try names.filter { $0.hasPrefix("T.") || $0.hasPrefix(".T_SUPPORT/") }.filter { name in
                let data = try? Data(contentsOf: place.appending(path: name))
                return data?.range(of: Self.secret) != nil
            }
        }
    }

    @Test("Killed at each rename, link and removal; then an anonymised subset", arguments: [true, false])
    func killed(hasTarget: Bool) throws {
        var found: Set<String> = []
        let count = try Strace.kill(subset("--force"), in: place, before: { try reset(hasTarget: hasTarget) }) { what in
            let titles = try self.titles
            #expect(
                titles == (hasTarget ? ["T0", "T1"] : nil) || titles == ["S0", "S1", "S2"],
                "\(what): \(String(describing: titles))")
            found.insert(titles?.first ?? "")
            if titles != nil { try check(what, findings: ": 0 errors") }
            let next = try Granary.run(
                subset("--force", "--anonymise", "Photo.data", "--anonymise", "Photo.title"), in: place)
            #expect(next.status == 0, "\(what): \(next.errors)")
            #expect(try originals == [], "\(what)")
            #expect(try names.filter { $0.contains(".partial") } == [], "\(what)")
            #expect(try names.count { $0.hasPrefix(".T_SUPPORT/_EXTERNAL_DATA/") } == 3, "\(what)")
            try check("\(what), next run", findings: ": 0 errors, 0 warnings")
        }
        // Three external files and the store get their names.
        #expect(count >= 4)
        #expect(found == (hasTarget ? ["T0", "S0"] : ["", "S0"]))
    }

    @Test(
        "An error of each call leaves the old store or the new one",
        arguments: [
            ("rename,renameat2", "error=EIO"), ("fsync", "error=EIO"), ("link", "error=EIO"),
            ("unlink", "error=EACCES"), ("pwrite64", "error=ENOSPC"), ("write", "error=ENOSPC"),
        ])
    func errors(calls: String, injection: String) throws {
        for number in 1...200 {
            try reset(hasTarget: true)
            guard let run = try Strace.run(subset("--force"), in: place, calls, injection, number: number) else {
                return
            }
            let titles = try self.titles
            let what = "\(calls) \(number): \(run.status) \(run.errors)"
            #expect(titles == ["S0", "S1", "S2"] || run.status != 0 && titles == ["T0", "T1"], "\(what)")
            try check(what, findings: ": 0 errors")
            let next = try Granary.run(subset("--force"), in: place)
            #expect(next.status == 0, "\(what): \(next.errors)")
            #expect(try names.filter { $0.contains(".partial") } == [], "\(what)")
            try check(what, findings: ": 0 errors, 0 warnings")
        }
    }
}
