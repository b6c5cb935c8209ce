import Foundation
import Granary
import TestSupport
import Testing

/// Exports through the public API.
@Suite struct ExportingTests {
    private let folder: TemporaryFolder
    private let container: PersistentContainer
    private let store: URL
    private static let model = ManagedObjectModel(entities: [
        EntityDescription("Brand", [.attribute("name", .string, .required)]),
        EntityDescription("Coffee", [.attribute("name", .string, .required), .attribute("number", .integer32)]),
    ])

    init() async throws {
        folder = try TemporaryFolder()
        store = folder.url.appending(path: "Coffee.sqlite")
        let jobs = [
            ImportJob(entity: "Brand", sources: [.text("name\nx\n", format: .csv)]),
            ImportJob(
                entity: "Coffee",
                sources: [.terms("Java%Sumatra", delimiter: "%", attribute: "name", ordinal: "number")]),
        ]
        _ = try await Importer(jobs: jobs).run(into: store, model: Self.model)
        container = try PersistentContainer(model: Self.model, store: .sqlite(store))
    }

    private func path(_ name: String) -> URL { folder.url.appending(path: name) }

    private func options(_ entities: String...) -> ExportOptions {
        var options = ExportOptions()
        options.entities = entities
        return options
    }

    @Test func oneEntityGoesToAFile() async throws {
        var options = options("Coffee")
        options.columns = ["name", "number"]
        let report = try await Exporter(options: options).run(container, to: .file(path("coffee.csv")))
        #expect(report.objects == 2 && report.tables.map(\.entity) == ["Coffee"])
        #expect(try String(contentsOf: path("coffee.csv"), encoding: .utf8) == "name,number\nJava,0\nSumatra,1\n")
        let again = await #expect(throws: GranaryError.self) {
            try await Exporter().run(container, to: .file(path("coffee.csv")))
        }
        #expect(again?.code == .uncreatable)
    }

    @Test func severalEntitiesGoToAFolderInFormatsOfOneEntity() async throws {
        let refused = await #expect(throws: GranaryError.self) {
            try await Exporter().run(container, to: .file(path("all"), format: .csv))
        }
        #expect(refused?.code == .usage)
        try await Exporter().run(container, to: .folder(path("all"), format: .csv))
        let names = try FileManager.default.contentsOfDirectory(atPath: path("all").path).sorted()
        #expect(names == ["Brand.csv", "Coffee.csv", "granary.json"])
        // One entity goes to a folder too, in each format.
        for format in [DataFormat.csv, .json, .plist] {
            let url = path("one.\(format.rawValue)")
            try await Exporter(options: options("Coffee")).run(container, to: .folder(url, format: format))
            let files = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
            #expect(files == ["Coffee.\(format.rawValue)", "granary.json"])
        }
        try await Exporter().run(container, to: .file(path("all.json")))
        let copy = try PersistentContainer(model: Self.model, store: .inMemory)
        let report = try await Importer(entity: nil, from: .file(path("all.json"))).run(into: copy)
        #expect(report.created == 3)
    }

    @Test func aStoreFileIsExportedWithoutItsModelAtHand() async throws {
        var options = options("Coffee")
        options.terms = ExportOptions.Terms("name", delimiter: "%")
        options.terms?.ordinal = "number"
        let report = try await Exporter(options: options).run(store: store, to: .file(path("coffee.terms")))
        #expect(report.objects == 2 && report.warnings.isEmpty)
        #expect(try String(contentsOf: path("coffee.terms"), encoding: .utf8) == "Java%Sumatra\n")
    }
}
