import Foundation
import Granary
import TestSupport
import Testing

/// Imports through the public API.
@Suite struct ImportingTests {
    private let folder: TemporaryFolder
    private let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Coffee",
            [
                .attribute("name", .string, .required, .length(1...60)), .attribute("brand", .string),
                .attribute("number", .integer32),
            ])
    ])

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> URL { folder.url.appending(path: name) }

    private func names(in container: PersistentContainer) async throws -> [String?] {
        try await container.perform { context in
            try context.fetchAll("Coffee").map { try $0.string(forKey: "name") }
        }
    }

    @Test func everySourceOfOneImport() async throws {
        var semicolons = SourceOptions()
        semicolons.format = .csv
        semicolons.delimiter = ";"
        let sources: [ImportSource] = [
            .file(try folder.write("name,brand\nA,x\n", to: "a.csv")),
            .bytes(Data("name;brand\nB;x\n".utf8), name: "b", options: semicolons),
            .text(#"[{"name": "C", "brand": null}]"#, format: .json),
            .terms("D%E", delimiter: "%", attribute: "name", ordinal: "number"),
        ]
        let container = try PersistentContainer(model: model, store: .inMemory)
        let importer = Importer(jobs: [ImportJob(entity: "Coffee", sources: sources)])
        let report = try await importer.run(into: container)
        #expect(report.created == 5 && report.read == 5)
        #expect(try await names(in: container) == ["A", "B", "C", "D", "E"])
    }

    @Test func aNewStoreFileAppearsOnlyIfTheImportSucceeds() async throws {
        let store = path("New.sqlite")
        let bad = Importer(entity: "Coffee", from: .text("name\nA\n\"\"\n", format: .csv, name: "in.csv"))
        let error = await #expect(throws: GranaryError.self) { try await bad.run(into: store, model: model) }
        #expect(error?.code == .refused)
        #expect(error?.diagnostics.first?.position?.line == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)

        var options = ImportRunOptions()
        options.mode = .keepGood
        options.rejectsPath = path("bad.csv").path
        let good = Importer(
            entity: "Coffee", from: .text("name\nA\n\"\"\n", format: .csv, name: "in.csv"), run: options)
        let report = try await good.run(into: store, model: model)
        #expect(report.created == 1 && report.rejected == 1)
        #expect(try String(contentsOf: path("bad.csv"), encoding: .utf8) == "name\n\"\"\n")

        // The store contains its model now.
        let more = try await Importer(entity: "Coffee", from: .text("name\nB\n", format: .csv)).run(into: store)
        #expect(more.created == 1 && more.run == "run-2")
        let container = try PersistentContainer(model: model, store: .sqlite(store))
        #expect(try await names(in: container) == ["A", "B"])
    }

    @Test func aPlanRunsFromSwift() async throws {
        let plan = Samples.url("Triage/seed.yaml")
        let store = path("Planned.sqlite")
        let reports = try await SeedPlan(contentsOf: plan, variables: ["STORE": store.path]).run()
        #expect(reports.map(\.created) == [348])
        let dry = try await SeedPlan(contentsOf: plan, variables: ["STORE": store.path]).run(isDryRun: true)
        #expect(dry.map(\.unchanged) == [348])
    }
}
