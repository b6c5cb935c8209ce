import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryImport
import GranaryModel
import GranaryPredicates
import GranaryRecords
import GranarySQLite
import TestSupport
import Testing
@testable import GranaryImport
@testable import GranarySubset
@testable import SeedingTestSupport

/// Subsets from store file to store file.
@Suite struct SubsetFilesTests {
    private let folder: TemporaryFolder
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Photo",
            [
                .attribute("title", .string, .required), .attribute("data", .binary, .externalStorage),
                .attribute("capitals", .string, .derived("uppercase:(title)")),
            ], unique: [["title"]])
    ])
    /// Larger than the files that are read at once.
    private static let large = 3 << 20

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    /// Writes `S.sqlite` with two photos, one of them large.
    private func writeSource(derived: Bool = false) throws {
        var model = Self.model
        if !derived { model.entities[0].attributes.removeLast() }
        let store = try SQLiteStore.create(path: path("S.sqlite"), schema: try model.resolved())
        for (key, count) in [(3, Self.large), (7, 200_000)] as [(Int64, Int)] {
            let data = TestBytes.varied(count, seed: UInt8(key))
            try ExportSamples.insert(
                "Photo", key, ["title": .string("Photo \(key)"), "data": .binary(data)], into: store)
        }
        try store.publish()
    }

    private func subset(
        to name: String = "T.sqlite", _ change: (inout SubsetOptions) -> Void = { _ in }
    ) throws -> SubsetReport {
        var options = SubsetOptions()
        options.selections = [SubsetOptions.Selection("Photo")]
        change(&options)
        return try Subset(options: options).run(path: path("S.sqlite"), model: nil, to: path(name))
    }

    private func opened(_ name: String = "T.sqlite") throws -> SQLiteStore {
        var warnings: [Diagnostic] = []
        return try SQLiteStore.openForReading(
            path: path(name), model: nil, busyTimeout: .seconds(1), warnings: &warnings)
    }

    private func values(_ attribute: String, in name: String = "T.sqlite") throws -> [AttributeValue?] {
        try SubsetSample.values(try opened(name), "Photo", attribute)
    }

    @Test("External files are copied, also those that are not read into memory", arguments: [false, true])
    func externalFiles(derived: Bool) throws {
        // Derived attributes need triggers, so that SQL writes the rows.
        try writeSource(derived: derived)
        let before = try Data(contentsOf: URL(filePath: path("S.sqlite")))
        let report = try subset()
        #expect(report.count == 2 && report.source == path("S.sqlite") && report.store == path("T.sqlite"))
        #expect(try values("data") == values("data", in: "S.sqlite"))
        let files = try FileManager.default.contentsOfDirectory(atPath: path(".T_SUPPORT/_EXTERNAL_DATA"))
        #expect(files.count == 2)
        if derived {
            #expect(try values("capitals") == [.string("PHOTO 3"), .string("PHOTO 7")])
            let capitals = try #require(report.attributes.first { $0.name == "capitals" })
            #expect(capitals.kept == 2 && capitals.reason == "derived, computed again")
        }
        #expect(try Data(contentsOf: URL(filePath: path("S.sqlite"))) == before)
        #expect(try names == [".S_SUPPORT", ".T_SUPPORT", "S.sqlite", "T.sqlite"])
    }

    @Test("Derived attributes that the new store does not compute are NULL, with a warning")
    func uncomputed() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Photo",
                [
                    .attribute("title", .string), .attribute("far", .string, .required, .derived("album.owner.name")),
                    .toOne("album", "Album", inverse: nil),
                ]),
            EntityDescription("Album", [.toOne("owner", "Owner", inverse: nil)]),
            EntityDescription("Owner", [.attribute("name", .string)]),
        ])
        let store = try SQLiteStore.create(path: path("S.sqlite"), schema: try model.resolved())
        try ExportSamples.insert("Photo", 1, ["title": "One"], into: store)
        try store.publish()
        let report = try subset()
        let far = try #require(report.attributes.first { $0.name == "far" })
        #expect(far.null == 1 && far.kept == 0 && far.reason == nil)
        let warnings = report.warnings.filter { $0.property == "far" }
        #expect(warnings.contains { $0.message.contains("does not compute \"album.owner.name\"") }, "\(warnings)")
        #expect(warnings.contains { $0.code == .valueMissing && $0.message.contains("Photo/p1") }, "\(warnings)")
        #expect(report.warningCount == report.warnings.count)
    }

    @Test("Binary data of a file is replaced by as many bytes")
    func binary() throws {
        try writeSource()
        _ = try subset { $0.anonymisedAttributes = ["Photo.data"] }
        let (before, after) = (try values("data", in: "S.sqlite"), try values("data"))
        for (old, new) in zip(before, after) {
            guard case .binary(let old)? = old, case .binary(let new)? = new else {
                Issue.record("no data")
                continue
            }
            #expect(old.count == new.count && old != new)
        }
    }

    @Test("A missing file is an error that names the object; with null it is NULL with a warning")
    func missingFile() throws {
        try writeSource()
        try FileManager.default.removeItem(atPath: path(".S_SUPPORT"))
        let error = #expect(throws: GranaryError.self) { _ = try subset() }
        #expect(error?.diagnostics.first?.property == "data", "\(String(describing: error))")
        #expect(try names == ["S.sqlite"])
        let report = try subset { $0.missingFiles = .null }
        #expect(report.warningCount == 2)
        #expect(try values("data") == [nil, nil])
    }

    @Test("An existing store is replaced only if asked for, with its external files")
    func replacing() throws {
        try writeSource()
        _ = try subset()
        let before = try Data(contentsOf: URL(filePath: path("T.sqlite")))
        let error = #expect(throws: GranaryError.self) { _ = try subset() }
        #expect(error?.code == .uncreatable && error?.help == "--force")
        #expect(try Data(contentsOf: URL(filePath: path("T.sqlite"))) == before)
        let one = try ObjectPredicate("title == 'Photo 7'")
        _ = try subset {
            $0.replacesOutput = true
            $0.selections = [SubsetOptions.Selection("Photo", where: one)]
        }
        #expect(try values("title") == [.string("Photo 7")])
        #expect(try FileManager.default.contentsOfDirectory(atPath: path(".T_SUPPORT/_EXTERNAL_DATA")).count == 1)
        // What is no store is not replaced.
        _ = try folder.write("text", to: "U.sqlite")
        let wrong = #expect(throws: GranaryError.self) { _ = try subset(to: "U.sqlite") { $0.replacesOutput = true } }
        #expect(wrong?.code == .refused)
        #expect(try String(contentsOfFile: path("U.sqlite"), encoding: .utf8) == "text")
    }

    @Test("The source is not the output, and a cancelled run leaves nothing")
    func leavesNothing() throws {
        try writeSource()
        let same = #expect(throws: GranaryError.self) { _ = try subset(to: "S.sqlite") { $0.replacesOutput = true } }
        #expect(same?.code == .usage)
        let cancelled = #expect(throws: GranaryError.self) {
            _ = try subset {
                $0.cancellation = Cancellation()
                $0.cancellation?.cancel()
            }
        }
        #expect(cancelled?.code == .interrupted)
        #expect(try names == [".S_SUPPORT", "S.sqlite"])
    }

    @Test("The new store has no ledger and no metadata of the source, and the source's permissions")
    func metadata() throws {
        let store = try SQLiteStore.create(path: path("S.sqlite"), schema: try Self.model.resolved())
        let importer = Importer(entity: "Photo", from: .text("title\nJava\n", format: .csv))
        _ = try importer.run(into: store)
        try store.publish()
        #expect(!store.importRuns.isEmpty)
        chmod(path("S.sqlite"), 0o600)
        _ = try subset()
        #expect(try opened().importRuns.isEmpty)
        let mode = try FileManager.default.attributesOfItem(atPath: path("T.sqlite"))[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test("A replaced store leaves nothing: no external file, no run, no file of a killed run")
    func replacedBelongings() throws {
        try writeSource()
        _ = try subset()
        let folder = path(".T_SUPPORT/_EXTERNAL_DATA")
        // A process that was killed while it wrote a file, and one that is running.
        let (killed, running) = (UUID().uuidString, UUID().uuidString)
        for name in ["\(killed).partial", killed, running] {
            _ = try self.folder.write("left", to: ".T_SUPPORT/_EXTERNAL_DATA/\(name)")
        }
        let header = "granary: external files of a transaction\n"
        _ = try self.folder.write(header + killed + "\n", to: "T.sqlite.external.\(UUID().uuidString).partial")
        let log = try PartialFile.create(for: path("T.sqlite.external"), removingAbandoned: false)
        try Data("\(header)\(running)\n".utf8).write(to: URL(filePath: log.path))
        let run = path("T.sqlite.runs/run-1")
        try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
        _ = try self.folder.write("before", to: "T.sqlite.runs/run-1/before.sqlite")
        _ = try subset { $0.replacesOutput = true }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.count == 3 && files.contains(running), "\(files)")
        #expect(!FileManager.default.fileExists(atPath: path("T.sqlite.runs")))
        unlink(log.path)
        #expect(try names == [".S_SUPPORT", ".T_SUPPORT", "S.sqlite", "T.sqlite"])
    }

    @Test("A store in use and a folder in its place are not replaced, and stay as they are")
    func notReplaced() throws {
        try writeSource()
        _ = try subset()
        let before = try Data(contentsOf: URL(filePath: path("T.sqlite")))
        let reader = try Connection(path: path("T.sqlite"), mode: .readWrite)
        try reader.execute("BEGIN; SELECT count(*) FROM ZPHOTO")
        let error = #expect(throws: GranaryError.self) {
            _ = try subset {
                $0.replacesOutput = true
                $0.busyTimeout = 0
            }
        }
        #expect(error?.code == .busy, "\(String(describing: error))")
        try reader.close()
        #expect(try Data(contentsOf: URL(filePath: path("T.sqlite"))) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path(".T_SUPPORT/_EXTERNAL_DATA")).count == 2)
        #expect(try names == [".S_SUPPORT", ".T_SUPPORT", "S.sqlite", "T.sqlite"])
    }

    @Test("A shipped store that replaces an equal one has the same bytes and external files")
    func shippedAgain() throws {
        try writeSource()
        func ship() throws -> (Data, [String]) {
            let report = try subset {
                $0.replacesOutput = true
                $0.ships = true
            }
            #expect(report.shipping?.externalFiles.count == 2)
            #expect(report.shipping?.externalFolder == path(".T_SUPPORT/_EXTERNAL_DATA"))
            let files = try FileManager.default.contentsOfDirectory(atPath: path(".T_SUPPORT/_EXTERNAL_DATA"))
            return (try Data(contentsOf: URL(filePath: path("T.sqlite"))), files.sorted())
        }
        let first = try ship()
        let second = try ship()
        #expect(first.0 == second.0 && first.1 == second.1 && first.1.count == 2)
        #expect(try values("data") == values("data", in: "S.sqlite"))
    }

    @Test("Shipped and with a random seed, the same store gives the same bytes")
    func reproducible() throws {
        try writeSource()
        for name in ["T.sqlite", "U.sqlite"] {
            _ = try subset(to: name) {
                $0.ships = true
                $0.anonymisesAllText = true
                $0.randomSeed = 3
            }
        }
        let first = try Data(contentsOf: URL(filePath: path("T.sqlite")))
        #expect(try Data(contentsOf: URL(filePath: path("U.sqlite"))) == first)
        #expect(try values("title") != values("title", in: "S.sqlite"))
    }
}
