import Foundation
import Granary
import TestSupport
import Testing

@testable import SamplePrograms

/// The programs in samples/Programs/Documents are the Swift of seven documents.
@Suite("Sample: the programs of the documents", .timeLimit(.minutes(1))) struct DocumentProgramTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appending(path: "Library.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    /// A container in memory with three books of Ann and one without an author.
    private func library() throws -> PersistentContainer {
        let container = try PersistentContainer(model: DocumentModels.library, store: .inMemory)
        let context = container.makeContext()
        let ann = try context.insert(into: "Author")
        try ann.setValue("Ann", forKey: "name")
        for (title, pages, isAnns) in [
            ("Alps", 400, true), ("Bees", 200, true), ("Cats", 150, true), ("Dogs", 50, false),
        ] {
            let book = try context.insert(into: "Book")
            try book.setValue(.string(title), forKey: "title")
            try book.setValue(.integer(Int64(pages)), forKey: "pages")
            try book.setValue(.decimal(10), forKey: "price")
            if isAnns { try book.setObject(ann, forKey: "author") }
        }
        try context.save()
        return container
    }

    // MARK: - The text

    /// The blocks of Swift in a document that have no mark before them, each as its lines without indentation.
    private static func blocks(_ text: String) -> [[String]] {
        var blocks: [[String]] = []
        var block: [String]?
        var last = ""
        for line in text.components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                if let lines = block { blocks.append(lines) }
                block = line == "```swift" && block == nil && !last.hasPrefix("<!-- not in the samples") ? [] : nil
            } else {
                block?.append(line.trimmingCharacters(in: .whitespaces))
            }
            last = line
        }
        return blocks
    }

    @Test(
        "Each block of Swift is in a sample, line by line",
        arguments: [
            "contexts", "fetching", "models-in-code", "history", "deployment", "from-grdb-and-fluent", "shipping",
        ])
    func blocks(_ name: String) throws {
        let root = Samples.root.deletingLastPathComponent()
        let document = try String(contentsOf: root.appending(path: "docs/\(name).md"), encoding: .utf8)
        let samples = Samples.url("Programs/Documents")
        let programs = try FileManager.default.contentsOfDirectory(atPath: samples.path).map { file in
            "\n"
                + (try String(contentsOf: samples.appending(path: file), encoding: .utf8))
                .components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
        }
        let blocks = Self.blocks(document)
        #expect(blocks.count >= 2)
        for block in blocks {
            let text = "\n" + block.joined(separator: "\n") + "\n"
            #expect(programs.contains { $0.contains(text) }, "\(text)")
        }
    }

    // MARK: - The programs

    @Test("docs/shipping.md") func shipping() throws {
        let modelURL = Samples.url("Triage/Triage.xcdatamodeld")
        let model = try ManagedObjectModel(contentsOf: modelURL)
        _ = try PersistentContainer(model: model, store: .sqlite(url))
        #expect(try ShippingDocument.fits(modelURL, url))
        #expect(try !ShippingDocument.fits(Samples.url("Company/Company.xcdatamodeld"), url))
        #expect(try ShippingDocument.open(model, url).persistentStoreCoordinator.persistentStores[0].isReadOnly)
        let other = try ManagedObjectModel(contentsOf: Samples.url("Company/Company.xcdatamodeld"))
        #expect(throws: GranaryError.self) { try ShippingDocument.open(other, url) }
    }

    @Test("docs/contexts.md") func contexts() async throws {
        let container = try await ContextsDocument.open(DocumentModels.library, at: url)
        let id = try await ContextsDocument.write(container)
        #expect(!id.isTemporaryID)
        #expect(try await ContextsDocument.read(container, id) == "Ann")
        try await ContextsDocument.background(container, id)
        #expect(try await ContextsDocument.read(container, id) == "Bea")
        try ContextsDocument.child(container, id)
        #expect(try await ContextsDocument.read(container, id) == "Cleo")
        try await ContextsDocument.merge(container)
        #expect(try ContextsDocument.generations(container) == [1, 1, 2])
        try await ContextsDocument.cancel(container)
        let following = Task { await ContextsDocument.follow(container) }
        following.cancel()
        await following.value
    }

    @Test("docs/fetching.md") func fetching() throws {
        let context = try library().makeContext()
        #expect(try FetchingDocument.requests(context) == ["Alps", "Bees", "Cats"])
        #expect(try FetchingDocument.short(context) == 3)
        try FetchingDocument.prefetch(context)
        #expect(try FetchingDocument.enumerate(context) == 800)
        #expect(
            try FetchingDocument.dictionaries(context).map { "\($0)" }.first == #"title: "Alps", author.name: "Ann""#)
        let groups = try FetchingDocument.groups(context)
        #expect(groups.map { $0["count"] } == [.integer(3)])
        #expect(groups.map { $0["mean"] } == [.double(250)])
        #expect(try FetchingDocument.batches(context) == [2, 2, 1])
        #expect(try FetchingDocument.many(context) == 10_000)
    }

    @Test("docs/models-in-code.md") func models() throws {
        _ = try DocumentModels.library.resolved()
        _ = try DocumentModels.composites(try DocumentModels.attributes()).resolved()
        _ = try DocumentModels.relationships().resolved()
        _ = try DocumentModels.renamed().resolved()
        let model = DocumentModels.rest()
        let context = try PersistentContainer(model: model, store: .inMemory).makeContext()
        let concert = try context.insert(into: "Concert")
        try concert.setValue("The Fetchers", forKey: "band")
        #expect(try FetchingDocument.template(model, context) == 1)
        let notes = try DocumentModels.withClass().makeContext()
        try notes.insert(DocumentNote.self).text = "x"
        try notes.save()
        #expect(try notes.fetch(DocumentNote.self).map(\.text) == ["x"])
    }

    @Test("docs/history.md") func history() async throws {
        let (writer, reader) = (
            try HistoryDocument.open(DocumentModels.library, at: url),
            try HistoryDocument.open(DocumentModels.library, at: url)
        )
        let program = LibraryReader(container: reader, tokenFile: folder.url.appending(path: "token.json"))
        let context = reader.makeContext()
        try await LibraryWriter.add("Alps", to: writer)
        try await LibraryWriter.add("Bees", to: writer)
        #expect(try program.update(context) == 2)
        #expect(try program.update(context) == 0)
        try await LibraryWriter.add("Cats", to: writer)
        #expect(try program.update(context) == 1)
        let coordinator = reader.persistentStoreCoordinator
        try HistoryDocument.filters(coordinator, nil)
        let token = try #require(try coordinator.currentPersistentHistoryToken())
        #expect(try HistoryDocument.clean(coordinator, token) == 2)
    }

    @Test("docs/deployment.md") func deployment() async throws {
        try await insertOnServer()
        let container = try DeploymentDocument.readOnly(DocumentModels.library, url)
        #expect(try container.makeContext().count("Book") == 1)
    }

    /// Saves a book in a store that is closed at the end.
    private func insertOnServer() async throws {
        try await ComparedDocument.insert(try DeploymentDocument.server(DocumentModels.library, folder.url))
    }

    @Test("docs/from-grdb-and-fluent.md") func compared() async throws {
        let container = try ComparedDocument.open(url, DocumentModels.library)
        try await ComparedDocument.insert(container)
        #expect(try await ComparedDocument.query(container) == [])
        try await ComparedDocument.transaction(container)
        let context = container.makeContext()
        #expect(try ComparedDocument.eager(context).count == 1)
        #expect(try context.count("Book") == 0)
    }

    @Test("A store of an older version of the model is migrated") func migrated() throws {
        _ = try PersistentContainer(model: DocumentModels.library, store: .sqlite(url))
        var model = DocumentModels.library
        model.entities[1].attributes.append(AttributeDescription(name: "subtitle", type: .string))
        model.entities[1].attributes[4].isOptional = true
        _ = try ComparedDocument.migrate(url, model)
    }
}
