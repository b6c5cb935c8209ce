import Foundation
import GranaryModel
import GranaryModelFiles
import GranarySQLite
import TestSupport
import Testing

/// Outputs that cannot be written. If that fails before the commit, nothing is stored; after it, the message says that
/// the import is stored.
struct OutputFailureCrashTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let model = ManagedObjectModel(entities: [
            EntityDescription("Thing", [.attribute("name", .string, .required, .length(1...9))])
        ])
        try model.write(to: folder.url.appending(path: "Model.json"))
        _ = try folder.write("name\nOne\nTwo\n", to: "good.csv")
        _ = try folder.write("name\nThree\nmuch too long\n", to: "mixed.csv")
    }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func granary(_ words: [String], script: String? = nil) throws -> Granary {
        try Granary.run(words, in: folder.url, script: script)
    }

    private func importing(_ file: String = "good.csv", _ more: [String] = [], script: String? = nil) throws -> Granary
    {
        try granary(
            ["import", file, "--model", "Model.json", "--store", "S.sqlite", "--entity", "Thing"] + more, script: script
        )
    }

    /// Imports `pipe.csv`, after `files`, and calls `meanwhile` when the import waits for the pipe: it has created its
    /// temporary files by then and has read `files`. `text` is written to the pipe after that.
    private func importingPipe(
        _ text: String, after files: [String] = [], _ options: [String] = [], script: String? = nil,
        meanwhile: (RunningGranary) throws -> Void
    ) throws -> Granary {
        try #require(mkfifo(path("pipe.csv"), 0o600) == 0)
        let words = files + ["pipe.csv", "--model", "Model.json", "--store", "S.sqlite", "--entity", "Thing"]
        let running = try Granary.start(["import"] + words + options, in: folder.url, script: script)
        // Opening a pipe for writing waits until the import has opened it for reading.
        let pipe = try FileHandle(forWritingTo: URL(filePath: path("pipe.csv")))
        try meanwhile(running)
        try pipe.write(contentsOf: Data(text.utf8))
        try pipe.close()
        return try running.finish()
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    private func count() throws -> Int64? {
        let connection = try Connection.reading(path: path("S.sqlite"))
        return try connection.integer("SELECT count(*) FROM ZTHING")
    }

    private static let outputs = ["--mode", "keep-good", "--rejects", "bad.csv", "--report", "r.json"]
    private static let nothing = "read 0 = created 0 + updated 0 + unchanged 0 + skipped 0 + rejected 0"

    #if os(Linux)
        @Test(
            "A report or SARIF document that cannot be written is detected before the commit",
            arguments: [false, true],
            [
                (["--report", "/dev/full"], nil), (["--report", "-"], "exec \"$0\" \"$@\" > /dev/full"),
                (["--diagnostics", "sarif"], "exec \"$0\" \"$@\" > /dev/full"),
            ] as [([String], String?)])
        func fullDevice(_ exists: Bool, _ document: (options: [String], script: String?)) throws {
            if exists { #expect(try importing().status == 0) }
            let before = try names()
            let run = try importing("mixed.csv", ["--mode", "keep-good"] + document.options, script: document.script)
            #expect(run.status == 74 && run.ledger == Self.nothing, "\(run.errors)")
            #expect(!run.errors.contains("is stored"))
            #expect(try names() == before)
            if exists { #expect(try count() == 2) }
        }
    #endif

    @Test("A report that is a folder is refused before anything is read", arguments: [[], ["--force"]])
    func folderAsReport(_ force: [String]) throws {
        try FileManager.default.createDirectory(atPath: path("r.json"), withIntermediateDirectories: false)
        let run = try importing("none.csv", ["--report", "r.json"] + force)
        #expect(run.status == 66 || run.status == 73, "\(run.errors)")
        let real = try importing("good.csv", ["--report", "r.json"] + force)
        #expect(real.status == 73 && !FileManager.default.fileExists(atPath: path("S.sqlite")), "\(real.errors)")
    }

    @Test("The message of a failure after the commit says that the import is stored", arguments: [false, true])
    func afterTheCommit(_ exists: Bool) throws {
        if exists { #expect(try importing().status == 0) }
        let run = try importingPipe("name\nFour\nmuch too long\n", Self.outputs) { _ in
            try FileManager.default.createDirectory(atPath: path("r.json/x"), withIntermediateDirectories: true)
        }
        #expect(run.status == 74, "\(run.errors)")
        #expect(
            run.errors.contains("r.json: was created or changed")
                && run.errors.contains("the import is stored in S.sqlite"))
        #expect(run.ledger == "read 2 = created 1 + updated 0 + unchanged 0 + skipped 0 + rejected 1")
        #expect(try count() == (exists ? 3 : 1))
        #expect(try String(contentsOfFile: path("bad.csv"), encoding: .utf8) == "name\nmuch too long\n")
        #expect(try !names().contains { $0.hasSuffix(".partial") })
    }

    @Test("A file that is created during the run is not replaced", arguments: ["r.json", "bad.csv"])
    func createdMeanwhile(_ name: String) throws {
        let run = try importingPipe("name\nFour\nmuch too long\n", Self.outputs) { _ in
            _ = try folder.write("mine", to: name)
        }
        #expect(run.errors.contains("\(name): was created or changed"), "\(run.errors)")
        #expect(try String(contentsOfFile: path(name), encoding: .utf8) == "mine")
        if name == "bad.csv" {
            // The rejects file is renamed before the commit.
            #expect(run.status == 73 && run.ledger == Self.nothing, "\(run.errors)")
            #expect(try names() == ["Model.json", "bad.csv", "good.csv", "mixed.csv", "pipe.csv"])
        } else {
            #expect(run.status == 74)
            #expect(try count() == 1)
            let aside = try #require(try names().first { $0.hasPrefix("r.json.") })
            #expect(try String(contentsOfFile: path(aside), encoding: .utf8).contains("much too long"))
        }
    }

    @Test("An import that cannot be committed leaves the rejects file of an earlier import unchanged")
    func rejectsPutBack() throws {
        let options = ["--mode", "keep-good", "--rejects", "bad.csv"]
        #expect(try importing("mixed.csv", options).status == 1)
        let before = try names().map { try Data(contentsOf: folder.url.appending(path: $0)) }
        try FileManager.default.createDirectory(atPath: path("S.sqlite.runs/run-2"), withIntermediateDirectories: true)
        _ = try folder.write("mine", to: "S.sqlite.runs/run-2/mine.txt")
        _ = try folder.write("name\nSix\nalso much too long\n", to: "other.csv")
        #expect(try importing("other.csv", options + ["--revertible"]).status == 73)
        for name in ["other.csv", "S.sqlite.runs"] { try FileManager.default.removeItem(atPath: path(name)) }
        #expect(try names().map { try Data(contentsOf: folder.url.appending(path: $0)) } == before)
    }

    @Test("A run removes the rejects files of an earlier run")
    func earlierRejects() throws {
        _ = try folder.write("[{\"name\": \"much too long\"}]", to: "mixed.json")
        let options = ["--mode", "keep-good", "--rejects", "bad.csv"]
        #expect(try importing("mixed.csv", ["mixed.json"] + options).status == 1)
        #expect(try names().contains("bad.2.json"))
        #expect(try importing("mixed.csv", options).status == 1)
        #expect(try !names().contains("bad.2.json") && names().contains("bad.csv"))
    }

    @Test("A signal that is ignored when the process starts stays ignored")
    func ignoredSignal() throws {
        let run = try importingPipe("name\nFour\n", script: "trap '' HUP; exec \"$0\" \"$@\"") { running in
            running.send(SIGHUP)
            Thread.sleep(forTimeInterval: 0.05)
        }
        #expect(run.status == 0)
        #expect(try count() == 1)
    }

    @Test(
        "If a store of a plan fails after another was committed, the rejects and report of the committed one are kept")
    func planFailsBetweenCommits() throws {
        for name in ["A", "B"] {
            let words = [
                "import", "good.csv", "--model", "Model.json", "--store", "\(name).sqlite", "--entity", "Thing",
            ]
            #expect(try granary(words).status == 0)
        }
        // The first store's run cannot get its folder.
        try FileManager.default.createDirectory(atPath: path("A.sqlite.runs/run-2"), withIntermediateDirectories: true)
        _ = try folder.write("mine", to: "A.sqlite.runs/run-2/mine.txt")
        _ = try folder.write(
            """
            model: Model.json
            mode: keep-good
            stores:
              - {store: A.sqlite, revertible: true, rejects: a.csv, imports: [{entity: Thing, file: mixed.csv}]}
              - {store: B.sqlite, rejects: b.csv, imports: [{entity: Thing, file: mixed.csv}]}

            """, to: "seed.yaml")
        let run = try granary(["seed", "seed.yaml", "--report", "r.json"])
        #expect(run.status == 74, "\(run.errors)")
        #expect(run.errors.contains("the import is stored in B.sqlite"), "\(run.errors)")
        #expect(run.ledger == "read 4 = created 1 + updated 0 + unchanged 0 + skipped 1 + rejected 2")
        #expect(try String(contentsOfFile: path("b.csv"), encoding: .utf8) == "name\nmuch too long\n")
        #expect(try !names().contains("a.csv"))
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path("r.json"))))
        let stores = try #require((json as? [String: Any])?["stores"] as? [[String: Any]])
        #expect(stores.map { $0["created"] as? Int } == [0, 1])
    }

    @Test("The rejects file has the rejected rows although the input file is replaced during the import")
    func replacedInput() throws {
        let run = try importingPipe("name\nFour\n", after: ["mixed.csv"], Self.outputs) { _ in
            _ = try folder.write("name\nanother line, much longer\nGood\n", to: "mixed.csv")
        }
        #expect(run.status == 1, "\(run.errors)")
        #expect(try String(contentsOfFile: path("bad.csv"), encoding: .utf8) == "name\nmuch too long\n")
    }

    @Test("The next run with the same target removes the partial files of a killed run")
    func abandonedFiles() throws {
        #expect(try importing().status == 0)
        let id = "0F8FAD5B-D9CB-469F-A165-70867728950E"
        let left = [
            "S.sqlite.\(id).partial", "S.sqlite.\(id).partial-journal", "r.json.\(id).partial", "bad.csv.\(id).partial",
            "bad.csv.reasons.jsonl.\(id).partial", "out.json.\(id).partial",
        ]
        for name in left { _ = try folder.write("left", to: name) }
        // Names that Granary does not create.
        let others = ["S.sqlite.mine.partial", "other.\(id).partial", "S.sqlite.\(id).partial2"]
        for name in others { _ = try folder.write("mine", to: name) }
        #expect(
            try importing("mixed.csv", ["--mode", "keep-good", "--rejects", "bad.csv", "--report", "r.json"]).status
                == 1)
        let kept = Set(try names()).intersection(left)
        #expect(kept == ["out.json.\(id).partial"])
        try FileManager.default.createDirectory(atPath: path("out.\(id).partial"), withIntermediateDirectories: false)
        _ = try folder.write("left", to: "out.\(id).partial/Thing.csv")
        #expect(try granary(["export", "--store", "S.sqlite", "--output", "out.json"]).status == 0)
        #expect(try Set(names()).isDisjoint(with: left))
        #expect(Set(try names()).isSuperset(of: others))
    }

    @Test("Outputs with values of a store have the file mode of the store")
    func modes() throws {
        #expect(try importing().status == 0)
        chmod(path("S.sqlite"), 0o600)
        #expect(
            try importing(
                "mixed.csv", ["--mode", "keep-good", "--rejects", "bad.csv", "--report", "r.json", "--revertible"]
            ).status == 1)
        #expect(try granary(["export", "--store", "S.sqlite", "--output", "out.json"]).status == 0)
        for name in try names() where !["Model.json", "good.csv", "mixed.csv"].contains(name) {
            var status = stat()
            #expect(stat(path(name), &status) == 0 && status.st_mode & 0o077 == 0, "\(name)")
        }
        var status = stat()
        #expect(stat(path("S.sqlite.runs/run-2/before.sqlite"), &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("A revert refuses damaged before-images")
    func damagedImages() throws {
        #expect(try importing().status == 0)
        #expect(try importing("good.csv", ["--revertible"]).status == 0)
        let images = URL(filePath: path("S.sqlite.runs/run-2/before.sqlite"))
        let whole = try Data(contentsOf: images)
        let before = try Data(contentsOf: URL(filePath: path("S.sqlite")))
        for place in stride(from: 0, to: whole.count, by: 6007) {
            var damaged = whole
            damaged[place] ^= 0x40
            try damaged.write(to: images)
            let run = try granary(["store", "revert", "S.sqlite"])
            #expect(run.status == 65 && run.errors.contains("before.sqlite has changed since the run"), "\(run.errors)")
        }
        #expect(try Data(contentsOf: URL(filePath: path("S.sqlite"))) == before)
        try whole.write(to: images)
        let digests = path("S.sqlite.runs/run-2/digests")
        try FileManager.default.moveItem(atPath: digests, toPath: path("digests"))
        let missing = try granary(["store", "revert", "S.sqlite"])
        #expect(missing.status == 65 && missing.errors.contains("its file digests is missing"), "\(missing.errors)")
        try FileManager.default.moveItem(atPath: path("digests"), toPath: digests)
        #expect(try granary(["store", "revert", "S.sqlite"]).status == 0)
        #expect(try count() == 2)
    }

    @Test("A file name that is not UTF-8 is refused")
    func otherBytes() throws {
        _ = try folder.write("name\nWrong\n", to: "a\u{FFFD}.csv")
        let run = try importing(
            script: "printf 'name\\nRight\\n' > \"$(printf 'a\\377.csv')\"; shift 2; "
                + "exec \"$0\" import \"$(printf 'a\\377.csv')\" \"$@\"")
        #expect(run.status == 64 && run.errors.contains("\"a\\xFF.csv\" is not UTF-8"), "\(run.errors)")
        #expect(run.ledger == Self.nothing)
        let pattern = try importing("a*.csv")
        #expect(pattern.status == 66 && pattern.errors.contains("a\\xFF.csv is not UTF-8"), "\(pattern.errors)")
        #expect(!FileManager.default.fileExists(atPath: path("S.sqlite")))
    }

    @Test("If --ship fails after the commit, the rejects file and the report are written")
    func shipFails() throws {
        #expect(try importing().status == 0)
        // A reader that stays keeps the write-ahead log open, so that the store cannot become one file.
        let reader = try Connection(path: path("S.sqlite"), mode: .readWrite)
        _ = try reader.text(pragma: "journal_mode = WAL")
        try reader.execute("BEGIN; SELECT count(*) FROM ZTHING")
        let run = try importing(
            "mixed.csv",
            ["--mode", "keep-good", "--rejects", "bad.csv", "--report", "r.json", "--ship", "--busy-timeout", "0"])
        #expect(run.status == 74 && run.errors.contains("the import is stored in S.sqlite"), "\(run.errors)")
        #expect(run.ledger == "read 2 = created 1 + updated 0 + unchanged 0 + skipped 0 + rejected 1")
        #expect(try String(contentsOfFile: path("bad.csv"), encoding: .utf8) == "name\nmuch too long\n")
        #expect(FileManager.default.fileExists(atPath: path("r.json")))
        try reader.execute("COMMIT")
        try reader.close()
        #expect(try count() == 3)
    }
}
