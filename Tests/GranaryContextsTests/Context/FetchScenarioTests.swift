import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing

/// The FET scenarios of docs/core-data/behaviours.md#fet-fetches-and-unsaved-changes, under their numbers, and the
/// parts of a request.
@Suite("Fetch requests") struct FetchScenarioTests {
    /// Stored: alpha 22, bravo 25, charlie 10. Pending: alpha is 5, bravo deleted, charlie 21, new are echo and delta.
    private func overlay(_ container: PersistentContainer) throws -> ManagedObjectContext {
        let writer = container.makeContext()
        for (name, salary) in [("alpha", 22), ("bravo", 25), ("charlie", 10)] as [(String, Int64)] {
            _ = try writer.person(name, salary: salary)
        }
        try writer.save()
        let context = container.makeContext()
        let stored = try context.fetchAll("Person")
        try stored[0].setValue(5, forKey: "salary")
        try context.delete(stored[1])
        try stored[2].setValue(21, forKey: "salary")
        _ = try context.person("echo", salary: 40)
        _ = try context.person("delta", salary: 30)
        return context
    }

    private var above20: FetchRequest<ManagedObject> {
        var request = FetchRequest("Person", where: .compare(.keyPath("salary"), .greater, .constant(20)))
        request.sortDescriptors = [ObjectSortDescriptor("name")]
        return request
    }

    @Test("FET-01: stored and pending objects in one order, by their values here", arguments: StoreFactory.all)
    func pendingObjects(_ factory: StoreFactory) throws {
        let context = try overlay(try Watched.container(factory))
        let found = try context.fetch(above20)
        #expect(found.map { $0["name"] } == ["charlie", "delta", "echo"])
        #expect(found.first?["salary"] == 21)
        var stored = above20
        stored.includesPendingChanges = false
        #expect(try context.fetch(stored).map { $0["name"] } == ["alpha", "bravo"])
        #expect(try context.count(for: stored) == 2)
    }

    @Test("FET-03: the same as IDs, in the request's order", arguments: StoreFactory.all)
    func pendingIDs(_ factory: StoreFactory) throws {
        let context = try overlay(try Watched.container(factory))
        let ids = try context.fetchObjectIDs(above20)
        #expect(ids.count == 3 && ids.count(where: \.isTemporaryID) == 2)
        #expect(try ids == context.fetch(above20).map(\.objectID))
    }

    @Test("DIS-10: offset and limit cut what is stored and pending together", arguments: StoreFactory.all)
    func windowOverPendingObjects(_ factory: StoreFactory) throws {
        let context = try overlay(try Watched.container(factory))
        var request = above20
        for (offset, limit, names) in [(0, 2, ["charlie", "delta"]), (1, 1, ["delta"]), (1, 9, ["delta", "echo"])]
            as [(Int, Int, [AttributeValue?])]
        {
            request.fetchOffset = offset
            request.fetchLimit = limit
            #expect(try context.fetch(request).map { $0["name"] } == names)
            #expect(try context.count(for: request) == names.count)
        }
    }

    @Test("FET-07: subentities are wanted or not, among the pending ones too", arguments: StoreFactory.all)
    func subentities(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ConformanceModel.model, factory)
        let context = container.makeContext()
        let (patricia, manager) = (try context.insert(into: "Node"), try context.insert(into: "Leaf"))
        try context.save()
        let pending = try context.insert(into: "Leaf")
        var request = FetchRequest("Node")
        #expect(request.includesSubentities)
        #expect(try context.fetch(request) == [patricia, manager, pending] && context.count(for: request) == 3)
        request.includesSubentities = false
        #expect(try context.fetch(request) == [patricia] && context.count(for: request) == 1)
        request.entityName = "Leaf"
        #expect(try context.fetch(request) == [manager, pending])
    }

    @Test("FET-09: fetching IDs makes no objects", arguments: StoreFactory.all)
    func idsOnly(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let writer = container.makeContext()
        let people = try ([0, 1, 2, 3, 4] as [Int64]).map { try writer.person("\($0)", salary: $0) }
        try writer.save()
        let context = container.makeContext()
        #expect(try context.fetchObjectIDs(FetchRequest("Person")) == people.map(\.objectID))
        #expect(context.registeredObjects.isEmpty)
        var request = FetchRequest("Person", where: .compare(.keyPath("salary"), .greater, .constant(2)))
        #expect(try context.fetchObjectIDs(request) == people.suffix(2).map(\.objectID))
        request.sortDescriptors = [ObjectSortDescriptor("salary", ascending: false)]
        #expect(try context.fetchObjectIDs(request) == people.suffix(2).reversed().map(\.objectID))
        #expect(try context.count(for: request) == 2)
        #expect(context.registeredObjects.isEmpty)
    }

    @Test("FET-11: a count follows what is pending", arguments: StoreFactory.all)
    func counts(_ factory: StoreFactory) throws {
        let context = try Watched.container(factory).makeContext()
        let people = try ([9, 5, 12] as [Int64]).map { try context.person("\($0)", salary: $0) }
        try context.save()
        let request = FetchRequest("Person", where: .compare(.keyPath("salary"), .greater, .constant(8)))
        #expect(try context.count(for: request) == 2)
        _ = try context.person("new", salary: 20)
        _ = try context.person("poor", salary: 1)
        #expect(try context.count(for: request) == 3 && context.count("Person") == 5)
        try context.delete(people[2])
        #expect(try context.count(for: request) == 2 && context.count("Person") == 4)
        try people[1].setValue(50, forKey: "salary")
        #expect(try context.count(for: request) == 3)
        var stored = request
        stored.includesPendingChanges = false
        #expect(try context.count(for: stored) == 2)
    }

    @Test("FET-13: offset and limit count", arguments: StoreFactory.all)
    func countsInAWindow(_ factory: StoreFactory) throws {
        let context = try Watched.container(factory).makeContext()
        for number in 0..<4 { _ = try context.person("\(number)") }
        try context.save()
        for predicate in [nil, ObjectPredicate.constant(true)] {
            var request = FetchRequest("Person", where: predicate)
            request.fetchLimit = 3
            #expect(try context.count(for: request) == 3 && context.fetch(request).count == 3)
            request.fetchOffset = 2
            #expect(try context.count(for: request) == 2)
            request.fetchOffset = 9
            #expect(try context.count(for: request) == 0)
        }
    }

    @Test("FET-13, FET-15: several stores with one entity", arguments: [false, true])
    func affectedStores(isInFiles: Bool) throws {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(name: "Two", model: PeopleModel.model, descriptions: [])
        container.persistentStoreDescriptions = ["One.sqlite", "Two.sqlite"].map { name in
            PersistentStoreDescription(isInFiles ? .sqlite(folder.url.appending(path: name)) : .inMemory)
        }
        try container.loadPersistentStores()
        let stores = container.persistentStoreCoordinator.persistentStores
        try #require(stores.count == 2)
        let context = container.makeContext()
        for name in ["a", "b"] {
            for store in stores.reversed() { try context.assign(try context.person(name), to: store) }
        }
        var request = FetchRequest("Person")
        // Not saved yet: by the store that they will be in.
        request.affectedStores = [stores[1].identifier]
        #expect(try context.count(for: request) == 2 && context.fetch(request).count == 2)
        try context.save()
        #expect(try context.count(for: request) == 2)
        #expect(try context.fetch(request).allSatisfy { $0.objectID.storeIdentifier == stores[1].identifier })
        request.fetchLimit = 3
        #expect(try context.count(for: request) == 2 && context.fetch(request).count == 2)
        request.affectedStores = nil
        #expect(try context.count(for: request) == 3 && context.fetch(request).count == 3)
        request.fetchLimit = 1
        let first = try container.makeContext().fetchObjectIDs(request)
        #expect(first.map(\.storeIdentifier) == [stores[0].identifier])
        let new = try context.person("unassigned")
        try context.save()
        #expect(new.objectID.storeIdentifier == stores[0].identifier)
        request = FetchRequest("Person")
        request.affectedStores = []
        #expect(try context.count(for: request) == 0 && context.fetch(request) == [])
        #expect(try context.count("Person") == 5)
        // A deletion is taken off where it happens.
        try context.delete(new)
        request.affectedStores = [stores[1].identifier]
        #expect(try context.count(for: request) == 2 && context.count("Person") == 4)
        withExtendedLifetime(folder) {}
    }

    @Test(
        "DIS-3, orders: several keys, paths over to-ones, NULL first and descending last", arguments: StoreFactory.all)
    func orders(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let writer = container.makeContext()
        let (sales, law) = (try writer.department("Sales"), try writer.department("Law"))
        for (name, salary, department) in [("a", 2, sales), ("b", nil, nil), ("c", 1, law), ("d", 2, law)]
            as [(String, Int64?, ManagedObject?)]
        {
            try writer.person(name, salary: salary).setObject(department, forKey: "department")
        }
        try writer.save()
        let cases: [([ObjectSortDescriptor], String)] = [
            ([], "abcd"),
            ([ObjectSortDescriptor("salary")], "bcad"),
            ([ObjectSortDescriptor("salary", ascending: false)], "adcb"),
            ([ObjectSortDescriptor("salary"), ObjectSortDescriptor("name", ascending: false)], "bcda"),
            ([ObjectSortDescriptor("department.title")], "bcda"),
            ([ObjectSortDescriptor("department.title", ascending: false)], "acdb"),
            ([ObjectSortDescriptor("department.title"), ObjectSortDescriptor("salary", ascending: false)], "bdca"),
        ]
        for (descriptors, expected) in cases {
            var request = FetchRequest("Person")
            request.sortDescriptors = descriptors
            for isPending in [false, true] {
                let context = container.makeContext()
                request.includesPendingChanges = isPending
                let names = try context.fetch(request).map { try $0.string(forKey: "name") ?? "-" }
                #expect(names.joined() == expected, "\(descriptors)")
            }
        }
    }

    @Test("A path that the entity does not have is refused, with the nearest name", arguments: StoreFactory.kinds)
    func unknownPaths(_ factory: StoreFactory) throws {
        let context = try Watched.container(factory).makeContext()
        _ = try context.person("Ann")
        func request(_ change: (inout FetchRequest<ManagedObject>) -> Void) -> FetchRequest<ManagedObject> {
            var request = FetchRequest("Person")
            change(&request)
            return request
        }
        let wrong = [
            request { $0.predicate = .compare(.keyPath("nmae"), .equal, .null) },
            request { $0.predicate = .and([.constant(false), .not(.compare(.null, .equal, .keyPath("boss.nmae")))]) },
            request { $0.predicate = .between(.keyPath("salary"), lower: .keyPath("x"), upper: .constant(1)) },
            request { $0.sortDescriptors = [ObjectSortDescriptor("nmae")] },
            request { $0.sortDescriptors = [ObjectSortDescriptor("department.nmae")] },
            // Only attributes have an order.
            request { $0.sortDescriptors = [ObjectSortDescriptor("department")] },
            request { $0.sortDescriptors = [ObjectSortDescriptor("pets.name")] },
            request { $0.relationshipKeyPathsForPrefetching = ["pats"] },
            request { $0.relationshipKeyPathsForPrefetching = ["name"] },
            request { $0.relationshipKeyPathsForPrefetching = ["department.staff"] },
        ]
        for (number, request) in wrong.enumerated() {
            let errors = [
                #expect(throws: GranaryError.self, "\(number)") { try context.fetch(request) },
                #expect(throws: GranaryError.self, "\(number)") { try context.enumerate(request) { _ in } },
            ]
            #expect(errors.allSatisfy { $0?.code == .usage }, "\(number)")
        }
        let error = #expect(throws: GranaryError.self) { try context.fetch(wrong[0]) }
        #expect(error?.message.contains("did you mean \"name\"?") == true)
        var deep = ObjectPredicate.constant(true)
        for _ in 0..<100 { deep = .not(deep) }
        let tooDeep = #expect(throws: GranaryError.self) { try context.fetch(FetchRequest("Person", where: deep)) }
        #expect(tooDeep?.code == .usage)
    }

    @Test("Predicates over relationships see the objects as they are here", arguments: StoreFactory.all)
    func paths(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let writer = container.makeContext()
        let (sales, law) = (try writer.department("Sales"), try writer.department("Law"))
        for (name, department) in [("a", sales), ("b", law), ("c", nil)] as [(String, ManagedObject?)] {
            try writer.person(name).setObject(department, forKey: "department")
        }
        try writer.save()
        let context = container.makeContext()
        let isSales = ObjectPredicate.compare(.keyPath("department.title"), .equal, .constant("Sales"))
        let has = ObjectPredicate.compare(.keyPath("department"), .notEqual, .null)
        func names(_ predicate: ObjectPredicate) throws -> String {
            try context.fetch(FetchRequest("Person", where: predicate)).map { try $0.string(forKey: "name") ?? "-" }
                .joined()
        }
        #expect(try names(isSales) == "a" && names(.not(isSales)) == "bc" && names(has) == "ab")
        try context.lookUpObject(with: law.objectID)?.setValue("Sales", forKey: "title")
        #expect(try names(isSales) == "ab")
        let people = try context.fetchAll("Person")
        try people[2].setObject(try people[0].object(forKey: "department"), forKey: "department")
        try people[0].setObject(nil, forKey: "department")
        #expect(try names(isSales) == "bc" && names(has) == "bc")
    }

    @Test(
        "Objects that are fetched again take over what the store has, where the request says so",
        arguments: [false, true])
    func refetched(_ shouldRefresh: Bool) throws {
        let folder = try TemporaryFolder()
        let location = StoreLocation.sqlite(folder.url.appending(path: "Store.sqlite"))
        // Two coordinators: what one saves the other hears nothing of.
        let (ours, theirs) = (
            try PersistentContainer(model: PeopleModel.model, store: location),
            try PersistentContainer(model: PeopleModel.model, store: location)
        )
        let context = ours.makeContext()
        let (ann, bob) = (try context.person("Ann", salary: 1), try context.person("Bob", salary: 1))
        try context.save()
        try bob.setValue("Bobby", forKey: "name")
        let other = theirs.makeContext()
        for person in try other.fetchAll("Person") { try person.setValue(2, forKey: "salary") }
        try other.save()
        var request = FetchRequest("Person")
        request.shouldRefreshRefetchedObjects = shouldRefresh
        #expect(try Set(context.fetch(request)) == [ann, bob])
        #expect(ann["salary"] == (shouldRefresh ? 2 : 1) && bob["salary"] == (shouldRefresh ? 2 : 1))
        // Their own changes stay on top.
        #expect(bob["name"] == "Bobby" && bob.isUpdated)
        guard shouldRefresh else { return }
        try context.save()
        #expect(try theirs.stored(bob.objectID, "name") == "Bobby")
        #expect(try theirs.stored(bob.objectID, "salary") == 2)
    }

    @Test("A child takes over what its parent has, where the request says so", arguments: [false, true])
    func refetchedInChild(_ shouldRefresh: Bool) throws {
        let parent = try PeopleModel.container().makeContext()
        let ann = try parent.person("Ann", salary: 1)
        try parent.save()
        let child = parent.makeChild()
        let own = try #require(try child.fetchAll("Person").first)
        #expect(own["salary"] == 1)
        try ann.setValue(2, forKey: "salary")
        var request = FetchRequest("Person")
        request.shouldRefreshRefetchedObjects = shouldRefresh
        #expect(try child.fetch(request) == [own])
        #expect(own["salary"] == (shouldRefresh ? 2 : 1))
    }

    @Test("Objects that are fetched again take over derived values that triggers have changed")
    func refetchedDerived() throws {
        let folder = try TemporaryFolder()
        let location = StoreLocation.sqlite(folder.url.appending(path: "Store.sqlite"))
        let (ours, theirs) = (
            try PersistentContainer(model: ArticleModel.model, store: location),
            try PersistentContainer(model: ArticleModel.model, store: location)
        )
        let context = ours.makeContext()
        let (publisher, author) = (try context.insert(into: "Publisher"), try context.insert(into: "Author"))
        try author.setObject(publisher, forKey: "publisher")
        let article = try context.article(20, by: author)
        try context.save()
        #expect(author["totalWords"] == 20)
        let other = theirs.makeContext()
        try other.existingObject(with: article.objectID).setValue(30, forKey: "wordCount")
        try other.save()
        var request = FetchRequest("Author")
        #expect(try context.fetch(request) == [author] && author["totalWords"] == 20)
        try author.setValue("Zoe", forKey: "name")
        request.shouldRefreshRefetchedObjects = true
        #expect(try context.fetch(request) == [author])
        #expect(author["totalWords"] == 30 && author["name"] == "Zoe")
    }
}
