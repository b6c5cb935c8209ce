import Foundation
import Granary
import TestSupport
import Testing

/// What results print.
@Suite struct ResultTextTests {
    private let folder: TemporaryFolder
    private let store: URL
    private let model = ManagedObjectModel(entities: [
        EntityDescription("Book", [.attribute("title", .string, .required, .length(1...20))])
    ])

    init() throws {
        folder = try TemporaryFolder()
        store = folder.url.appending(path: "Books.sqlite")
    }

    private func importBooks(_ titles: String, _ run: ImportRunOptions) async throws -> ImportReport {
        try await Importer(entity: "Book", from: .text("title\n" + titles, format: .csv, name: "b.csv"), run: run)
            .run(into: store, model: model)
    }

    @Test func anImportPrintsItsLedgerAndItsDiagnostics() async throws {
        var run = ImportRunOptions()
        run.mode = .keepGood
        let report = try await importBooks("One\nA title that is too long\nTwo\n", run)
        let lines = "\(report)".components(separatedBy: "\n")
        #expect(lines == [report.ledger] + report.diagnostics.map(\.description))
        #expect(lines.count > 1)
    }

    @Test func anExportPrintsTheObjectsOfEachTable() async throws {
        _ = try await importBooks("One\nTwo\n", ImportRunOptions())
        let report = try await Exporter().run(store: store, to: .file(folder.url.appending(path: "books.json")))
        #expect("\(report)" == "exported 2 objects: Book 2")
    }

    @Test func aRevertedRunPrintsWhatItTookBack() async throws {
        var run = ImportRunOptions()
        run.isRevertible = true
        _ = try await importBooks("One\nTwo\n", run)
        let reverted = try await RevertedRun.revert(inStoreAt: store)
        #expect("\(reverted)" == "run-1: 2 objects removed, 0 restored, 0 inserted again, 0 links changed")
    }

    @Test func aCheckPrintsItsFindings() async throws {
        _ = try await importBooks("One\nThree\n", ImportRunOptions())
        #expect("\(try StoreCheckReport(checking: store, model: model))" == "no findings")
        var strict = model
        strict.entities[0].attributes[0].minimumLength = 4
        let check = try StoreCheckReport(checking: store, model: strict)
        let lines = "\(check)".components(separatedBy: "\n")
        #expect(lines == ["1 error, 0 warnings"] + check.findings.map(\.described.description))
    }

    @Test func rowsAndBatchesPrintTheirValues() throws {
        let context = try PersistentContainer(model: model, store: .inMemory).makeContext()
        let titles: [BatchInsertRequest.Attributes] = [["title": "One"], ["title": "Two"]]
        #expect("\(try context.execute(BatchInsertRequest("Book", objects: titles)))" == "2 objects")
        let request = FetchRequest("Book", where: try ObjectPredicate("title == 'One'"))
        let row = try #require(try context.fetchDictionaries(request).first)
        #expect("\(row)" == "title: \"One\"")
        let ids = try context.fetchObjectIDs(FetchRequest("Book"))
        #expect("\(SaveChanges(inserted: Set(ids)))" == "2 inserted, 0 updated, 0 deleted")
    }
}
