import Foundation
import TestSupport
import Testing

/// `granary subset` by the binary, on the sample Triage.
@Suite struct SubsetTests {
    private let folder: TemporaryFolder
    private let model = Samples.url("Triage/Triage.xcdatamodeld").path

    init() throws {
        folder = try TemporaryFolder()
        let run = try Granary.run([
            "generate", "--model", model, "--store", path("S.sqlite"), "--count", "Injury=8", "--count", "Responder=40",
            "--count", "Patient=1000", "--random-seed", "7",
        ])
        try #require(run.status == 0, "\(run.errors)")
    }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func subset(_ words: String...) throws -> Granary {
        try Granary.run(["subset", "--store", path("S.sqlite"), "--output", path("T.sqlite")] + words)
    }

    private func count(_ query: String, in store: String) throws -> Int? {
        Int(try Granary.run(["query", path(store), query, "--count"]).output.prefix { $0.isNumber })
    }

    /// A subset passes the check, and has the objects that the query finds.
    func check() throws {
        let run = try subset("--from", "Patient WHERE age > 60")
        #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
        let check = try Granary.run(["store", "check", path("T.sqlite")])
        #expect(check.status == 0, "\(check.errors)")
        let expected = try count("Patient WHERE age > 60", in: "S.sqlite")
        #expect(try count("Patient", in: "T.sqlite") == expected)
        #expect(try count("Patient WHERE age > 60", in: "T.sqlite") == expected)
        let injured = try count("Patient WHERE age > 60 AND injury != nil", in: "S.sqlite")
        #expect(try count("Patient WHERE injury != nil", in: "T.sqlite") == injured)
    }

    @Test("Everything anonymised: no name of the source is left, and the subset passes the check")
    func anonymised() throws {
        let run = try subset("--from", "Patient", "--anonymise", "all-text", "--report", path("report.json"))
        #expect(run.status == 0, "\(run.errors)")
        let check = try Granary.run(["store", "check", path("T.sqlite")])
        #expect(check.status == 0, "\(check.errors)")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path("report.json"))))
                as? [String: Any])
        let attributes = try #require(report["attributes"] as? [[String: Any]])
        let name = try #require(
            attributes.first { $0["entity"] as? String == "Patient" && $0["name"] as? String == "name" })
        #expect(name["replaced"] as? Int == 1000 && name["kept"] as? Int == 0)
    }

    /// The same command gives the same file.
    func sameFile() throws {
        for name in ["A.sqlite", "B.sqlite"] {
            let run = try Granary.run([
                "subset", "--store", path("S.sqlite"), "--output", path(name), "--from", "Patient WHERE age < 20",
                "--anonymise", "all-text", "--random-seed", "3", "--ship",
            ])
            #expect(run.status == 0, "\(run.errors)")
        }
        let first = try Data(contentsOf: URL(filePath: path("A.sqlite")))
        #expect(try Data(contentsOf: URL(filePath: path("B.sqlite"))) == first)
    }
}
