import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// What results read to follow changes, and what they follow that other observers are not told of.
@Suite("Fetched results, reading") struct ResultsCostTests {
    @Test("Only the changed objects are read, together", arguments: StoreFactory.kinds)
    func reads(_ factory: StoreFactory) throws {
        let counter = ReadCounter()
        let store = CountingStore(try factory.make(try PeopleModel.model.resolved()).store, counter)
        let container = try PersistentContainer(store: store)
        let other = container.makeContext()
        let people = try (0..<100).map { try other.person("P\($0 % 10)", salary: Int64($0)) }
        try other.save()
        let context = container.makeContext()
        context.automaticallyMergesChangesFromParent = true
        var request = FetchRequest("Person", where: try ObjectPredicate("salary < %@", 50))
        request.sortDescriptors = [ObjectSortDescriptor("name")]
        let results = try context.results(of: request, sectionedBy: "name")
        // No object had to be read for its place.
        let areFaults = results.fetchedObjects.allSatisfy(\.isFault)
        #expect(areFaults)
        _ = counter.takeAll()
        for person in people[20..<40] { try person.setValue("P3", forKey: "name") }
        for person in people[60..<80] { try person.setValue(5, forKey: "salary") }
        try other.save()
        _ = counter.takeAll()
        try context.processPendingChanges()
        #expect(results.fetchedObjects.count == 70)
        let reads = counter.takeAll()
        #expect(reads.scans == 0 && reads.links == 0 && reads.keyed <= 4, "\(reads)")
    }

    @Test("A row that was read before its save was announced is followed") func readEarly() throws {
        let container = try PersistentContainer(model: PeopleModel.model, store: .inMemory)
        let context = container.makeContext()
        let results = try context.results(of: FetchRequest("Person"))
        let other = container.makeContext()
        let ann = try other.person("Ann")
        try other.save()
        // It is read before the save is merged.
        let early = try context.fetchAll("Person")
        try context.processPendingChanges()
        #expect(results.fetchedObjects == [])
        try context.mergeChanges(from: SaveChanges(inserted: [ann.objectID]))
        try context.processPendingChanges()
        #expect(results.fetchedObjects == early)
    }

    @Test("A rollback does not bring back what others have deleted, and reads what they have changed")
    func rollback() throws {
        let container = try PersistentContainer(model: PeopleModel.model, store: .inMemory)
        let context = container.makeContext()
        context.automaticallyMergesChangesFromParent = true
        let (ann, bob) = (try context.person("Ann"), try context.person("Bob"))
        try context.save()
        var request = FetchRequest("Person")
        request.sortDescriptors = [ObjectSortDescriptor("name")]
        let results = try context.results(of: request)
        try ann.setValue("Anna", forKey: "name")
        try context.delete(bob)
        try container.delete(ann.objectID)
        try container.change(bob.objectID, "name", to: "Zoe")
        try context.processPendingChanges()
        #expect(results.fetchedObjects == [])
        context.rollback()
        try context.processPendingChanges()
        #expect(results.fetchedObjects == [bob])
        #expect(bob["name"] == "Zoe")
    }

    @Test("A derived attribute is followed after the save that computes it", arguments: [StoreFactory.sqlitePublished])
    func derived(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ArticleModel.model, factory)
        let context = container.makeContext()
        let authors = try (0..<2).map { _ in try context.insert(into: "Author") }
        try context.save()
        var request = FetchRequest("Author")
        request.sortDescriptors = [ObjectSortDescriptor("articlesCount")]
        let results = try context.results(of: request)
        #expect(results.fetchedObjects == authors)
        _ = try context.article(20, by: authors[0])
        try context.save()
        #expect(results.fetchedObjects == [authors[1], authors[0]])
    }
}
