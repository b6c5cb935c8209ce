import Foundation
import Granary
import Synchronization
import TestSupport
import Testing

/// What a container tells its observer.
@Suite("Observer of a container") struct ContainerObserverTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription("Person", [.attribute("name", .string, .required)])
    ])

    /// Keeps what it is told.
    private final class Log: PersistentContainerObserver {
        let slowStatementThreshold: Duration
        private let state = Mutex(
            (statements: [ExecutedStatement](), saves: [ExecutedSave](), imports: [ExecutedImport]()))

        init(threshold: Duration = .zero) { slowStatementThreshold = threshold }

        var statements: [ExecutedStatement] { state.withLock { $0.statements } }
        var saves: [ExecutedSave] { state.withLock { $0.saves } }
        var imports: [ExecutedImport] { state.withLock { $0.imports } }

        func clear() { state.withLock { $0 = ([], [], []) } }
        func didExecute(_ statement: ExecutedStatement) { state.withLock { $0.statements.append(statement) } }
        func didSave(_ save: ExecutedSave) { state.withLock { $0.saves.append(save) } }
        func didImport(_ imported: ExecutedImport) { state.withLock { $0.imports.append(imported) } }
    }

    private static func container(
        _ folder: TemporaryFolder, _ log: Log, _ mode: PersistentStoreDescription.JournalMode = .delete
    ) throws -> PersistentContainer {
        var description = PersistentStoreDescription(.sqlite(folder.url.appending(path: "a.sqlite")))
        description.journalMode = mode
        let container = try PersistentContainer(
            name: "a", model: model, descriptions: [description], observer: log)
        try container.loadPersistentStores()
        return container
    }

    @Test(
        "Each statement is told with its rows, without values",
        arguments: PersistentStoreDescription.JournalMode.allCases)
    func statements(mode: PersistentStoreDescription.JournalMode) async throws {
        let folder = try TemporaryFolder()
        let log = Log()
        let container = try Self.container(folder, log, mode)
        let context = container.makeContext()
        for name in ["Ann", "Bob", "Cleo"] {
            try context.insert(into: "Person").setValue(.string(name), forKey: "name")
        }
        try context.save()
        let inserts = log.statements.filter { $0.sql.contains("INTO ZPERSON") }
        #expect(!inserts.isEmpty && inserts.allSatisfy { !$0.sql.contains("Ann") })

        log.clear()
        let condition = try ObjectPredicate("name != %@", "Bob")
        #expect(try container.makeContext().fetch(FetchRequest("Person", where: condition)).count == 2)
        let fetches = log.statements.filter { $0.sql.contains("FROM ZPERSON") && $0.rowCount == 2 }
        #expect(fetches.count == 1 && fetches.allSatisfy { !$0.sql.contains("Bob") })
        #expect(fetches.first?.storeIdentifier == container.persistentStoreCoordinator.storeIdentifier)
        #expect((fetches.first?.duration ?? .zero) > .zero)

        // A table without a condition is read without a statement if it can be.
        log.clear()
        #expect(try container.makeContext().fetchAll("Person").count == 3)
        #expect(log.statements.contains { $0.sql.contains("FROM ZPERSON") && $0.rowCount == 3 })

        log.clear()
        #expect(try await container.read { try $0.count(for: FetchRequest("Person")) } == 3)
        #expect(log.statements.contains { $0.sql.contains("COUNT(*)") && $0.rowCount == 1 })
    }

    @Test("Only statements as slow as the threshold are told")
    func threshold() throws {
        let folder = try TemporaryFolder()
        let log = Log(threshold: .seconds(1000))
        let container = try Self.container(folder, log)
        let context = container.makeContext()
        try context.insert(into: "Person").setValue(.string("Ann"), forKey: "name")
        try context.save()
        #expect(log.statements.isEmpty && log.saves.count == 1)
    }

    @Test("Saves and batch requests are told with their numbers; a failed save is not")
    func saves() throws {
        let log = Log()
        let container = try PersistentContainer(model: Self.model, store: .inMemory, observer: log)
        let context = container.makeContext()
        context.name = "editor"
        context.transactionAuthor = "app"
        let ann = try context.insert(into: "Person")
        #expect(throws: GranaryError.self) { try context.save() }
        #expect(log.saves.isEmpty)
        try ann.setValue(.string("Ann"), forKey: "name")
        try context.insert(into: "Person").setValue(.string("Bob"), forKey: "name")
        try context.save()
        try ann.setValue(.string("Anna"), forKey: "name")
        try context.save()
        try context.delete(ann)
        try context.save()
        // Nothing to save.
        try context.save()
        _ = try context.execute(BatchDeleteRequest(FetchRequest("Person")))
        let numbers = log.saves.map { [$0.insertedCount, $0.updatedCount, $0.deletedCount] }
        #expect(numbers == [[2, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]])
        #expect(log.saves.allSatisfy { $0.contextName == "editor" && $0.author == "app" && $0.duration > .zero })
        #expect(log.statements.isEmpty)
    }

    @Test("Imports are told, refused ones too")
    func imports() async throws {
        let log = Log()
        let container = try PersistentContainer(model: Self.model, store: .inMemory, observer: log)
        let good = ImportSource.text("name\nAnn\nBob\n", format: .csv)
        _ = try await Importer(entity: "Person", from: good).run(into: container)
        let bad = ImportSource.text("name\n\"\"\nCleo\n", format: .csv)
        var options = ImportOptions()
        options.emptyIsNull = true
        await #expect(throws: GranaryError.self) {
            try await Importer(entity: "Person", from: bad, options: options).run(into: container)
        }
        #expect(log.imports.map(\.isRefused) == [false, true])
        #expect(log.imports.map(\.readCount) == [2, 2] && log.imports.map(\.createdCount) == [2, 0])
        #expect(log.imports.last?.rejectedCount == 1)
    }
}
