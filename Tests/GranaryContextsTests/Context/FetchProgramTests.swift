import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing

/// Random requests on stored and pending objects, against a plain list that is filtered, sorted and cut.
@Suite("Fetch requests, random programs") struct FetchProgramTests {
    struct Entry {
        let object: ManagedObject
        let name: String
        let salary: Int64?
        let title: String?

        init(_ object: ManagedObject) throws {
            self.object = object
            name = try object.string(forKey: "name") ?? ""
            salary = try object.integer(forKey: "salary")
            title = try object.object(forKey: "department")?.string(forKey: "title")
        }
    }

    struct Condition: Sendable {
        let predicate: ObjectPredicate?
        let holds: @Sendable (Entry) -> Bool
    }

    struct Order: Sendable {
        let descriptors: [ObjectSortDescriptor]
        let comesBefore: @Sendable (Entry, Entry) -> Bool
    }

    static let conditions: [Condition] = [
        Condition(predicate: nil) { _ in true },
        Condition(predicate: .compare(.keyPath("salary"), .greater, .constant(2))) {
            $0.salary.map { $0 > 2 } ?? false
        },
        Condition(predicate: .compare(.keyPath("salary"), .equal, .null)) { $0.salary == nil },
        Condition(predicate: .compare(.keyPath("department.title"), .equal, .constant("A"))) { $0.title == "A" },
        Condition(
            predicate: .or([
                .compare(.keyPath("name"), .beginsWith, .constant("b")),
                .between(.keyPath("salary"), lower: .constant(1), upper: .constant(2)),
            ])
        ) { $0.name.hasPrefix("b") || $0.salary == 1 || $0.salary == 2 },
    ]

    static let orders: [Order] = [
        Order(descriptors: []) { _, _ in false },
        Order(descriptors: [ObjectSortDescriptor("salary")]) { FetchProgramTests.isLess($0.salary, $1.salary) },
        Order(descriptors: [ObjectSortDescriptor("salary", ascending: false), ObjectSortDescriptor("name")]) {
            FetchProgramTests.isLess($1.salary, $0.salary) || ($0.salary == $1.salary && $0.name < $1.name)
        },
        Order(descriptors: [ObjectSortDescriptor("department.title", ascending: false)]) {
            FetchProgramTests.isLess($1.title, $0.title)
        },
    ]

    /// NULL comes first.
    static func isLess<Value: Comparable>(_ left: Value?, _ right: Value?) -> Bool {
        guard let right else { return false }
        return left.map { $0 < right } ?? true
    }

    @Test("DIS-3, DIS-10: every request gives what the list gives", arguments: StoreFactory.all, [1] as [UInt64])
    func programs(_ factory: StoreFactory, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let container = try PersistentContainer(PeopleModel.model, factory)
        let writer = container.makeContext()
        let departments = [try writer.department("A"), try writer.department("B")]
        for _ in 0..<15 { try insert(into: writer, departments, &random) }
        try writer.save()

        let context = container.makeContext()
        var objects = try context.fetchAll("Person")
        for _ in 0..<4 { try context.delete(objects.remove(at: Int.random(in: 0..<objects.count, using: &random))) }
        for object in objects.prefix(4) {
            try object.setValue(.integer(Int64.random(in: 0..<5, using: &random)), forKey: "salary")
        }
        let near = try context.objects(with: departments.map(\.objectID))
        for _ in 0..<5 { objects.append(try insert(into: context, near, &random)) }
        let entries = try objects.map { try Entry($0) }

        for _ in 0..<30 {
            let condition = Self.conditions[Int.random(in: 0..<Self.conditions.count, using: &random)]
            let order = Self.orders[Int.random(in: 0..<Self.orders.count, using: &random)]
            var request = FetchRequest("Person", where: condition.predicate)
            request.sortDescriptors = order.descriptors
            request.fetchOffset = Int.random(in: 0..<3, using: &random) * 3
            request.fetchLimit = Int.random(in: 0..<3, using: &random) * 4
            request.fetchBatchSize = Int.random(in: 0..<6, using: &random)
            request.returnsObjectsAsFaults = Bool.random(using: &random)
            var expected: [Entry] = []
            for entry in entries where condition.holds(entry) {
                let place = expected.firstIndex { order.comesBefore(entry, $0) } ?? expected.count
                expected.insert(entry, at: place)
            }
            expected.removeFirst(min(request.fetchOffset, expected.count))
            if request.fetchLimit > 0 { expected.removeLast(max(0, expected.count - request.fetchLimit)) }
            let wanted = expected.map(\.object)
            try #require(try context.fetch(request) == wanted, "\(request)")
            try #require(try context.fetchObjectIDs(request) == wanted.map(\.objectID), "\(request)")
            try #require(try context.count(for: request) == wanted.count, "\(request)")
        }
    }

    @discardableResult
    private func insert(
        into context: ManagedObjectContext, _ departments: [ManagedObject], _ random: inout SeededGenerator
    ) throws -> ManagedObject {
        let name = ["a", "b", "bb", "c"][Int.random(in: 0..<4, using: &random)]
        let salary = Int64.random(in: -1..<5, using: &random)
        let person = try context.person(name, salary: salary < 0 ? nil : salary)
        let place = Int.random(in: 0...departments.count, using: &random)
        if departments.indices.contains(place) { try person.setObject(departments[place], forKey: "department") }
        return person
    }
}

@Suite struct FetchProgramLongTests {
    @Test("Every request gives what the list gives", arguments: StoreFactory.every, [2, 3] as [UInt64])
    func programs(_ factory: StoreFactory, seed: UInt64) throws {
        try FetchProgramTests().programs(factory, seed: seed)
    }
}
