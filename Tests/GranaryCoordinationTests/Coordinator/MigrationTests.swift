import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranaryRecords
import StoreTestSupport
import TestSupport
import Testing

@Suite("Moving a store") struct MigrationTests {
    private static let exact = Decimal(string: "0.12345678901234567890123456789012345678") ?? 0

    /// Whether every kind of store has a form for it, and it is not there for its size.
    private func isPlain(_ value: AttributeValue) -> Bool {
        switch value {
        case .string(let text): !text.utf8.contains(0) && text.utf8.count < 1_000
        case .date(let date): date.timeIntervalSinceReferenceDate < 1e11
        case .binary(let data): data.count < 1_000
        default: true
        }
    }

    /// Objects of every kind with links of every kind; some were changed, one was deleted.
    private func fill(_ container: PersistentContainer) throws -> [ManagedObjectID] {
        let context = container.makeContext()
        for (name, values) in ConformanceModel.values {
            for value in values where isPlain(value) {
                try context.insert(into: "Values").setValue(value, forKey: name)
            }
        }
        let nodes = try (0..<7).map { try context.insert(into: $0.isMultiple(of: 2) ? "Node" : "Leaf") }
        let tags = try (0..<2).map { _ in try context.insert(into: "Tag") }
        let bank = try context.insert(into: "Bank")
        let account = try context.insert(into: "Savings")
        try account.setValue("a@b", forKey: "email")
        try account.setObject(bank, forKey: "bank")
        try nodes[0].setObjects([nodes[3], nodes[1], nodes[2]], forKey: "members")
        try nodes[1].setObjects([nodes[5], nodes[4]], forKey: "members")
        try nodes[2].setObjects([nodes[0], nodes[1]], forKey: "children")
        try nodes[3].setObject(nodes[4], forKey: "mate")
        try nodes[0].setObjects([nodes[1], nodes[0]], forKey: "likes")
        try nodes[0].setObjects([nodes[2], nodes[1]], forKey: "reviewers")
        try nodes[3].setObjects([nodes[1], nodes[2]], forKey: "reviewers")
        try nodes[1].setObjects([nodes[3], nodes[0]], forKey: "reviews")
        try nodes[4].setObjects([nodes[5], nodes[1]], forKey: "ranks")
        try nodes[0].setObjects([nodes[1], nodes[2]], forKey: "friends")
        try nodes[5].setObjects([nodes[0]], forKey: "keeps")
        try nodes[1].setObjects(tags, forKey: "tags")
        try nodes[2].setObject(nodes[3], forKey: "pointer")
        try context.save()
        try nodes[3].setValue("changed", forKey: "name")
        try context.save()
        try context.delete(nodes[6])
        try context.save()
        return [nodes[3].objectID, nodes[4].objectID]
    }

    @Test(
        "NOT-13: objects, keys, versions, links and their order move between all kinds of stores, and old IDs have new",
        arguments: zip(StoreType.allCases, StoreType.allCases.reversed()))
    func everything(_ from: StoreType, _ to: StoreType) throws {
        let folder = try TemporaryFolder()
        let old = from.location("Old.store", in: folder)
        let new = to.location("New.store", in: folder)
        let container = try PersistentContainer(model: ConformanceModel.model, store: old)
        let coordinator = container.persistentStoreCoordinator
        let source = try #require(coordinator.persistentStores.first)
        try source.setMetadata(["Seed": 3])
        let ids = try fill(container)
        let before = try container.content
        #expect(before.rows.contains { $0.version > 1 })

        let store = try coordinator.migratePersistentStore(source, to: PersistentStoreDescription(new))
        #expect(coordinator.persistentStores.count == 1)
        #expect(coordinator.persistentStores.first === store)
        #expect(store.identifier != source.identifier)
        #expect(store.metadata.values == ["Seed": 3])
        #expect(store.url == new.url)
        #expect(try container.content == before)

        // Old and new IDs, two objects have four.
        let migration = try #require(store.objectIDMapping)
        let moved = ids.compactMap { migration.objectID(for: $0) }
        #expect(Set(ids + moved).count == 4)
        #expect(migration.objectID(for: moved[0]) == nil)
        let context = container.makeContext()
        #expect(try context.lookUpObject(with: moved[0])?["name"] == "changed")
        #expect(try context.lookUpObject(with: ids[0]) == nil)
        #expect(throws: GranaryError.self) { try coordinator.migratePersistentStore(source, to: .init(.inMemory)) }
        // It is a store like any other.
        let object = try context.insert(into: "Leaf")
        try context.save()
        #expect(object.objectID.key == 8)

        if from != .inMemory {
            let again = try PersistentContainer(model: ConformanceModel.model, store: old)
            #expect(try again.content == before)
        }
        if to != .inMemory {
            let after = try container.content
            let again = try PersistentContainer(model: ConformanceModel.model, store: new)
            #expect(try again.content == after)
            #expect(again.persistentStoreCoordinator.storeIdentifier == store.identifier)
        }
    }

    @Test("More objects than a batch has, owners of two entities among them", arguments: [StoreType.inMemory, .sqlite])
    func batches(_ from: StoreType) throws {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(
            model: ConformanceModel.model, store: from.location("Old.store", in: folder))
        let context = container.makeContext()
        let nodes = try (0..<2_300).map { try context.insert(into: $0.isMultiple(of: 3) ? "Leaf" : "Node") }
        for place in stride(from: 0, to: nodes.count - 2, by: 7) {
            try nodes[place].setObjects([nodes[place + 2], nodes[place + 1]], forKey: "members")
            try nodes[place].setObjects([nodes[place + 1], nodes[place]], forKey: "likes")
        }
        try context.save()
        let before = try container.content
        let source = try #require(container.persistentStoreCoordinator.persistentStores.first)
        let target = PersistentStoreDescription(StoreType.sqlite.location("New.store", in: folder))
        try container.persistentStoreCoordinator.migratePersistentStore(source, to: target)
        #expect(try container.content == before)
    }

    @Test("A Decimal that SQLite would round is refused, by object and property; nothing has changed")
    func rounding() throws {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(model: ConformanceModel.model, store: .inMemory)
        let context = container.makeContext()
        try context.insert(into: "Node")
        try context.insert(into: "Values").setValue(.decimal(Self.exact), forKey: "decimal")
        try context.save()
        let before = try container.content
        let coordinator = container.persistentStoreCoordinator
        let source = try #require(coordinator.persistentStores.first)
        let target = PersistentStoreDescription(.sqlite(folder.url.appending(path: "New.sqlite")))
        let error = #expect(throws: GranaryError.self) { try coordinator.migratePersistentStore(source, to: target) }
        #expect(error?.code == .refused)
        #expect(error?.diagnostics.map(\.code) == [.valuePrecision])
        #expect(error?.diagnostics.first?.property == "decimal")
        #expect(error?.diagnostics.first?.message.hasPrefix("Values/p1: ") == true)
        #expect(try folder.names == [])
        #expect(coordinator.persistentStores.first === source)
        #expect(try container.content == before)
        // An archive keeps it.
        let archive = PersistentStoreDescription(.archive(folder.url.appending(path: "New.plist")))
        try coordinator.migratePersistentStore(source, to: archive)
        #expect(try container.content == before)
    }

    @Test("What is there already is not replaced", arguments: [StoreType.sqlite, .archive])
    func taken(_ kind: StoreType) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("mine", to: "New.store")
        let own = kind.location("Old.store", in: folder)
        let container = try PersistentContainer(model: ConformanceModel.model, store: own)
        let coordinator = container.persistentStoreCoordinator
        let source = try #require(coordinator.persistentStores.first)
        for location in [kind.location("New.store", in: folder), own] {
            let error = #expect(throws: GranaryError.self) {
                try coordinator.migratePersistentStore(source, to: PersistentStoreDescription(location))
            }
            #expect(error?.code == .uncreatable)
        }
        var readOnly = PersistentStoreDescription(kind.location("Other.store", in: folder))
        readOnly.isReadOnly = true
        let refused = readOnly
        let error = #expect(throws: GranaryError.self) { try coordinator.migratePersistentStore(source, to: refused) }
        #expect(error?.code == .usage)
        #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
        #expect(try folder.names == ["New.store", "Old.store"])
        #expect(coordinator.persistentStores.first === source)
    }

    @Test("A configuration takes its own entities only; a new store has the history that was asked for")
    func configurations() throws {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(model: TwoStoreModel.model, store: .inMemory)
        let coordinator = container.persistentStoreCoordinator
        let context = container.makeContext()
        let memo = try context.insert(into: "Alarm")
        try memo.setValue("wake", forKey: "text")
        try context.save()
        var target = PersistentStoreDescription(.sqlite(folder.url.appending(path: "Notes.sqlite")))
        target.configuration = "Library"
        let source = try #require(coordinator.persistentStores.first)
        let refused = target
        let error = #expect(throws: GranaryError.self) { try coordinator.migratePersistentStore(source, to: refused) }
        #expect(error?.code == .refused)
        #expect(try folder.names == [])
        target.configuration = "Notes"
        target.tracksHistory = true
        let store = try coordinator.migratePersistentStore(source, to: target)
        let id = try #require(store.objectIDMapping?.objectID(for: memo.objectID))
        #expect(try container.makeContext().lookUpObject(with: id)?["text"] == "wake")
        #expect(id.entityName == "Alarm")
        let history = try coordinator.fetchHistory()
        #expect(history.flatMap(\.changes).map(\.changedObjectID) == [id])
    }

    /// An author with two articles.
    private func write(_ container: PersistentContainer) throws -> ManagedObjectID {
        let context = container.makeContext()
        let author = try context.insert(into: "Author")
        try author.setValue("Zo\u{eb}", forKey: "name")
        try author.setObject(try context.insert(into: "Publisher"), forKey: "publisher")
        for words in [20, 22] as [Int64] { _ = try context.article(words, by: author) }
        try context.save()
        return author.objectID
    }

    @Test("Derived attributes have their values in a new SQLite store, and go on there")
    func derivedAttributes() throws {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(
            model: ArticleModel.model, store: StoreType.sqlite.location("Old.store", in: folder))
        let old = try write(container)
        let before = try container.content
        let coordinator = container.persistentStoreCoordinator
        let source = try #require(coordinator.persistentStores.first)
        let target = PersistentStoreDescription(StoreType.sqlite.location("New.store", in: folder))
        let store = try coordinator.migratePersistentStore(source, to: target)
        #expect(try container.content == before)
        let id = try #require(store.objectIDMapping?.objectID(for: old))
        let context = container.makeContext()
        let author = try #require(try context.lookUpObject(with: id))
        #expect(author["articlesCount"] == 2 && author["totalWords"] == 42 && author["canonicalName"] == "zoe")
        let publisher = try #require(try author.object(forKey: "publisher"))
        #expect(publisher["articlesCount"] == 2)
        _ = try context.article(8, by: author)
        try context.save()
        #expect(author["articlesCount"] == 3 && author["totalWords"] == 50 && publisher["articlesCount"] == 3)
    }

    @Test(
        "Derived attributes are empty in a store that does not work them out: they would not stay right",
        arguments: [StoreType.inMemory, .archive, .xmlArchive])
    func derivedAttributesLeftOut(_ to: StoreType) throws {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(
            model: ArticleModel.model, store: StoreType.sqlite.location("Old.store", in: folder))
        let old = try write(container)
        let coordinator = container.persistentStoreCoordinator
        let source = try #require(coordinator.persistentStores.first)
        let target = to.location("New.store", in: folder)
        let store = try coordinator.migratePersistentStore(source, to: PersistentStoreDescription(target))
        let id = try #require(store.objectIDMapping?.objectID(for: old))
        let context = container.makeContext()
        let author = try #require(try context.lookUpObject(with: id))
        #expect(author["name"] == "Zo\u{eb}")
        #expect(author["articlesCount"] == nil && author["totalWords"] == nil && author["canonicalName"] == nil)
        guard to != .inMemory else { return }
        let again = try PersistentContainer(model: ArticleModel.model, store: target)
        let (after, reopened) = (try container.content, try again.content)
        #expect(after == reopened)
    }

    @Test("Derived attributes that a store did not work out are worked out by SQLite")
    func derivedAttributesFromMemory() throws {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(model: ArticleModel.model, store: .inMemory)
        let old = try write(container)
        #expect(try container.stored(old, "articlesCount") == nil)
        let coordinator = container.persistentStoreCoordinator
        let source = try #require(coordinator.persistentStores.first)
        let target = PersistentStoreDescription(StoreType.sqlite.location("New.store", in: folder))
        let store = try coordinator.migratePersistentStore(source, to: target)
        let id = try #require(store.objectIDMapping?.objectID(for: old))
        #expect(try container.stored(id, "articlesCount") == 2)
        #expect(try container.stored(id, "totalWords") == 42)
        #expect(try container.stored(id, "canonicalName") == "zoe")
    }

    @Test("Files of external data move too")
    func externalData() throws {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(
            model: ExternalBench.model, store: .sqlite(folder.url.appending(path: "Old.sqlite")))
        let context = container.makeContext()
        let data = ExternalBench.bytes(ExternalBench.long)
        try context.insert(into: "Photo").setValue(.binary(data), forKey: "data")
        try context.save()
        let before = try container.content
        let source = try #require(container.persistentStoreCoordinator.persistentStores.first)
        let target = PersistentStoreDescription(.sqlite(folder.url.appending(path: "New.sqlite")))
        try container.persistentStoreCoordinator.migratePersistentStore(source, to: target)
        #expect(try container.content == before)
        #expect(try folder.names == [".New_SUPPORT", ".Old_SUPPORT", "New.sqlite", "Old.sqlite"])
        try container.persistentStoreCoordinator.destroyPersistentStore(
            at: .sqlite(folder.url.appending(path: "Old.sqlite")))
        #expect(try folder.names == [".New_SUPPORT", "New.sqlite"])
        #expect(try container.content == before)
    }
}
