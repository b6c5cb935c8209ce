import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// How often the store is read when relationships of many objects are followed.
@Suite("Faults in batches") struct BatchedFaultTests {
    /// People 0, 1, …, each with as many pets, in departments of ten; and what the store is asked.
    struct Bench {
        let container: PersistentContainer
        let counter: ReadCounter

        init(_ factory: StoreFactory, people: Int, petsEach: Int) throws {
            let counter = ReadCounter()
            let store = CountingStore(try factory.make(try PeopleModel.model.resolved()).store, counter)
            container = try PersistentContainer(store: store)
            self.counter = counter
            let context = container.makeContext()
            var department = try context.department("0")
            for number in 0..<people {
                if number % 10 == 0, number > 0 { department = try context.department("\(number / 10)") }
                let person = try context.person("\(number)")
                try person.setObject(department, forKey: "department")
                for pet in 0..<petsEach { _ = try context.pet("\(number).\(pet)", of: person) }
            }
            try context.save()
            _ = counter.takeAll()
        }
    }

    private func name(_ object: ManagedObject?) throws -> String { try object?.string(forKey: "name") ?? "nobody" }

    @Test("1,000 to-ones of a fetch are followed with a few reads", arguments: StoreFactory.kinds)
    func toOnes(_ factory: StoreFactory) throws {
        let bench = try Bench(factory, people: 1000, petsEach: 1)
        let context = bench.container.makeContext()
        let pets = try context.fetchAll("Pet")
        #expect(bench.counter.takeAll().all == 1)
        var owners: [String] = []
        for pet in pets { owners.append(try name(try pet.object(forKey: "owner"))) }
        #expect(owners == (0..<1000).map { "\($0)" })
        // For each of two batches: the first by itself, then all.
        #expect(bench.counter.takeAll().all <= 8)
    }

    @Test("To-manys of a fetch fire in batches, their members one owner at a time", arguments: StoreFactory.kinds)
    func toManys(_ factory: StoreFactory) throws {
        let bench = try Bench(factory, people: 600, petsEach: 2)
        let context = bench.container.makeContext()
        let people = try context.fetchAll("Person")
        _ = bench.counter.takeAll()
        var found: [String] = []
        for person in people { for pet in try person.objects(forKey: "pets") { found.append(try name(pet)) } }
        #expect(found == (0..<600).flatMap { ["\($0).0", "\($0).1"] })
        let reads = bench.counter.takeAll()
        #expect(reads.links <= 4 && reads.scans == 0)
        #expect(reads.keyed <= 600)
    }

    @Test("What was prefetched over a to-one is not read again", arguments: StoreFactory.kinds)
    func prefetchedToOnes(_ factory: StoreFactory) throws {
        let bench = try Bench(factory, people: 700, petsEach: 1)
        let context = bench.container.makeContext()
        var request = FetchRequest("Pet")
        request.relationshipKeyPathsForPrefetching = ["owner.department"]
        let pets = try context.fetch(request)
        let reads = bench.counter.takeAll()
        #expect(reads.scans == 1 && reads.keyed <= 8)
        var titles: [String] = []
        for pet in pets {
            let department = try pet.object(forKey: "owner")?.object(forKey: "department")
            titles.append(try department?.string(forKey: "title") ?? "none")
        }
        #expect(titles == (0..<700).map { "\($0 / 10)" })
        #expect(bench.counter.takeAll().all == 0)
    }

    @Test("What was prefetched over to-manys is not read again", arguments: StoreFactory.kinds, [3, 40])
    func prefetchedToManys(_ factory: StoreFactory, people: Int) throws {
        // Three people make one department: a batch of one row.
        let bench = try Bench(factory, people: people, petsEach: 2)
        let context = bench.container.makeContext()
        var request = FetchRequest("Department")
        request.relationshipKeyPathsForPrefetching = ["employees.pets"]
        let departments = try context.fetch(request)
        _ = bench.counter.takeAll()
        var found: [String] = []
        for department in departments {
            for person in try department.objects(forKey: "employees") {
                for pet in try person.objects(forKey: "pets") { found.append(try name(pet)) }
            }
        }
        #expect(found == (0..<people).flatMap { ["\($0).0", "\($0).1"] })
        #expect(bench.counter.takeAll().all == 0)
    }

    @Test("What was prefetched is read again once somebody has saved", arguments: StoreFactory.kinds)
    func prefetchedAndChanged(_ factory: StoreFactory) throws {
        let bench = try Bench(factory, people: 20, petsEach: 1)
        let context = bench.container.makeContext()
        var request = FetchRequest("Pet")
        request.relationshipKeyPathsForPrefetching = ["owner"]
        let pets = try context.fetch(request)
        let people = try bench.container.makeContext().fetchObjectIDs(FetchRequest("Person"))
        try bench.container.change(people[3], "name", to: "changed")
        #expect(try name(try pets[3].object(forKey: "owner")) == "changed")
        #expect(try name(try pets[4].object(forKey: "owner")) == "4")
    }

    @Test("Old faults are filled in batches", arguments: StoreFactory.kinds)
    func fulfilling(_ factory: StoreFactory) throws {
        let bench = try Bench(factory, people: 1000, petsEach: 0)
        let context = bench.container.makeContext()
        let people = try context.fetchAll("Person")
        // From now on the rows that were fetched are old.
        try bench.container.change(people[0].objectID, "name", to: "changed")
        _ = bench.counter.takeAll()
        try context.fulfill(people)
        #expect(bench.counter.takeAll().keyed == 2)
        #expect(!people.contains { $0.isFault })
        #expect(people.first?["name"] == "changed" && people.last?["name"] == "999")
        #expect(bench.counter.takeAll().all == 0)
    }

    @Test("Values of fetched objects are in the rows that were fetched", arguments: StoreFactory.kinds)
    func plainValues(_ factory: StoreFactory) throws {
        let bench = try Bench(factory, people: 1000, petsEach: 0)
        let context = bench.container.makeContext()
        var request = FetchRequest("Person")
        let people = try context.fetch(request)
        for person in people { #expect(person["number"] == 7) }
        #expect(bench.counter.takeAll().all == 1)
        // A count without a predicate reads no rows. One with a predicate reads none if SQL can test it.
        #expect(try context.count("Person") == 1000)
        #expect(bench.counter.takeAll().all == 0)
        request.predicate = .compare(.keyPath("name"), .equal, .constant("999"))
        #expect(try context.count(for: request) == 1)
        let hasSQL = ["SQLite", "PostgreSQL"].contains { factory.name.hasPrefix($0) }
        #expect(bench.counter.takeAll().all == (hasSQL ? 0 : 1))
    }
}
