import Foundation
import Granary
import TestSupport
import Testing

/// Seed plans and imports into store files.
@Suite("Seed plans and store imports") struct SeedPlanTests {
    private let folder: TemporaryFolder
    private let model = ManagedObjectModel(entities: [EntityDescription("Item", [.attribute("name", .string)])])

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func plan(_ text: String) throws -> SeedPlan {
        try model.write(to: folder.url.appending(path: "Items.json"), replacing: true)
        return try SeedPlan(contentsOf: try folder.write(text, to: "seed.yaml"))
    }

    @Test("A plan gives the imports of its stores, which can be changed before they run")
    func planned() async throws {
        _ = try folder.write("name\nA\nB\n", to: "Item.csv")
        let plan = try plan(
            """
            store: Items.sqlite
            model: Items.json
            imports:
              - entity: Item
                file: Item.csv
            """)
        #expect(plan.file == path("seed.yaml") && plan.storePaths == [path("Items.sqlite")])
        #expect(SeedPlan.maximumStores == 32)
        var imports: [StoreImport] = try plan.storeImports()
        #expect(imports.count == 1 && imports.first?.store == path("Items.sqlite"))
        // The files are read when the import runs.
        #expect(imports.first?.model == nil)
        #expect(imports.first?.models == [path("Items.json")] && imports.first?.jobs.map(\.entity) == ["Item"])
        imports[0].run.isDryRun = true
        #expect(try await StoreImport.run(imports).map(\.created) == [2])
        #expect(!FileManager.default.fileExists(atPath: path("Items.sqlite")))
        #expect(try await plan.run().map(\.created) == [2])
    }

    private func job(_ text: String) -> ImportJob { ImportJob(entity: "Item", sources: [.text(text, format: .csv)]) }

    @Test("A new store can have a given identifier, the model of files, and the tables of another store")
    func newStores() async throws {
        let modelFile = folder.url.appending(path: "Items.json")
        try model.write(to: modelFile)
        var first = StoreImport(store: folder.url.appending(path: "first.sqlite"), jobs: [job("name\nA\n")])
        first.models = [modelFile.path]
        let identifier = UUID()
        first.identifier = identifier
        _ = try await first.run()
        #expect(try StoreSummary(contentsOf: URL(filePath: path("first.sqlite"))).identifier == identifier.uuidString)

        var second = StoreImport(
            store: folder.url.appending(path: "second.sqlite"), model: model, jobs: [job("name\nB\n")])
        second.like = path("first.sqlite")
        #expect(try await second.run().created == 1)
        second.store = path("third.sqlite")
        second.like = path("missing.sqlite")
        let error = await #expect(throws: GranaryError.self) { try await second.run() }
        #expect(error?.code == .unreadable)
    }
}
