import Foundation
import GranaryModel
import GranaryModelFiles
import TestSupport
import Testing

/// Imports ../shared/data/airports.csv, a real file that quotes every field, with one command.
struct AirportsTests {
    @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func firstLines() throws {
        let text = try String(contentsOf: SharedFiles.url("data/airports.csv"), encoding: .utf8)
        let folder = try TemporaryFolder()
        let lines = text.split(separator: "\n").prefix(2_000)
        try Self.check(try folder.write(lines.joined(separator: "\n") + "\n", to: "airports.csv"))
    }

    static func check(_ file: URL) throws {
        let folder = try TemporaryFolder()
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Airport",
                [
                    .attribute("icao", .string, .required), .attribute("iata", .string, .length(3...3)),
                    .attribute("name", .string), .attribute("city", .string), .attribute("subd", .string),
                    .attribute("country", .string, .required), .attribute("elevation", .double),
                    .attribute("lat", .double, .required), .attribute("lon", .double, .required),
                    .attribute("tz", .string), .attribute("lid", .string),
                ], unique: [["icao"]])
        ])
        try model.write(to: folder.url.appending(path: "Model.json"))
        func run(_ more: [String]) throws -> Granary {
            try Granary.run(
                ["import", file.path, "--model", "Model.json", "--store", "A.sqlite", "--entity", "Airport"] + more,
                in: folder.url)
        }
        // Without the option each empty IATA code is too short, and the option is named.
        let refused = try run([])
        #expect(refused.status == 65 && refused.errors.contains("  help: --empty-is-null"), "\(refused.errors)")
        let result = try run(["--empty-is-null"])
        #expect(result.status == 0, "\(result.errors)")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count - 1
        #expect(result.ledger == "read \(lines) = created \(lines) + updated 0 + unchanged 0 + skipped 0 + rejected 0")
    }
}

struct AirportsLongTests {
    @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func unchanged() throws { try AirportsTests.check(try SharedFiles.url("data/airports.csv")) }
}
