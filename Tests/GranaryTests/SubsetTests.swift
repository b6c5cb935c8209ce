import Foundation
import Granary
import TestSupport
import Testing

/// Subsets through the public API.
@Suite("Taking subsets") struct SubsetTests {
    private let folder: TemporaryFolder
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Country", [.attribute("name", .string, .required), .toMany("towns", "Town", inverse: "country")],
            unique: [["name"]]),
        EntityDescription(
            "Town",
            [
                .attribute("name", .string), .attribute("people", .integer64),
                .toOne("country", "Country", inverse: "towns"),
            ]),
    ])

    init() throws { folder = try TemporaryFolder() }

    private func url(_ name: String) -> URL { folder.url.appending(path: name) }

    private func writeSource() async throws {
        _ = try await Importer(entity: "Country", from: .text("name\nFrance\nKenya\n", format: .csv)).run(
            into: url("S.sqlite"), model: Self.model)
        let towns = "name,people,country\nParis,2000000,France\nNice,350000,France\nNairobi,4000000,Kenya\n"
        var options = ImportOptions()
        options.lookups = ["country": .attribute("name")]
        _ = try await Importer(entity: "Town", from: .text(towns, format: .csv), options: options).run(
            into: url("S.sqlite"))
    }

    @Test("Chosen objects, what they need, and replaced values")
    func subset() async throws {
        try await writeSource()
        var options = SubsetOptions()
        options.selections = [SubsetOptions.Selection("Town", where: try ObjectPredicate("people > 3000000"))]
        options.anonymisedAttributes = ["Town.name"]
        options.randomSeed = 4
        let report = try await Subset(options: options).run(store: url("S.sqlite"), to: url("T.sqlite"))
        #expect(report.count == 2 && report.entities.map(\.name) == ["Country", "Town"])
        #expect(report.entities.map(\.needed) == [1, 0] && report.entities.map(\.chosen) == [0, 1])
        #expect(report.isAnonymised && report.warnings.isEmpty && report.seconds >= 0)
        #expect(report.attributes.first { $0.entity == "Town" && $0.name == "name" }?.replaced == 1)
        #expect(report.relationships.first { $0.name == "country" }?.kept == 1)
        let check = try StoreCheckReport(checking: url("T.sqlite"))
        #expect(check.errorCount == 0 && check.warningCount == 0)
        let difference = try await StoreDiff().run(url("S.sqlite"), url("T.sqlite"))
        #expect(!difference.isEqual)
    }

    @Test("Objects of a store and rows in one transaction")
    func subsetOfAnImport() async throws {
        try await writeSource()
        var options = SubsetOptions()
        options.selections = [SubsetOptions.Selection("Town", where: try ObjectPredicate("people > 3000000"))]
        let row = ImportJob(entity: "Town", sources: [.text("name,country\nMombasa,Kenya\n", format: .csv)])
        var seed = StoreImport(store: url("T.sqlite"), jobs: [row])
        seed.subsets = [StoreSubset(store: url("S.sqlite"), options: options)]
        let report = try await seed.run()
        #expect(report.created == 3 && report.subsets.map(\.count) == [2])
        let container = try PersistentContainer(model: Self.model, store: .sqlite(url("T.sqlite")))
        let country = try #require(container.makeContext().fetch(FetchRequest("Country")).first)
        #expect(try country.objects(forKey: "towns").count == 2)
        // Without a plan, a wrong name is wrong usage.
        seed.subsets[0].options.selections[0].entity = "Twon"
        let error = await #expect(throws: GranaryError.self) { try await seed.run() }
        #expect(error?.code == .usage && error?.message.contains("did you mean \"Town\"?") == true)
    }
}
