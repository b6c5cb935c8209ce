import Foundation
import TestSupport
import Testing

/// `granary store diff` by the binary, on the sample Triage.
@Suite struct StoreDiffTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func seed(_ name: String) throws {
        let run = try Granary.run(["seed", Samples.url("Triage/seed.yaml").path, "--set", "STORE=" + path(name)])
        #expect(run.status == 0, "\(run.errors)")
    }

    private func diff(_ a: String, _ b: String, _ more: String...) throws -> Granary {
        try Granary.run(["store", "diff", path(a), path(b)] + more)
    }

    /// A seeded store equals another one and each of its exports.
    func equal() throws {
        try seed("A.sqlite")
        try seed("B.sqlite")
        for (name, format) in [("out.json", "json"), ("out.plist", "plist"), ("csv", "csv"), ("lines", "ndjson")] {
            let run = try Granary.run(
                [
                    "export", "--store", path("A.sqlite"), "--format", format, "--output",
                    path(name) + (name.contains(".") ? "" : "/"),
                ])
            #expect(run.status == 0, "\(run.errors)")
        }
        for name in ["A.sqlite", "B.sqlite", "out.json", "out.plist", "csv", "lines"] {
            let run = try diff("A.sqlite", name)
            #expect(run.status == 0 && run.output.hasSuffix("\nequal\n"), "\(name): \(run.output) \(run.errors)")
        }
    }

    @Test("Edited rows of an export are found")
    func different() throws {
        try seed("A.sqlite")
        let run = try Granary.run(
            ["export", "--store", path("A.sqlite"), "--format", "csv", "--output", path("csv") + "/"])
        #expect(run.status == 0, "\(run.errors)")
        let file = path("csv/Injury.csv")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing("Burn", with: "Scald").write(toFile: file, atomically: true, encoding: .utf8)
        let patients = path("csv/Patient.csv")
        let rows = try String(contentsOfFile: patients, encoding: .utf8)
        try rows.replacing("Burn", with: "Scald").write(toFile: patients, atomically: true, encoding: .utf8)
        let result = try diff("A.sqlite", "csv", "--format", "json")
        #expect(result.status == 1, "\(result.errors)")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let entities = try #require(object["entities"] as? [[String: Any]])
        let injuries = try #require(entities.first { $0["name"] as? String == "Injury" })
        #expect(injuries["onlyInA"] as? Int == 1 && injuries["onlyInB"] as? Int == 1)
        let patientCounts = try #require(entities.first { $0["name"] as? String == "Patient" })
        #expect(patientCounts["changed"] as? Int ?? 0 > 0 && patientCounts["onlyInA"] as? Int == 0)
    }
}
