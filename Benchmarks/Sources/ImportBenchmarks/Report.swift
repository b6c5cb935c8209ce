import Fixtures
import Foundation

/// The rejected records in the report of an import.
struct Report {
    let rejected: Int
    let faults: Set<Fixture.Fault>

    private struct Document: Decodable {
        struct Problem: Decodable {
            let line: Int?
            let property: String?
        }

        let rejected: Int
        let diagnostics: [Problem]
    }

    init(contentsOf path: String) throws {
        let document = try JSONDecoder().decode(Document.self, from: Data(contentsOf: URL(filePath: path)))
        rejected = document.rejected
        faults = Set(document.diagnostics.compactMap(Self.fault))
    }

    /// What stands in the file of reasons beside a rejects file: a diagnostic on each line.
    static func faults(inReasons path: String) throws -> Set<Fixture.Fault> {
        let decoder = JSONDecoder()
        let lines = try Data(contentsOf: URL(filePath: path)).split(separator: 0x0A)
        return Set(try lines.compactMap { fault(try decoder.decode(Document.Problem.self, from: $0)) })
    }

    private static func fault(_ problem: Document.Problem) -> Fixture.Fault? {
        guard let line = problem.line, let property = problem.property else { return nil }
        return Fixture.Fault(line: line, property: property)
    }
}
