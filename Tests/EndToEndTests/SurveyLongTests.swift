import Foundation
import GranarySQLite
import TestSupport
import Testing

/// The survey of a small folder, by the program that `Scripts/survey` runs.
@Suite struct SurveyLongTests {
    private let folder: TemporaryFolder
    private let collection: URL
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        collection = folder.url.appending(path: "collection")
        try FileManager.default.createDirectory(
            at: collection.appending(path: "stores"), withIntermediateDirectories: true)
        store = collection.appending(path: "stores/Seed.sqlite").path
        let model = Samples.url("Triage/Triage.xcdatamodeld")
        try FileManager.default.copyItem(at: model, to: collection.appending(path: "Triage.xcdatamodeld"))
        try Data("neither store nor model".utf8).write(to: collection.appending(path: "notes.txt"))
        let imports: [(file: String, entity: String, options: [String])] = [
            ("responders.csv", "Responder", []),
            ("patients.csv", "Patient", ["--lookup", "responder=badge", "--ignore", "injury"]),
        ]
        for job in imports {
            let source = Samples.url("Triage/\(job.file)").path
            let run = try Granary.run(
                ["import", source, "--model", model.path, "--store", store, "--entity", job.entity] + job.options)
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    private func survey() throws -> (status: Int32, lines: [[String: Any]], errors: String) {
        let run = try Granary.run(["--json", collection.path], program: "store-survey")
        var lines: [[String: Any]] = []
        for line in run.output.split(separator: "\n") {
            lines.append(try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]))
        }
        return (run.status, lines, run.errors)
    }

    private func line(_ kind: String, _ lines: [[String: Any]]) throws -> [String: Any] {
        let found = lines.first { $0["kind"] as? String == kind }
        return try #require(found)
    }

    @Test func everythingIsReadTwiceAndEqual() throws {
        let before = try Data(contentsOf: URL(filePath: store))
        let (status, lines, errors) = try survey()
        #expect(status == 0, "\(errors) \(lines)")
        #expect(lines.count == 3)
        let model = try #require(try line("model", lines)["model"] as? [String: Any])
        #expect(model["entities"] as? Int == 4)
        #expect(model["problems"] as? Int == 0)
        #expect(model["roundTripProblem"] == nil)
        #expect(model["hash"] as? String == "equal")
        let found = try #require(try line("store", lines)["store"] as? [String: Any])
        #expect(found["modelSource"] as? String != "inferred")
        #expect(found["storedRows"] as? Int == 340)
        let compared = try #require(found["compared"] as? [String: Any])
        #expect(compared["rows"] as? Int == 340)
        // 40 responders of 2 values, 300 patients of 9 and 2 references.
        #expect(compared["values"] as? Int == 3_380)
        let links = try #require(compared["links"] as? Int)
        #expect(links > 0)
        for key in ["unequal", "invalid", "failures", "dangling", "uncompared"] { #expect(compared[key] as? Int == 0) }
        let text = try Granary.run([collection.path], program: "store-survey")
        #expect(text.output.hasSuffix("all files read; 0 links and special files skipped\n"), "\(text.output)")
        let summary = try line("summary", lines)
        #expect(summary["storesUnchanged"] as? Int == 1)
        #expect(summary["failed"] as? Int == 0)
        #expect(try Data(contentsOf: URL(filePath: store)) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: collection.appending(path: "stores").path)
        #expect(names == ["Seed.sqlite"])
    }

    @Test func valuesOfAnotherTypeAreCounted() throws {
        let connection = try Connection(path: store, mode: .readWrite)
        try connection.execute("UPDATE ZPATIENT SET ZAGE = 'old', ZRESPONDER = 9999 WHERE Z_PK = 1")
        try connection.close()
        let (_, lines, errors) = try survey()
        let found = try #require(try line("store", lines)["store"] as? [String: Any], "\(errors)")
        let compared = try #require(found["compared"] as? [String: Any])
        #expect(compared["invalid"] as? Int == 1)
        #expect(compared["unequal"] as? Int == 0)
        let findings = try #require(found["findings"] as? [String: Int])
        #expect(!findings.isEmpty)
    }

    @Test func aDamagedStoreIsALineAndNotTheEnd() throws {
        let bytes = try Data(contentsOf: URL(filePath: store))
        try bytes.prefix(bytes.count / 2 + 100).write(to: collection.appending(path: "stores/Cut.sqlite"))
        let (status, lines, _) = try survey()
        #expect(status == 1)
        let stores = lines.filter { $0["kind"] as? String == "store" }
        #expect(stores.count == 2)
        #expect(stores.first?["error"] is String)
        #expect(stores.last?["error"] == nil)
        #expect(try line("summary", lines)["failed"] as? Int == 1)
    }

    @Test func aDamagedCompiledModelIsALine() throws {
        try Data("bplist00, and no more".utf8).write(to: collection.appending(path: "Cut.mom"))
        let (status, lines, _) = try survey()
        #expect(status == 1)
        let broken = lines.filter { $0["kind"] as? String == "model" && $0["error"] is String }
        #expect(broken.count == 1)
        #expect(try line("summary", lines)["models"] as? Int == 2)
    }

    @Test func wrongUsageSaysWhatIsRight() throws {
        let run = try Granary.run([], program: "store-survey")
        #expect(run.status == 64)
        #expect(run.errors.contains("usage: store-survey"))
        let missing = try Granary.run([folder.url.appending(path: "nowhere").path], program: "store-survey")
        #expect(missing.status == 64)
        #expect(missing.errors.contains("there is no such file or folder"))
    }
}
