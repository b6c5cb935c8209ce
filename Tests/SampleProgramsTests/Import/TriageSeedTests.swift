import Foundation
import Granary
import TestSupport
import Testing

@testable import SamplePrograms

@Suite("Sample: an import with rejects, and an export") struct TriageSeedTests {
    private let folder: TemporaryFolder
    private let seed: TriageSeed

    init() throws {
        folder = try TemporaryFolder()
        seed = try TriageSeed(
            model: Samples.url("Triage/Triage.xcdatamodeld"), store: folder.url.appending(path: "Seed.sqlite"))
    }

    @Test("Patients, injuries and responders are one transaction")
    func wholeSeed() async throws {
        let report = try await seed.seed(from: Samples.url("Triage"))
        #expect(report.ledger == "read 348 = created 348 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
        #expect(report.diagnostics.isEmpty)
        let counts = try await seed.container.perform { context in
            try ["Injury", "Responder", "Patient"].map { try context.count($0) }
        }
        #expect(counts == [8, 40, 300])
    }

    @Test("Of a file with mistakes the valid rows are stored; the others are in the rejects file, with their reasons")
    func rejects() async throws {
        _ = try await seed.seed(from: Samples.url("Triage"))
        let rejects = folder.url.appending(path: "bad.csv")
        let report = try await seed.importPatients(
            from: Samples.url("Triage/patients-with-mistakes.csv"), rejects: rejects)
        #expect(report.ledger == "read 20 = created 5 + updated 0 + unchanged 0 + skipped 0 + rejected 15")
        #expect(report.diagnostics.count == report.diagnosticCount && report.diagnosticCount >= 15)
        let codes = Set(report.diagnostics.map(\.code.rawValue))
        #expect(codes.isSuperset(of: ["value.syntax", "value.missing", "value.tooLarge", "relationship.notFound"]))
        let text = try String(contentsOf: rejects, encoding: .utf8)
        #expect(text.hasPrefix("admitted,name,injury,age"))
        #expect(text.contains("Piet Visser,Fracture,abc"))
        #expect(FileManager.default.fileExists(atPath: rejects.path + ".reasons.jsonl"))
    }

    @Test("The export has every object")
    func export() async throws {
        _ = try await seed.seed(from: Samples.url("Triage"))
        let url = folder.url.appending(path: "seed.json")
        let report = try await seed.export(to: url)
        #expect(report.tables.map(\.objects).reduce(0, +) == 348)
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any]
        let entities = document?["entities"] as? [String: [[String: Any]]]
        #expect(entities?["Patient"]?.count == 300)
        // A second export replaces nothing.
        let error = await #expect(throws: GranaryError.self) { try await seed.export(to: url) }
        #expect(error?.code == .uncreatable)
    }
}
