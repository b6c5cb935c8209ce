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

/// Random changes in several contexts, against a copy that applies the reported changes, and a new fetch.
@Suite("Fetched results, random programs") struct ResultsProgramTests {
    @Test("Results are what a fetch gives", arguments: StoreFactory.kinds, [1, 2] as [UInt64])
    func programs(_ factory: StoreFactory, seed: UInt64) throws {
        try ResultsProgram(factory, seed: seed).run(steps: 120)
    }
}

@Suite struct ResultsProgramLongTests {
    @Test("Results are what a fetch gives", arguments: StoreFactory.every, Array(10..<14) as [UInt64])
    func programs(_ factory: StoreFactory, seed: UInt64) throws {
        try ResultsProgram(factory, seed: seed).run(steps: 400)
    }
}

private final class ResultsProgram {
    private var random: SeededGenerator
    private let container: PersistentContainer
    private let context: ManagedObjectContext
    private let child: ManagedObjectContext
    private let other: ManagedObjectContext
    private var twins: [ResultsTwin] = []

    init(_ factory: StoreFactory, seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        container = try PersistentContainer(PeopleModel.model, factory)
        context = container.makeContext()
        other = container.makeContext()
        child = context.makeChild()
        for context in [context, other, child] {
            context.automaticallyMergesChangesFromParent = true
            context.mergePolicy = .mergeByPropertyObjectTrump
        }
        context.undoManager = ObjectUndoManager()
        for title in ["A", "B"] { _ = try other.department(title) }
        for _ in 0..<15 { try insert(into: other) }
        try other.save()
        let name = ObjectSortDescriptor("name")
        let salary = ObjectSortDescriptor("salary", ascending: false)
        try follow(nil, [], nil)
        try follow("salary >= 2 AND name != 'b'", [salary], nil)
        try follow(nil, [name, salary], "name")
        try follow("salary < 3", [salary, name], "salary")
        try follow("department.title == 'A' OR salary == NULL", [ObjectSortDescriptor("department.title"), name], nil)
        try follow("department != NULL", [ObjectSortDescriptor("department.title")], "department.title")
        try follow(nil, [name], "name", limit: 5)
        try follow("ANY staff.salary > 2", [name], nil)
    }

    private func follow(
        _ predicate: String?, _ order: [ObjectSortDescriptor], _ sections: String?, limit: Int = 0
    ) throws {
        var request = FetchRequest("Person", where: try predicate.map { try ObjectPredicate(format: $0) })
        request.sortDescriptors = order
        request.fetchLimit = limit
        for context in [context, child] {
            twins.append(ResultsTwin(try context.results(of: request, sectionedBy: sections)))
        }
    }

    func run(steps: Int) throws {
        for step in 0..<steps {
            let place = Int.random(in: 0..<5, using: &random)
            let target = place < 3 ? context : place == 3 ? other : child
            let name = place < 3 ? "main" : place == 3 ? "other" : "child"
            var action: String
            do { action = try change(target) } catch let error as GranaryError {
                // Others have deleted an object that the context has changed, or its new owner.
                action = "failed: \(error.message)"
                target.rollback()
            }
            action += ", \(name)"
            guard Int.random(in: 0..<3, using: &random) > 0 else { continue }
            try context.processPendingChanges()
            try child.processPendingChanges()
            for (number, twin) in twins.enumerated() {
                // What the parent has changed without a save reaches a child only when it reads again.
                guard twin.results.managedObjectContext === context else { continue }
                try twin.check("step \(step) (\(action)), results \(number)")
            }
        }
    }

    @discardableResult
    private func insert(into context: ManagedObjectContext) throws -> ManagedObject {
        let person = try context.person(name())
        try person.setValue(salary(), forKey: "salary")
        try relate(person, in: context)
        return person
    }

    private func relate(_ person: ManagedObject, in context: ManagedObjectContext) throws {
        let departments = try context.fetchAll("Department")
        let department = Bool.random(using: &random) ? departments.randomElement(using: &random) : nil
        try person.setObject(department, forKey: "department")
        if Int.random(in: 0..<3, using: &random) == 0, let boss = try anyone(in: context), boss !== person {
            try person.setObject(boss, forKey: "boss")
        }
    }

    private func name() -> String { ["a", "b", "bb", "c", "d"].randomElement(using: &random) ?? "a" }

    private func salary() -> AttributeValue? {
        let value = Int64.random(in: -1..<5, using: &random)
        return value < 0 ? nil : .integer(value)
    }

    private func anyone(in context: ManagedObjectContext) throws -> ManagedObject? {
        try context.fetchAll("Person").randomElement(using: &random)
    }

    private func change(_ target: ManagedObjectContext) throws -> String {
        switch Int.random(in: 0..<17, using: &random) {
        case 0, 1, 2:
            try insert(into: target)
            return "insert"
        case 3, 4:
            try anyone(in: target)?.setValue(.string(name()), forKey: "name")
            return "name"
        case 5, 6:
            try anyone(in: target)?.setValue(salary(), forKey: "salary")
            return "salary"
        case 7:
            if let person = try anyone(in: target) { try relate(person, in: target) }
            return "relate"
        case 8:
            let department = try target.fetchAll("Department").randomElement(using: &random)
            try department?.setValue(.string(["A", "B", "C"].randomElement(using: &random) ?? "A"), forKey: "title")
            return "title"
        case 9:
            if let person = try anyone(in: target) { try target.delete(person) }
            return "delete"
        case 10:
            if let person = try anyone(in: target) {
                try target.refresh(person, mergeChanges: Bool.random(using: &random))
            }
            return "refresh"
        case 11:
            if Int.random(in: 0..<4, using: &random) == 0 { target.rollback() }
            return "rollback"
        case 12:
            try context.undo()
            return "undo"
        case 13:
            if let person = try anyone(in: context), person.isInserted {
                try context.obtainPermanentIDs(for: [person])
            }
            return "obtain"
        case 14:
            try twins.randomElement(using: &random)?.fetchAgain()
            return "fetch"
        default:
            try target.save()
            return "save"
        }
    }
}
