import Foundation
import Granary
import TestSupport
import Testing

/// Describes, checks and reverts store files.
@Suite struct InspectingStoresTests {
    private let folder: TemporaryFolder
    private let store: URL
    private let model = ManagedObjectModel(entities: [
        EntityDescription("Shelf", [.attribute("name", .string), .toMany("books", "Book", inverse: "shelf")]),
        EntityDescription(
            "Book",
            [
                .attribute("title", .string, .required), .attribute("cover", .binary, .externalStorage),
                .toOne("shelf", "Shelf", inverse: "books"),
            ]),
    ])

    init() throws {
        folder = try TemporaryFolder()
        store = folder.url.appending(path: "Books.sqlite")
    }

    private func importBooks(_ titles: String) async throws -> ImportReport {
        var run = ImportRunOptions()
        run.isRevertible = true
        let importer = Importer(entity: "Book", from: .text("title\n" + titles, format: .csv, name: "b.csv"), run: run)
        return try await importer.run(into: store, model: model)
    }

    @Test func aStoreDescribesItself() async throws {
        _ = try await importBooks("One\nTwo\n")
        let summary = try StoreSummary(contentsOf: store)
        #expect(summary.model == .cache && summary.fits == nil && summary.warnings == [])
        #expect(summary.entities.map(\.name) == ["Book", "Shelf"])
        let book = try #require(summary.entities.first)
        #expect(book.number == 1 && book.count == 2 && book.isAbstract == false && book.parent == nil)
        #expect(book.storedName == nil && book.hash?.count == 32)
        #expect(book.attributes?.map { [$0.name, $0.type, $0.column ?? "-"] }.last == ["title", "String", "ZTITLE"])
        let shelf = try #require(book.relationships?.first)
        #expect(shelf.name == "shelf" && shelf.destination == "Shelf" && shelf.inverse == "books")
        #expect(!shelf.toMany && !shelf.ordered)
        #expect(UUID(uuidString: summary.identifier) != nil && summary.frameworkVersion != nil && summary.system != nil)
        #expect(summary.pragmas.contains { $0.name == "page_size" } && summary.history == nil)
        #expect(summary.external?.columns == ["ZBOOK.ZCOVER"] && summary.external?.files == 0)
        #expect(summary.external?.inlineValues == 0 && summary.external?.missingFiles == 0)
        #expect(summary.external?.bytes == 0 && summary.external?.unusedFiles == 0)
        #expect(summary.leftovers == [] && summary.cloudTables == [] && summary.derivedTriggers == [])
        #expect(summary.versionIdentifiers == [] && summary.droppedRuns == 0)
        #expect(summary.problems == [] && summary.remarks == [])
        #expect(summary.userKeys == ["GranaryImportRuns"])
        let run = try #require(summary.runs.first)
        #expect(run.id == "run-1" && run.isRevertible && run.counts.created == 2 && run.counts.read == 2)
        #expect(run.sources.map(\.name) == ["b.csv"] && run.sources.first?.digest.count == 64)
        #expect(run.sourcesLeftOut == 0 && run.counts.entries.first?.name == "read")
    }

    @Test func aCheckFindsDamage() async throws {
        _ = try await importBooks("One\nTwo\n")
        let sound = try StoreCheckReport(checking: store, model: model)
        #expect(sound.model == .given && sound.findings == [] && sound.errorCount == 0)

        var strict = model
        strict.entities[1].attributes[0].minimumLength = 4
        let check = try StoreCheckReport(checking: store, model: strict)
        #expect(check.count == 2 && check.errorCount == 2 && check.warningCount == 0)
        let finding = try #require(check.findings.first)
        #expect(finding.table == "ZBOOK" && finding.key == 1 && finding.advice != nil)
        #expect(finding.diagnostic.property == "title")
        #expect(finding.described.message.contains("advice: "))
    }

    @Test func aRunIsReverted() async throws {
        _ = try await importBooks("One\n")
        let second = try await importBooks("Two\nThree\n")
        let reverted = try await RevertedRun.revert(second.run, inStoreAt: store)
        #expect(reverted.id == "run-2" && reverted.removed == 2)
        #expect(reverted.restored == 0 && reverted.broughtBack == 0 && reverted.links == 0)
        #expect(try StoreSummary(contentsOf: store).entities.first?.count == 1)
        let error = await #expect(throws: GranaryError.self) {
            try await RevertedRun.revert("run-9", inStoreAt: store)
        }
        #expect(error?.code == .unreadable)
    }
}
