import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import TestSupport
import Testing

@Suite("Several stores") struct SeveralStoresTests {
    private func description(
        _ location: StoreLocation, _ configuration: String?, readOnly: Bool = false
    ) -> PersistentStoreDescription {
        var description = PersistentStoreDescription(location)
        description.configuration = configuration
        description.isReadOnly = readOnly
        return description
    }

    private func descriptions(_ kind: StoreType, in folder: TemporaryFolder) -> [PersistentStoreDescription] {
        [
            description(kind.location("Library.store", in: folder), "Library"),
            description(kind.location("Notes.store", in: folder), "Notes"),
        ]
    }

    @Test("Each entity goes to the store of its configuration, in one save", arguments: StoreType.allCases)
    func routing(_ kind: StoreType) throws {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(TwoStoreModel.model, descriptions(kind, in: folder))
        let stores = container.persistentStoreCoordinator.persistentStores
        #expect(stores.map(\.configurationName) == ["Library", "Notes"])
        let context = container.makeContext()
        let author = try context.insert(into: "Author")
        let books = try (0..<2).map { _ in try context.insert(into: "Book") }
        try author.setObjects([books[1], books[0]], forKey: "books")
        let memo = try context.insert(into: "Memo")
        let alarm = try context.insert(into: "Alarm")
        try alarm.setValue(true, forKey: "rings")
        try alarm.setValue("wake", forKey: "text")
        try alarm.setObject(memo, forKey: "answers")
        try context.save()
        #expect(author.objectID.storeIdentifier == stores[0].identifier)
        #expect(alarm.objectID.storeIdentifier == stores[1].identifier)
        #expect(alarm.objectID.entityName == "Alarm")
        #expect([memo, alarm].map(\.objectID.key) == [1, 2])

        let fresh = container.makeContext()
        let found = try #require(try fresh.fetchAll("Memo").last)
        #expect(found.entity.name == "Alarm" && found["rings"] == true)
        #expect(try found.object(forKey: "answers")?.objectID == memo.objectID)
        #expect(
            try fresh.lookUpObject(with: memo.objectID)?.objects(forKey: "answeredBy").map(\.objectID) == [
                alarm.objectID
            ])
        #expect(try fresh.lookUpObject(with: author.objectID)?.objects(forKey: "books").map(\.objectID.key) == [2, 1])
        #expect(try fresh.count("Memo") == 2 && fresh.count("Book") == 2)
        try found.setValue("late", forKey: "text")
        try fresh.delete(try #require(try fresh.lookUpObject(with: books[0].objectID)))
        try fresh.save()
        guard kind != .inMemory else { return }

        let again = try PersistentContainer(TwoStoreModel.model, descriptions(kind, in: folder)).makeContext()
        #expect(try again.fetchAll("Alarm").map { $0["text"] } == ["late"])
        #expect(try again.count("Book") == 1)
        // The other one's file, and one for all entities, are of other models.
        for configuration in ["Library", nil] {
            let wrong = description(kind.location("Notes.store", in: folder), configuration)
            let error = #expect(throws: GranaryError.self) { try PersistentContainer(TwoStoreModel.model, [wrong]) }
            #expect(error?.code == .refused)
        }
    }

    @Test("Nil and PF_DEFAULT_CONFIGURATION_NAME are all entities")
    func defaults() throws {
        let name = PersistentStoreDescription.defaultConfigurationName
        #expect(name == "PF_DEFAULT_CONFIGURATION_NAME")
        for configuration in [nil, name] {
            let container = try PersistentContainer(TwoStoreModel.model, [description(.inMemory, configuration)])
            #expect(container.persistentStoreCoordinator.persistentStores.map(\.configurationName) == [name])
            let context = container.makeContext()
            for entity in ["Author", "Alarm"] { try context.insert(into: entity) }
            try context.save()
            #expect(try context.count("Memo") == 1)
        }
    }

    @Test("A configuration that is unknown, or that a relationship leads out of, has no store")
    func refusedConfigurations() throws {
        let unknown = #expect(throws: GranaryError.self) {
            try PersistentContainer(TwoStoreModel.model, [description(.inMemory, "Librari")])
        }
        #expect(unknown?.code == .usage)
        #expect(unknown?.message.contains("Library") == true)
        let leading = #expect(throws: GranaryError.self) {
            try PersistentContainer(TwoStoreModel.model, [description(.inMemory, "Half")])
        }
        #expect(leading?.diagnostics.map(\.code) == [.relationshipStores])
        #expect(leading?.diagnostics.map(\.property) == ["shelf"])
    }

    @Test("FET-15: new objects go to the first store, or to the one they were assigned to")
    func assigning() throws {
        let container = try PersistentContainer(
            TwoStoreModel.model, [description(.inMemory, nil), description(.inMemory, nil)])
        let stores = container.persistentStoreCoordinator.persistentStores
        let context = container.makeContext()
        let books = try (0..<3).map { _ in try context.insert(into: "Book") }
        for book in books.dropFirst() { try context.assign(book, to: stores[1]) }
        try context.save()
        #expect(books.map(\.objectID.storeIdentifier) == [0, 1, 1].map { stores[$0].identifier })
        var request = FetchRequest("Book")
        request.affectedStores = [stores[0].identifier]
        #expect(try context.count(for: request) == 1)
        #expect(try context.count("Book") == 3)
        // Only new objects are assigned.
        #expect(throws: GranaryError.self) { try context.assign(books[0], to: stores[1]) }
    }

    @Test("A link from one store to another is refused, and nothing is saved")
    func crossingLinks() throws {
        let container = try PersistentContainer(
            TwoStoreModel.model, [description(.inMemory, nil), description(.inMemory, nil)])
        let stores = container.persistentStoreCoordinator.persistentStores
        let context = container.makeContext()
        let (author, book) = (try context.insert(into: "Author"), try context.insert(into: "Book"))
        try context.assign(book, to: stores[1])
        try book.setObject(author, forKey: "author")
        let error = #expect(throws: GranaryError.self) { try context.save() }
        #expect(Set(error?.diagnostics.map(\.code) ?? []) == [.relationshipStores])
        #expect(try container.makeContext().count("Author") == 0)
        try book.setObject(nil, forKey: "author")
        try context.save()
        #expect(try container.makeContext().count("Book") == 1)
    }

    @Test("A save that one store refuses reaches no store", arguments: [StoreType.inMemory, .sqlite, .archive])
    func allOrNothing(_ kind: StoreType) throws {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(TwoStoreModel.model, descriptions(kind, in: folder))
        let context = container.makeContext()
        try context.insert(into: "Memo").setValue("one", forKey: "text")
        try context.save()
        let other = container.makeContext()
        try other.insert(into: "Book").setValue("new", forKey: "title")
        try other.insert(into: "Alarm").setValue("one", forKey: "text")
        #expect(throws: GranaryError.self) { try other.save() }
        let fresh = container.makeContext()
        #expect(try fresh.count("Book") == 0 && fresh.count("Memo") == 1)
    }

    @Test("A store that is read-only is read, and takes no objects", arguments: [StoreType.sqlite, .archive])
    func readOnly(_ kind: StoreType) throws {
        let folder = try TemporaryFolder()
        var both = descriptions(kind, in: folder)
        let writer = try PersistentContainer(TwoStoreModel.model, both).makeContext()
        try writer.insert(into: "Memo").setValue("one", forKey: "text")
        try writer.save()
        both[1].isReadOnly = true
        let container = try PersistentContainer(TwoStoreModel.model, both)
        let store = try #require(container.persistentStoreCoordinator.persistentStores.last)
        #expect(store.isReadOnly)
        let context = container.makeContext()
        let memo = try #require(try context.fetchAll("Memo").first)
        #expect(memo["text"] == "one")
        try context.insert(into: "Book")
        try context.save()
        let new = try context.insert(into: "Memo")
        #expect(throws: GranaryError.self) { try context.assign(new, to: store) }
        #expect(throws: GranaryError.self) { try context.save() }
        context.rollback()
        try memo.setValue("two", forKey: "text")
        try context.insert(into: "Book")
        #expect(throws: GranaryError.self) { try context.save() }
        let fresh = try PersistentContainer(TwoStoreModel.model, both).makeContext()
        #expect(try fresh.fetchAll("Memo").map { $0["text"] } == ["one"])
        #expect(try fresh.count("Book") == 1)
    }

    @Test("The objects of a store that was removed are gone; changes to them are not lost in silence")
    func removing() throws {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(TwoStoreModel.model, descriptions(.sqlite, in: folder))
        let coordinator = container.persistentStoreCoordinator
        let context = container.makeContext()
        let memo = try context.insert(into: "Memo")
        try context.insert(into: "Book")
        try context.save()
        try memo.setValue("late", forKey: "text")
        let store = try #require(coordinator.persistentStores.last)
        try coordinator.remove(store)
        #expect(coordinator.persistentStores.map(\.configurationName) == ["Library"])
        #expect(try container.makeContext().lookUpObject(with: memo.objectID) == nil)
        #expect(try container.makeContext().count("Memo") == 0)
        #expect(throws: GranaryError.self) { try context.save() }
        #expect(throws: GranaryError.self) { try coordinator.remove(store) }
        #expect(throws: GranaryError.self) { try store.setMetadata(["A": 1]) }
        let fresh = container.makeContext()
        #expect(try fresh.count("Book") == 1)
        try fresh.insert(into: "Memo")
        #expect(throws: GranaryError.self) { try fresh.save() }
        // Its file is there, and can be loaded again.
        try container.loadPersistentStores()
        #expect(try container.makeContext().count("Memo") == 1)
    }

    // MARK: - Loading

    @Test("Loading tells of each store, in its turn or from the background")
    func completionHandler() async throws {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(name: "Test", model: TwoStoreModel.model, descriptions: [])
        var both = descriptions(.sqlite, in: folder)
        both[0].configuration = "Nowhere"
        both[1].shouldAddStoreAsynchronously = true
        container.persistentStoreDescriptions = both
        let (stream, sink) = AsyncStream<(StoreLocation, GranaryError.Code?)>.makeStream()
        container.loadPersistentStores { description, error in sink.yield((description.location, error?.code)) }
        var told: [StoreLocation] = []
        var codes: [GranaryError.Code?] = []
        for await (location, code) in stream {
            told.append(location)
            codes.append(code)
            if told.count == 2 { sink.finish() }
        }
        #expect(told == both.map(\.location))
        #expect(codes == [.usage, nil])
        #expect(container.persistentStoreCoordinator.persistentStores.map(\.configurationName) == ["Notes"])
        // What is open is not opened again; what failed is tried again.
        both[0].configuration = "Library"
        container.persistentStoreDescriptions = both
        try await container.loadPersistentStores()
        #expect(container.persistentStoreCoordinator.persistentStores.count == 2)
        try await container.loadPersistentStores()
        #expect(container.persistentStoreCoordinator.persistentStores.count == 2)
    }

    @Test("A store that cannot be loaded is an error; those before it stay")
    func failedLoading() async throws {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(name: "Test", model: TwoStoreModel.model, descriptions: [])
        var both = descriptions(.sqlite, in: folder)
        _ = try folder.write("no store, only text that is long enough", to: "Notes.store")
        container.persistentStoreDescriptions = both
        await #expect(throws: GranaryError.self) { try await container.loadPersistentStores() }
        #expect(container.persistentStoreCoordinator.persistentStores.map(\.configurationName) == ["Library"])
        // A second store with one UUID: it is the same file.
        both[1] = both[0]
        both[1].timeout = .seconds(1)
        container.persistentStoreDescriptions = both
        await #expect(throws: GranaryError.self) { try await container.loadPersistentStores() }
    }
}
