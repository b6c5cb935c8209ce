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

/// The AGG scenarios of coredata/behaviours.md, under their numbers.
@Suite("Dictionaries") struct DictionaryFetchTests {
    /// Law: c 1, d 3. Sales: a 2. None: b NULL.
    private func context(_ factory: StoreFactory) throws -> ManagedObjectContext {
        let container = try PersistentContainer(PeopleModel.model, factory)
        let writer = container.makeContext()
        let (sales, law) = (try writer.department("Sales"), try writer.department("Law"))
        for (name, salary, department) in [("a", 2, sales), ("b", nil, nil), ("c", 1, law), ("d", 3, law)]
            as [(String, Int64?, ManagedObject?)]
        {
            try writer.person(name, salary: salary).setObject(department, forKey: "department")
        }
        try writer.save()
        return container.makeContext()
    }

    private func column(
        _ name: String, _ format: String, _ type: AttributeType? = nil
    ) throws -> FetchColumn {
        .expression(ExpressionDescription(name, try ObjectExpression(format: format), resultType: type))
    }

    @Test("AGG-01: without columns every stored attribute, no relationship", arguments: StoreFactory.all)
    func defaultColumns(_ factory: StoreFactory) throws {
        let context = try context(factory)
        // FET-05: unsaved changes are ignored.
        _ = try context.person("new")
        let rows = try context.fetchDictionaries(FetchRequest("Person"))
        #expect(rows.map { $0["name"] } == ["a", "b", "c", "d"])
        #expect(Set(rows[0].dictionary.keys) == ["name", "number", "salary"])
        #expect(Set(rows[1].dictionary.keys) == ["name", "number"])
        #expect(Set(rows[1].names) == ["name", "number", "salary", "note"])
    }

    @Test("AGG-07: a to-one gives the ID of its object, a to-many is refused", arguments: StoreFactory.all)
    func relationships(_ factory: StoreFactory) throws {
        let context = try context(factory)
        let law = try #require(try context.first("Department", where: "title == 'Law'"))
        var request = FetchRequest("Person", where: try ObjectPredicate("name IN {'b', 'd'}"))
        request.propertiesToFetch = ["name", "department", "department.title"]
        let rows = try context.fetchDictionaries(request)
        #expect(rows.map { $0.objectID("department") } == [nil, law.objectID])
        #expect(rows.map { $0["department.title"] } == [nil, "Law"])
        for path in ["pets", "department.employees", "pets.name", "mood", "nmae", "department.nmae"] {
            request.propertiesToFetch = [.property(path)]
            let error = #expect(throws: GranaryError.self, "\(path)") { try context.fetchDictionaries(request) }
            #expect(error?.code == .usage, "\(path)")
        }
    }

    @Test("AGG-03: aggregates of all rows give one row", arguments: StoreFactory.all)
    func aggregates(_ factory: StoreFactory) throws {
        let context = try context(factory)
        var request = FetchRequest("Person")
        request.propertiesToFetch = [
            try column("sum", "sum:(salary)"), try column("average", "average:(salary)"),
            try column("least", "min:(salary)"), try column("most", "max:(name)"),
            try column("values", "count:(salary)"), try column("rows", "@count"),
            try column("more", "sum:(salary) + 1"), try column("decimal", "sum:(salary)", .decimal),
        ]
        let rows = try context.fetchDictionaries(request)
        #expect(
            rows.map(\.dictionary) == [
                [
                    "sum": .attribute(6), "average": .attribute(2.0), "least": .attribute(1), "most": .attribute("d"),
                    "values": .attribute(3), "rows": .attribute(4), "more": .attribute(7),
                    "decimal": .attribute(.decimal(6)),
                ]
            ])
        request.predicate = .constant(false)
        let none = try context.fetchDictionaries(request)
        #expect(none.map { $0["rows"] } == [0] && none.map { $0["sum"] } == [0] && none.map { $0["most"] } == [nil])
    }

    @Test("Groups, their conditions, order and window", arguments: StoreFactory.all)
    func groups(_ factory: StoreFactory) throws {
        let context = try context(factory)
        var request = FetchRequest("Person")
        request.propertiesToGroupBy = ["department.title"]
        request.propertiesToFetch = [
            "department.title", try column("total", "sum:(salary)"), try column("n", "@count"),
        ]
        func titles() throws -> [AttributeValue?] {
            try context.fetchDictionaries(request).map { $0["department.title"] }
        }
        #expect(try titles() == ["Sales", nil, "Law"])
        request.sortDescriptors = [ObjectSortDescriptor("total", ascending: false)]
        #expect(try titles() == ["Law", "Sales", nil])
        request.fetchOffset = 1
        request.fetchLimit = 1
        #expect(try titles() == ["Sales"])
        (request.fetchOffset, request.fetchLimit) = (0, 0)
        request.havingPredicate = try ObjectPredicate("$n > 1 OR $total == 2")
        #expect(try titles() == ["Law", "Sales"])
        request.havingPredicate = try ObjectPredicate("department.title BEGINSWITH 'S'")
        #expect(try titles() == ["Sales"])
        // AGG-05, DIS-1
        for format in ["n > 1", "count:(name) > 1", "$m > 1", "name == 'a'"] {
            request.havingPredicate = try ObjectPredicate(format)
            let error = #expect(throws: GranaryError.self, "\(format)") { try context.fetchDictionaries(request) }
            #expect(error?.code == .usage, "\(format)")
        }
        request.havingPredicate = nil
        let refused: [(inout FetchRequest<ManagedObject>) throws -> Void] = [
            { $0.propertiesToFetch.append("name") },
            { $0.propertiesToFetch.append("department.title") },
            { $0.propertiesToFetch.append(try column("x", "sum:(name)")) },
            { $0.propertiesToFetch.append(try column("x", "sum:(sum:(salary))")) },
            { $0.sortDescriptors = [ObjectSortDescriptor("name")] },
            { $0.propertiesToGroupBy = ["total"] },
            { $0.propertiesToGroupBy = ["pets"] },
        ]
        for (number, change) in refused.enumerated() {
            var wrong = request
            try change(&wrong)
            let error = #expect(throws: GranaryError.self, "\(number)") { try context.fetchDictionaries(wrong) }
            #expect(error?.code == .usage, "\(number)")
        }
    }

    @Test("Equal rows are returned once if the request wants it", arguments: StoreFactory.all)
    func distinct(_ factory: StoreFactory) throws {
        let context = try context(factory)
        var request = FetchRequest("Person")
        request.propertiesToFetch = ["department.title"]
        request.sortDescriptors = [ObjectSortDescriptor("department.title")]
        func titles() throws -> [AttributeValue?] {
            try context.fetchDictionaries(request).map { $0["department.title"] }
        }
        #expect(try titles() == [nil, "Law", "Law", "Sales"])
        request.returnsDistinctResults = true
        #expect(try titles() == [nil, "Law", "Sales"])
        request.fetchOffset = 1
        request.fetchLimit = 1
        #expect(try titles() == ["Law"])
    }

    @Test("Several stores give one table")
    func severalStores() throws {
        let container = try PersistentContainer(name: "Two", model: PeopleModel.model, descriptions: [])
        container.persistentStoreDescriptions = [
            PersistentStoreDescription(.inMemory), PersistentStoreDescription(.inMemory),
        ]
        try container.loadPersistentStores()
        let stores = container.persistentStoreCoordinator.persistentStores
        let context = container.makeContext()
        for (place, salary) in [(0, 4), (1, 1), (0, 2), (1, 3)] as [(Int, Int64)] {
            try context.assign(try context.person("\(salary)", salary: salary), to: stores[place])
        }
        try context.save()
        var request = FetchRequest("Person")
        request.propertiesToFetch = ["salary"]
        request.sortDescriptors = [ObjectSortDescriptor("salary")]
        request.fetchOffset = 1
        request.fetchLimit = 2
        #expect(try context.fetchDictionaries(request).map { $0["salary"] } == [2, 3])
        #expect(try context.fetch(request).map { $0["salary"] } == [2, 3])
        #expect(try context.fetchObjectIDs(request) == context.fetch(request).map(\.objectID))
        request = FetchRequest("Person")
        request.propertiesToFetch = [try column("sum", "sum:(salary)")]
        #expect(try context.fetchDictionaries(request).map { $0["sum"] } == [10])
    }
}
