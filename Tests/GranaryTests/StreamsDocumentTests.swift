import Foundation
import Granary
import TestSupport
import Testing

/// The code of docs/swift.md about streams and remote changes. The document has the lines between the marks word for
/// word.
@Suite("docs/swift.md: streams and remote changes") struct StreamsDocumentTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription("Coffee", [.attribute("name", .string), .attribute("rating", .double)])
    ])

    private struct Roast {
        let name: String
        let rating: Double
    }

    private final class Response {
        var data = Data()
        func write(_ chunk: Data) async throws { data.append(chunk) }
    }

    @Test("Streams are imported") func importing() async throws {
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        let body = AsyncStream<Data> { continuation in
            for part in ["name,rating\nJa", "va,4.5\n"] { continuation.yield(Data(part.utf8)) }
            continuation.finish()
        }
        let roasts = AsyncStream<Roast> { continuation in
            continuation.yield(Roast(name: "Kona", rating: 5))
            continuation.finish()
        }
        // begin
        let upload = ImportSource.stream(name: "upload.csv") { body }
        let report = try await Importer(entity: "Coffee", from: upload).run(into: container)

        let readings = ImportSource.records(name: "roastery", columns: ["name", "rating"]) {
            roasts.map { roast in [.value(.text(roast.name)), .value(.double(roast.rating))] }
        }
        let second = try await Importer(entity: "Coffee", from: readings).run(into: container)
        // end
        #expect(report.created == 1 && second.created == 1)
        #expect(try await container.perform { try $0.fetchAll("Coffee").count } == 2)
    }

    @Test("Exports are streams") func exporting() async throws {
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        let response = Response()
        // begin
        let data = try await Exporter().data(container, format: .json)

        for try await chunk in Exporter().chunks(container, format: .json, compressing: true) {
            try await response.write(chunk)
        }
        // end
        #expect(!data.isEmpty && response.data.prefix(2) == Data([0x1F, 0x8B]))
    }

    @Test("Changes of others are a sequence", .timeLimit(.minutes(1))) func remoteChanges() async throws {
        let folder = try TemporaryFolder()
        let (model, url) = (Self.model, folder.url.appending(path: "Coffee.sqlite"))
        let printing = Task {
            // begin
            var description = PersistentStoreDescription(.sqlite(url))
            description.tracksHistory = true
            let container = try PersistentContainer(name: "Coffee", model: model, descriptions: [description])
            try await container.loadPersistentStores()

            for try await changes in try container.remoteChanges() {
                print(changes.inserted.count, changes.updated.count, changes.deleted.count)
            }
            // end
        }
        try await Task.sleep(for: .milliseconds(200))
        printing.cancel()
        try await printing.value
    }

    @Test("The document has this code") func document() throws {
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let root = Samples.root.deletingLastPathComponent()
        let document = try String(contentsOf: root.appending(path: "docs/swift.md"), encoding: .utf8)
        let listings = source.components(separatedBy: "// begin\n").dropFirst().compactMap { part in
            part.components(separatedBy: "// end\n").first
        }
        // The last one is in this test.
        for listing in listings.prefix(3) {
            let lines = listing.components(separatedBy: "\n")
            let indent = lines[0].prefix { $0 == " " }.count
            let text = lines.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
            #expect(document.contains("```swift\n" + text + "```"), "\(text)")
        }
        #expect(listings.count >= 3)
    }
}
