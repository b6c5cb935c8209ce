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

/// Fetches with unsaved changes: what is read, and how the results are merged.
@Suite("Fetches with unsaved changes") struct PendingFetchTests {
    private func names(_ objects: [ManagedObject]) throws -> String {
        try objects.map { try $0.string(forKey: "name") ?? "-" }.joined(separator: " ")
    }

    @Test("A few changes do not make a fetch read all rows", arguments: [StoreFactory.sqlitePublished])
    func reads(_ factory: StoreFactory) throws {
        let counter = ReadCounter()
        let store = CountingStore(try factory.make(try PeopleModel.model.resolved()).store, counter)
        let container = try PersistentContainer(store: store)
        let writer = container.makeContext()
        for number in 0..<600 { _ = try writer.person("\(number)", salary: Int64(number)) }
        try writer.save()

        let context = container.makeContext()
        _ = counter.takeAll()
        // Find or create.
        for number in 590..<610 {
            if try context.first("Person", where: "name == %@", "\(number)") == nil {
                _ = try context.person("\(number)", salary: Int64(number))
            }
        }
        #expect(context.insertedObjects.count == 10)
        #expect(counter.takeAll().scans == 0)
        let changed = try #require(try context.first("Person", where: "name == '5'"))
        try changed.setValue(1000, forKey: "salary")
        try context.delete(try #require(try context.first("Person", where: "name == '6'")))
        _ = counter.takeAll()
        #expect(try names(context.fetch("Person", where: "salary < %@", 8, sort: "salary")) == "0 1 2 3 4 7")
        #expect(try names(context.fetch("Person", where: "salary > 605", sort: "salary:desc")) == "5 609 608 607 606")
        #expect(try names(context.fetch("Person", sort: "salary:desc", limit: 3, offset: 1)) == "609 608 607")
        #expect(try names(context.fetch("Person", where: "salary > 3", limit: 3)) == "4 5 7")
        #expect(
            try names(context.fetch("Person", where: "salary >= 598 AND salary != 600", limit: 4)) == "5 598 599 601")
        #expect(try context.count("Person", where: "salary < 8") == 6)
        #expect(try context.count("Person", where: "salary > 605") == 5)
        let last = FetchRequest("Person", where: try ObjectPredicate("salary > 605"))
        #expect(try context.fetchObjectIDs(last) == context.fetch(last).map(\.objectID))
        #expect(counter.takeAll().scans == 0)
        // The boss is another object of the entity, whose changes matter.
        try context.object(with: changed.objectID).setValue("five", forKey: "name")
        #expect(try context.count("Person", where: "boss.name == 'five'") == 0)
        #expect(counter.takeAll().scans > 0)
    }

    @Test("A changed object whose row is gone is not found", arguments: StoreFactory.kinds)
    func goneRows(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(PeopleModel.model, factory)
        let context = container.makeContext()
        let (ann, bob) = (try context.person("Ann", salary: 1), try context.person("Bob", salary: 2))
        try context.save()
        try container.delete(ann.objectID)
        try ann.setValue(5, forKey: "salary")
        try bob.setValue(6, forKey: "salary")
        #expect(try context.fetch("Person", where: "salary > 4") == [bob])
        #expect(try context.count("Person", where: "salary > 4") == 1)
        #expect(try context.fetch("Person", where: "salary < 4").isEmpty)
    }

    @Test("A chain of bosses with a change in it", arguments: StoreFactory.kinds)
    func ownRelationships(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(PeopleModel.model, factory)
        let context = container.makeContext()
        let (ann, bob) = (try context.person("Ann", salary: 1), try context.person("Bob", salary: 2))
        try bob.setObject(ann, forKey: "boss")
        try context.save()
        try ann.setValue(9, forKey: "salary")
        #expect(try context.fetch("Person", where: "boss.salary == 9") == [bob])
        #expect(try context.fetch("Person", where: "boss.salary == 1").isEmpty)
        #expect(try context.fetch("Person", where: "name == 'Bob' AND boss.salary == 9") == [bob])
        #expect(try context.fetch("Person", where: "boss == %@", ann) == [bob])
        let new = try context.person("New")
        try ann.setObject(new, forKey: "boss")
        #expect(try context.fetch("Person", where: "boss == %@", new) == [ann])
        #expect(try context.fetch("Person", where: "SELF == %@", new) == [new])
    }

    @Test("Several stores without unsaved changes are sorted by what they have", arguments: [false, true])
    func severalStores(_ includesPendingChanges: Bool) throws {
        let container = try PersistentContainer(name: "Two", model: PeopleModel.model, descriptions: [])
        container.persistentStoreDescriptions = [.init(.inMemory), .init(.inMemory)]
        try container.loadPersistentStores()
        let stores = container.persistentStoreCoordinator.persistentStores
        let context = container.makeContext()
        var people: [ManagedObject] = []
        for number in 0..<6 {
            let person = try context.person("\(number)", salary: Int64(number))
            try context.assign(person, to: stores[number % 2])
            people.append(person)
        }
        try context.save()
        try people[1].setValue(100, forKey: "salary")
        var request = FetchRequest("Person")
        request.sortDescriptors = [ObjectSortDescriptor("salary", ascending: false)]
        request.includesPendingChanges = includesPendingChanges
        let wanted = includesPendingChanges ? "1 5 4 3 2 0" : "5 4 3 2 1 0"
        #expect(try names(context.fetch(request)) == wanted)
        #expect(try context.fetchObjectIDs(request) == context.fetch(request).map(\.objectID))
        request.fetchOffset = 1
        request.fetchLimit = 2
        #expect(try names(context.fetch(request)) == (includesPendingChanges ? "5 4" : "4 3"))
    }

    @Test("Without pending changes an enumeration passes what a fetch returns", arguments: StoreFactory.kinds)
    func deletedObjects(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(PeopleModel.model, factory)
        let context = container.makeContext()
        for number in 0..<5 { _ = try context.person("\(number)", salary: Int64(number)) }
        try context.save()
        let people = try context.fetch("Person", sort: "salary")
        try context.delete(people[1])
        for (condition, sort) in [(nil, []), ("salary >= 0", []), (nil, [ObjectSortDescriptor("salary")])]
            as [(String?, [ObjectSortDescriptor])]
        {
            var request = FetchRequest("Person", where: try condition.map { try ObjectPredicate($0) })
            request.sortDescriptors = sort
            request.includesPendingChanges = false
            var passed: [ManagedObject] = []
            try context.enumerate(request) { passed.append($0) }
            #expect(try passed == context.fetch(request) && passed.count == 5)
            // An object that is deleted on the way does not pass.
            passed = []
            try context.enumerate(request) { person in
                passed.append(person)
                if person == people[0] { try context.delete(people[3]) }
            }
            #expect(passed == [people[0], people[1], people[2], people[4]])
            context.rollback()
            try context.delete(people[1])
        }
    }

    @Test("New objects pass an enumeration that saves", arguments: StoreFactory.kinds)
    func savedOnTheWay(_ factory: StoreFactory) throws {
        let context = try PersistentContainer(PeopleModel.model, factory).makeContext()
        for number in 0..<3 { _ = try context.person("\(number)") }
        try context.save()
        for number in 3..<6 { _ = try context.person("\(number)") }
        var request = FetchRequest("Person", where: try ObjectPredicate("name != '9'"))
        request.fetchBatchSize = 2
        var passed: [ManagedObject] = []
        try context.enumerate(request) { person in
            passed.append(person)
            try context.save()
        }
        #expect(try names(passed) == "0 1 2 3 4 5")
    }

    @Test("A sum of Decimals keeps its digits; other sums are doubles")
    func decimalSums() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Item", [.attribute("price", .decimal), .attribute("size", .double)])
        ])
        let context = try PersistentContainer(model, .inMemory).makeContext()
        let prices = ["12345678901234567890.12", "0.1", "-0.02", "30000000000"]
        for price in prices {
            let item = try context.insert(into: "Item")
            try item.setValue(.decimal(try #require(Decimal(string: price))), forKey: "price")
            try item.setValue(0.5, forKey: "size")
        }
        _ = try context.insert(into: "Item")
        try context.save()
        func sum(_ format: String) throws -> AttributeValue? {
            var request = FetchRequest("Item")
            request.propertiesToFetch = [.expression(ExpressionDescription("s", try ObjectExpression(format: format)))]
            return try context.fetchDictionaries(request)[0]["s"]
        }
        #expect(try sum("sum:(price)") == .decimal(try #require(Decimal(string: "12345678931234567890.2"))))
        #expect(try sum("sum:(size)") == 2.0)
        // More than 38 digits.
        let item = try context.insert(into: "Item")
        try item.setValue(.decimal(Decimal(sign: .plus, exponent: -30, significand: 1)), forKey: "price")
        try context.save()
        guard case .double(let rounded)? = try sum("sum:(price)") else { throw CancellationError() }
        #expect(abs(rounded - 12_345_678_931_234_567_890.2) < 10_000)
    }
}
