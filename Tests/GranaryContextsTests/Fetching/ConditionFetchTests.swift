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

/// Fetches of a class, in one line, and what the store decides.
@Suite("Fetches by class and condition") struct ConditionFetchTests {
    private func people(_ factory: StoreFactory) throws -> PersistentContainer {
        let container = try Watched.container(factory)
        let writer = container.makeContext()
        let (sales, law) = (try writer.department("Sales"), try writer.department("Law"))
        for (name, salary, department) in [("a", 2, sales), ("b", nil, nil), ("c", 1, law), ("d", 3, law)]
            as [(String, Int64?, ManagedObject?)]
        {
            try writer.person(name, salary: salary).setObject(department, forKey: "department")
        }
        try writer.save()
        return container
    }

    private static var cases: [(format: String, arguments: [(any PredicateArgument)?], names: String)] {
        [
            ("TRUEPREDICATE", [], "abcd"), ("salary > %@", [1], "ad"), ("salary == %@", [nil], "b"),
            ("department.title == %@", ["Law"], "cd"), ("department == nil OR salary >= %d", [3], "bd"),
            ("name IN %@", [["a", "d"] as [String]], "ad"), ("name IN {'a', 3}", [], "a"),
            ("%K < %@", ["salary", 2], "c"),
        ]
    }

    @Test("A condition and an order in one line", arguments: StoreFactory.all)
    func conditions(_ factory: StoreFactory) throws {
        let container = try people(factory)
        for isDirty in [false, true] {
            let context = container.makeContext()
            // An unsaved change makes the context evaluate the same conditions.
            if isDirty {
                let person = try #require(try context.first("Person", where: "name == 'a'"))
                try person.setValue("changed", forKey: "note")
            }
            for (format, arguments, names) in Self.cases {
                let request = FetchRequest("Person", where: try ObjectPredicate(format: format, arguments: arguments))
                #expect(try name(context.fetch(request)) == names, "\(format)")
                #expect(try context.count(for: request) == names.count, "\(format)")
                #expect(try context.fetchObjectIDs(request).count == names.count, "\(format)")
            }
            #expect(try name(context.fetch("Person", where: "salary > %@", 0, sort: "salary:desc")) == "dac")
            #expect(try name(context.fetch("Person", where: "salary > %@", 0, sort: "salary:desc", limit: 1)) == "d")
            #expect(try name(context.fetch("Person", sort: "name", limit: 2, offset: 1)) == "bc")
            #expect(try name(context.fetch(Watched.self, where: "department.title == %@", "Law", sort: "name")) == "cd")
            #expect(try context.first(Watched.self, sort: "name:desc")?["name"] == "d")
            #expect(try context.first("Person", where: "salary > 9") == nil)
            #expect(try context.count("Person", where: "salary > %@", 1) == 2)
            #expect(try context.count(Watched.self) == 4)
        }
    }

    private func name(_ objects: [ManagedObject]) throws -> String {
        try objects.map { try $0.string(forKey: "name") ?? "-" }.joined()
    }

    @Test("Objects and IDs are arguments of a condition", arguments: StoreFactory.kinds)
    func objectArguments(_ factory: StoreFactory) throws {
        let context = try people(factory).makeContext()
        let law = try #require(try context.first("Department", where: "title == 'Law'"))
        #expect(try name(context.fetch("Person", where: "department == %@", law, sort: "name")) == "cd")
        #expect(try name(context.fetch("Person", where: "department == %@", law.objectID, sort: "name")) == "cd")
        #expect(try name(context.fetch("Person", where: "department IN %@", [law], sort: "name")) == "cd")
        let person = try #require(try context.first("Person", where: "name == 'd'"))
        #expect(try context.fetch("Person", where: "SELF == %@", person) == [person])
        // A new object is found by the context.
        let new = try context.department("New")
        try person.setObject(new, forKey: "department")
        #expect(try context.fetch("Person", where: "department == %@", new) == [person])
        #expect(new.objectID.predicateReference != law.objectID.predicateReference)
    }

    @Test("A class that does not fit is an error", arguments: StoreFactory.kinds)
    func classes(_ factory: StoreFactory) throws {
        let context = try people(factory).makeContext()
        let wrong: [() throws -> Void] = [
            { _ = try context.fetch(FetchRequest(ManagedObject.self)) },
            { _ = try context.fetch(FetchRequest(Hooked.self)) },
            { _ = try context.fetch(FetchRequest<Watched>(entityName: "Department")) },
            { _ = try context.fetch("Person", where: "salary >") },
            { _ = try context.fetch("Person", where: "salary > %@") },
            { _ = try context.fetch("Person", sort: "name:up") },
            { _ = try context.fetch("Person", sort: "") },
            { _ = try context.fetch("Person", sort: "department") },
            { _ = try context.count("Person", where: "nmae == 1") },
        ]
        for (number, fetch) in wrong.enumerated() {
            let error = #expect(throws: GranaryError.self, "\(number)") { try fetch() }
            #expect(error?.code == .usage, "\(number)")
        }
        #expect(try context.fetch(FetchRequest<Watched>(entityName: "Person")).count == 4)
    }

    @Test("The store decides about registered objects without changes; unsaved changes decide here")
    func staleObjects() throws {
        let folder = try TemporaryFolder()
        let location = StoreLocation.sqlite(folder.url.appending(path: "Store.sqlite"))
        let (ours, theirs) = (
            try PersistentContainer(model: PeopleModel.model, store: location),
            try PersistentContainer(model: PeopleModel.model, store: location)
        )
        let context = ours.makeContext()
        let ann = try context.person("Ann", salary: 1)
        try context.save()
        try theirs.change(ann.objectID, "salary", to: 5)
        #expect(try context.fetch("Person", where: "salary == 5") == [ann])
        #expect(ann["salary"] == 1)
        #expect(try context.fetch("Person", where: "salary == 1").isEmpty)
        try ann.setValue(9, forKey: "salary")
        #expect(try context.fetch("Person", where: "salary == 9") == [ann])
        #expect(try context.fetch("Person", where: "salary == 5").isEmpty)
        withExtendedLifetime(folder) {}
    }

    @Test("The result type decides what is returned", arguments: StoreFactory.kinds)
    func resultTypes(_ factory: StoreFactory) throws {
        let context = try people(factory).makeContext()
        var request = FetchRequest("Person", where: try ObjectPredicate("salary > 1"))
        guard case .objects(let objects) = try context.execute(request) else { throw CancellationError() }
        request.resultType = .managedObjectIDs
        guard case .objectIDs(let ids) = try context.execute(request) else { throw CancellationError() }
        request.resultType = .count
        guard case .count(let count) = try context.execute(request) else { throw CancellationError() }
        request.resultType = .dictionaries
        guard case .dictionaries(let rows) = try context.execute(request) else { throw CancellationError() }
        #expect(objects.map(\.objectID) == ids && count == 2 && rows.map { $0["salary"] } == [2, 3])
    }

    @Test("An enumeration with a condition reads its objects in batches", arguments: StoreFactory.kinds)
    func enumeration(_ factory: StoreFactory) throws {
        let context = try people(factory).makeContext()
        var request = FetchRequest(Watched.self, where: try ObjectPredicate("salary > 0"))
        request.fetchBatchSize = 2
        request.relationshipKeyPathsForPrefetching = ["department"]
        var names = ""
        try context.enumerate(request) { names += try $0.string(forKey: "name") ?? "-" }
        #expect(names == "acd")
        request.sortDescriptors = [ObjectSortDescriptor("salary")]
        request.fetchOffset = 1
        names = ""
        try context.enumerate(request) { names += try $0.string(forKey: "name") ?? "-" }
        #expect(names == "ad")
        #expect(context.registeredObjects.isEmpty)
    }

    @Test("A compound without parts: AND is true, OR is false", arguments: StoreFactory.all)
    func emptyCompounds(_ factory: StoreFactory) throws {
        let container = try people(factory)
        let d = try ObjectPredicate("name == 'd'")
        let cases: [(ObjectPredicate, Int)] = [
            (.and([]), 4), (.or([]), 0), (.not(.and([])), 0), (.not(.or([])), 4), (.and([d, .or([])]), 0),
            (.or([d, .or([])]), 1), (.and([d, .and([])]), 1), (.or([d, .and([])]), 4),
        ]
        for isDirty in [false, true] {
            let context = container.makeContext()
            if isDirty { try context.first("Person", where: "name == 'a'")?.setValue("x", forKey: "note") }
            for (predicate, count) in cases {
                #expect(try context.fetch(FetchRequest("Person", where: predicate)).count == count, "\(predicate)")
                #expect(try context.count(for: FetchRequest("Person", where: predicate)) == count, "\(predicate)")
            }
        }
        #expect(ObjectPredicate.and([]).description == "TRUEPREDICATE")
        #expect(ObjectPredicate.or([]).description == "FALSEPREDICATE")
    }

    @Test("Integers in a list find the texts with these digits, in every kind of store", arguments: StoreFactory.all)
    func numberPlates(_ factory: StoreFactory) throws {
        let model = ManagedObjectModel(entities: [EntityDescription("Car", [.attribute("numberPlate", .string)])])
        let container = try PersistentContainer(model, factory)
        let writer = container.makeContext()
        for plate in 1...12 { try writer.insert(into: "Car").setValue(.string("\(plate)"), forKey: "numberPlate") }
        try writer.save()
        for isDirty in [false, true] {
            let context = container.makeContext()
            if isDirty { try context.insert(into: "Car") }
            #expect(try context.fetch("Car", where: "numberPlate IN {9, 10, 11}").count == 3)
            #expect(try context.fetch("Car", where: "numberPlate IN %@", [9, 10, 11]).count == 3)
            #expect(try context.fetch("Car", where: "NOT numberPlate IN[c] {9, 10, 11}").count == (isDirty ? 10 : 9))
        }
    }
}
