import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// What `FetchedResultsController` reports. People are sorted by number, then name; sections are by number.
@Suite("Fetched results, scenarios") struct ResultsScenarioTests {
    struct Bench {
        let container: PersistentContainer
        let context: ManagedObjectContext
        var people: [String: ManagedObject] = [:]

        /// Ann and Bob have the number 1, Cid 2, Dan 3.
        init() throws {
            container = try PersistentContainer(model: PeopleModel.model, store: .inMemory)
            context = container.makeContext()
            context.automaticallyMergesChangesFromParent = true
            for (name, number) in [("Ann", 1), ("Bob", 1), ("Cid", 2), ("Dan", 3)] as [(String, Int64)] {
                let person = try context.person(name, salary: 10)
                try person.setValue(.integer(number), forKey: "number")
                people[name] = person
            }
            try context.save()
        }

        func twin(
            _ predicate: String? = nil, sections: Bool = true, order: [String] = ["number", "name"]
        ) throws -> ResultsTwin {
            var request = FetchRequest("Person", where: try predicate.map { try ObjectPredicate(format: $0) })
            request.sortDescriptors = order.map { ObjectSortDescriptor($0) }
            return ResultsTwin(try context.results(of: request, sectionedBy: sections ? "number" : nil))
        }

        func person(_ name: String) throws -> ManagedObject { try #require(people[name]) }

        func set(_ name: String, _ key: String, _ value: AttributeValue) throws {
            try person(name).setValue(value, forKey: key)
        }

        func announce() throws { try context.processPendingChanges() }
    }

    struct Scenario: Sendable, CustomTestStringConvertible {
        let title: String
        var predicate: String?
        var sections = true
        var lines: [String]
        let body: @Sendable (Bench) throws -> Void

        init(
            _ title: String, where predicate: String? = nil, sections: Bool = true, _ lines: [String],
            _ body: @escaping @Sendable (Bench) throws -> Void
        ) {
            (self.title, self.predicate, self.sections, self.lines, self.body) = (
                title, predicate, sections, lines, body
            )
        }

        var testDescription: String { title }
    }

    static let scenarios: [Scenario] = [
        Scenario("an insertion", ["insert Abe [0, 0]"]) { bench in
            try bench.context.person("Abe").setValue(.integer(1), forKey: "number")
        },
        Scenario("an insertion in a new section", ["insert section 7 3", "insert Eve [3, 0]"]) { bench in
            _ = try bench.context.person("Eve")
        },
        Scenario("a deletion", ["delete Bob [0, 1]"]) { bench in try bench.context.delete(try bench.person("Bob")) },
        Scenario("the deletion of a section's last object", ["delete section 2 1", "delete Cid [1, 0]"]) { bench in
            try bench.context.delete(try bench.person("Cid"))
        },
        Scenario("a change of no sort key", ["update Bob [0, 1] to [0, 1]"]) { bench in
            try bench.set("Bob", "note", "new")
        },
        Scenario("a sort key that keeps the place", ["update Boris [0, 1] to [0, 1]"]) { bench in
            try bench.set("Bob", "name", "Boris")
        },
        Scenario("a sort key that changes the place", ["move Aaron [0, 1] to [0, 0]"]) { bench in
            try bench.set("Bob", "name", "Aaron")
        },
        Scenario("a change of the section", ["move Bob [0, 1] to [1, 0]"]) { bench in
            try bench.set("Bob", "number", 2)
        },
        Scenario("a change to a new section", ["insert section 5 3", "move Bob [0, 1] to [3, 0]"]) { bench in
            try bench.set("Bob", "number", 5)
        },
        Scenario("the only object goes to another section", ["delete section 3 2", "move Dan [2, 0] to [0, 2]"]) {
            bench in try bench.set("Dan", "number", 1)
        },
        Scenario(
            "the only object takes its section along",
            ["delete section 3 2", "insert section 4 2", "move Dan [2, 0] to [2, 0]"]
        ) { bench in try bench.set("Dan", "number", 4) },
        Scenario("a section gets other objects", ["delete Cid [1, 0]", "insert Cy [1, 0]"]) { bench in
            try bench.context.delete(try bench.person("Cid"))
            try bench.context.person("Cy").setValue(.integer(2), forKey: "number")
        },
        Scenario("an object begins to match", where: "salary > 10", ["insert section 2 0", "insert Cid [0, 0]"]) {
            bench in
            try bench.set("Cid", "salary", 11)
        },
        Scenario("an object stops matching", where: "salary == 10", ["delete Ann [0, 0]"]) { bench in
            try bench.set("Ann", "salary", 11)
        },
        Scenario(
            "old places are before, new ones after all changes", sections: false,
            ["delete Ann [0, 0]", "insert Ed [0, 2]", "update Bob [0, 1] to [0, 0]"]
        ) { bench in
            try bench.context.delete(try bench.person("Ann"))
            try bench.context.person("Ed").setValue(.integer(2), forKey: "number")
            try bench.set("Bob", "note", "new")
        },
        Scenario("an object that is inserted and deleted", []) { bench in
            try bench.context.delete(try bench.context.person("Eve"))
        },
        Scenario("the save of another context", ["delete Ann [0, 0]", "update Bob [0, 1] to [0, 0]"]) { bench in
            try bench.container.delete(try bench.person("Ann").objectID)
            try bench.container.change(try bench.person("Bob").objectID, "note", to: "new")
        },
        Scenario("a rollback", []) { bench in
            try bench.set("Ann", "number", 9)
            bench.context.rollback()
        },
    ]

    @Test("A change is reported once", arguments: scenarios) func reports(_ scenario: Scenario) throws {
        let bench = try Bench()
        let twin = try bench.twin(scenario.predicate, sections: scenario.sections)
        try scenario.body(bench)
        try bench.announce()
        let lines = twin.takeLines()
        // Discarded changes are reported as updates of objects that are as before.
        if scenario.title == "a rollback" {
            #expect(lines == [["update Ann [0, 0] to [0, 0]"]])
        } else {
            #expect(lines == (scenario.lines.isEmpty ? [] : [scenario.lines]))
        }
        try twin.check()
    }

    @Test("Undo and rollback of announced changes are followed") func undo() throws {
        let bench = try Bench()
        let manager = ObjectUndoManager()
        bench.context.undoManager = manager
        let twin = try bench.twin()
        try bench.context.delete(try bench.person("Cid"))
        try bench.announce()
        _ = twin.takeLines()
        try bench.context.undo()
        try bench.announce()
        #expect(twin.takeLines() == [["insert section 2 1", "insert Cid [1, 0]"]])
        try twin.check()
        try bench.set("Ann", "number", 9)
        try bench.announce()
        bench.context.rollback()
        try bench.announce()
        #expect(twin.takeLines().last == ["delete section 9 3", "move Ann [3, 0] to [0, 0]"])
        try twin.check()
    }

    @Test("Objects that another context changed are found, also if this context never read them")
    func unregistered() throws {
        let bench = try Bench()
        let twin = try bench.twin("salary > 10")
        let other = bench.container.makeContext()
        let id = try other.person("Zoe", salary: 5)
        try other.save()
        try bench.announce()
        #expect(twin.takeLines() == [])
        try bench.container.change(id.objectID, "salary", to: 20)
        try bench.announce()
        #expect(twin.takeLines() == [["insert section 7 0", "insert Zoe [0, 0]"]])
        try bench.container.change(id.objectID, "salary", to: 30)
        try bench.announce()
        try bench.container.delete(id.objectID)
        try bench.announce()
        #expect(twin.takeLines().map(\.count) == [1, 2])
        try twin.check()
    }

    @Test("A fetch between two announcements finds objects, and their deletion is followed", arguments: [true, false])
    func fetchedBetween(isMerged: Bool) throws {
        let bench = try Bench()
        let twin = try bench.twin()
        let eve: ManagedObject
        if isMerged {
            let other = bench.container.makeContext()
            let stored = try other.person("Eve")
            try other.save()
            try twin.fetchAgain()
            eve = try #require(twin.results.fetchedObjects.last)
            #expect(try eve.string(forKey: "name") == "Eve")
            try other.delete(stored)
            try other.save()
        } else {
            eve = try bench.context.person("Eve")
            try twin.fetchAgain()
            try bench.context.delete(eve)
        }
        #expect(twin.results.fetchedObjects.contains(eve))
        try bench.announce()
        try twin.check()
        #expect(!twin.results.fetchedObjects.contains(eve))
    }

    @Test("An object that was read after its insertion is read again if joined saves list it as inserted")
    func readAfterInsertion() throws {
        let bench = try Bench()
        bench.context.automaticallyMergesChangesFromParent = false
        let twin = try bench.twin("salary < 5", sections: false)
        let other = bench.container.makeContext()
        let eve = try other.person("Eve", salary: 1)
        try other.save()
        let read = try bench.context.existingObject(with: eve.objectID)
        try twin.fetchAgain()
        #expect(twin.results.fetchedObjects == [read])
        try eve.setValue(7, forKey: "salary")
        try other.save()
        try bench.context.mergeChanges(from: SaveChanges(inserted: [eve.objectID]))
        try bench.announce()
        #expect(try read.integer(forKey: "salary") == 7)
        #expect(twin.results.fetchedObjects.isEmpty)
    }

    @Test("A save is not reported, and gives new objects their places among equal ones") func saves() throws {
        let bench = try Bench()
        let twin = try bench.twin(sections: false, order: ["number"])
        let eve = try bench.context.person("Eve")
        try bench.context.obtainPermanentIDs(for: [eve])
        try bench.announce()
        let other = bench.container.makeContext()
        _ = try other.person("Fay")
        try other.save()
        try bench.announce()
        #expect(twin.takeLines() == [["insert Eve [0, 4]"], ["insert Fay [0, 4]"]])
        try twin.check()
        try bench.context.save()
        try twin.check("after the save")
        #expect(twin.takeLines().count == 1)
        _ = try bench.context.person("Gus")
        try bench.context.save()
        #expect(twin.takeLines() == [["insert Gus [0, 6]"]])
    }

    @Test("Related objects are followed: in the predicate, the order and the sections")
    func related() throws {
        let bench = try Bench()
        let (first, second) = (try bench.context.department("A"), try bench.context.department("B"))
        for (name, department) in [("Ann", first), ("Bob", second), ("Cid", second)] {
            try bench.person(name).setObject(department, forKey: "department")
        }
        try bench.context.save()
        var request = FetchRequest("Person", where: try ObjectPredicate("department.title < %@", "M"))
        request.sortDescriptors = [ObjectSortDescriptor("department.title"), ObjectSortDescriptor("name")]
        let twin = ResultsTwin(try bench.context.results(of: request, sectionedBy: "department.title"))
        try second.setValue("0", forKey: "title")
        try bench.announce()
        #expect(
            twin.takeLines() == [
                [
                    "delete section B 1", "insert section 0 0", "move Bob [1, 0] to [0, 0]",
                    "move Cid [1, 1] to [0, 1]",
                ]
            ])
        try twin.check()
        try bench.context.save()
        try bench.container.change(second.objectID, "title", to: "Z")
        try bench.announce()
        #expect(twin.takeLines() == [["delete section 0 0", "delete Bob [0, 0]", "delete Cid [0, 1]"]])
        try twin.check()
    }

    @Test("A limit and an offset are kept") func window() throws {
        let bench = try Bench()
        var request = FetchRequest("Person")
        request.sortDescriptors = [ObjectSortDescriptor("name")]
        request.fetchLimit = 2
        request.fetchOffset = 1
        let twin = ResultsTwin(try bench.context.results(of: request))
        try bench.context.delete(try bench.person("Ann"))
        try bench.announce()
        #expect(twin.takeLines() == [["delete Bob [0, 0]", "insert Dan [0, 1]"]])
        try twin.check()
    }

    @Test("After a reset the results have new objects") func reset() throws {
        let bench = try Bench()
        let twin = try bench.twin()
        bench.context.reset()
        #expect(twin.takeLines().map(\.count) == [8])
        try twin.check()
        #expect(twin.results.fetchedObjects.count == 4)
    }

    @Test("Sections have titles and an index") func titles() throws {
        let bench = try Bench()
        var request = FetchRequest("Person")
        request.sortDescriptors = [ObjectSortDescriptor("name")]
        _ = try bench.context.person("Abe")
        let results = try bench.context.results(of: request, sectionedBy: "name")
        #expect(results.sections.map(\.name) == ["Abe", "Ann", "Bob", "Cid", "Dan"])
        #expect(results.sectionIndexTitles == ["A", "B", "C", "D"])
        #expect(results.section(forSectionIndexTitle: "C") == 3)
        #expect(results.section(forSectionIndexTitle: "X") == nil)
        results.sectionIndexTitle = { $0 == "Bob" ? nil : $0 }
        #expect(results.sectionIndexTitles == ["Abe", "Ann", "Cid", "Dan"])
        #expect(results.object(at: ResultsIndexPath(section: 9, item: 0)) == nil)
        #expect(results.numberOfSections == 5)
    }

    @Test("Sections in pieces are refused, first and later") func scattered() throws {
        let bench = try Bench()
        var request = FetchRequest("Person")
        request.sortDescriptors = [ObjectSortDescriptor("name")]
        let results = try bench.context.results(of: request, sectionedBy: "number")
        let twin = ResultsTwin(results)
        // Bob gets the section of Dan, with Cid between them.
        try bench.set("Bob", "number", 3)
        try bench.announce()
        let error = try #require(results.error as? GranaryError)
        #expect(error.code == .usage && error.message.contains("sort the results by the section key path"))
        #expect(results.sections.map(\.name) == ["1", "2", "3"])
        #expect(twin.takeLines() == [[]])
        #expect(throws: GranaryError.self) { try bench.context.results(of: request, sectionedBy: "number") }
        #expect(throws: GranaryError.self) { try results.performFetch() }
        try bench.set("Cid", "number", 3)
        try bench.announce()
        #expect(results.error == nil)
        #expect(results.sections.map(\.name) == ["1", "3"])
        try twin.check()
    }

    @Test("Requests that cannot be followed are refused") func refused() throws {
        let bench = try Bench()
        var counting = FetchRequest("Person")
        counting.resultType = .count
        #expect(throws: GranaryError.self) { try bench.context.results(of: counting) }
        #expect(throws: GranaryError.self) {
            try bench.context.results(of: FetchRequest("Person"), sectionedBy: "name")
        }
        var request = FetchRequest("Person")
        request.sortDescriptors = [ObjectSortDescriptor("name")]
        for path in ["staff", "department", "nothing"] {
            #expect(throws: GranaryError.self, "\(path)") {
                try bench.context.results(of: request, sectionedBy: path)
            }
        }
    }

    @Test("A new request takes effect with the next fetch; released results are not told any more") func requests()
        throws
    {
        let bench = try Bench()
        var twin: ResultsTwin? = try bench.twin(sections: false)
        twin?.results.fetchRequest.predicate = try ObjectPredicate("name == %@", "Ann")
        try twin?.results.performFetch()
        #expect(twin?.results.fetchedObjects == [try bench.person("Ann")])
        weak let results = twin?.results
        twin = nil
        #expect(results == nil)
        try bench.set("Ann", "note", "new")
        try bench.announce()
    }
}
