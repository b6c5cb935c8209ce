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

/// Which values a batch request writes: those of expressions, unique values, transient and derived ones.
@Suite("Values of batch requests") struct BatchValueTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Car",
            [
                .attribute("plate", .string, .required), .attribute("price", .integer32),
                .attribute("cost", .integer32), .attribute("speed", .integer32, .transient),
                .attribute("label", .string, .required, .derived("uppercase:(plate)")),
            ], unique: [["plate"]])
    ])

    private func cars(_ factory: StoreFactory, count: Int) throws -> PersistentContainer {
        let container = try PersistentContainer(Self.model, factory)
        let request = BatchInsertRequest("Car", state: 0) { number, attributes in
            attributes = ["plate": .string("\(number)"), "price": .integer(Int64(number)), "cost": 1]
            number += 1
            return number > count
        }
        #expect(try container.makeContext().execute(request).count == count)
        return container
    }

    @Test("A search with random() runs once", arguments: StoreFactory.kinds)
    func randomSearch(_ factory: StoreFactory) throws {
        let context = try cars(factory, count: 1200).makeContext()
        let half = ObjectPredicate.compare(.function("random", []), .less, .constant(.double(0.5)))
        for _ in 0..<3 {
            let before = try context.count("Car", where: "price >= 10000")
            let request = BatchUpdateRequest(
                "Car", where: .and([half, try ObjectPredicate("price < 10000")]),
                propertiesToUpdate: ["price": try ObjectExpression(format: "price + 10000")])
            let count = try context.execute(request).count
            #expect(try context.count("Car", where: "price >= 10000") == before + count)
        }
        // Every car kept its own number.
        #expect(try context.count("Car", where: "price >= 20000") == 0)
        for car in try context.fetchAll("Car") {
            let price = try #require(try car.integer(forKey: "price"))
            #expect(car["plate"] == .string("\(price % 10_000)"))
        }
    }

    @Test("Expressions see the row as it was", arguments: StoreFactory.kinds)
    func oldValues(_ factory: StoreFactory) throws {
        let context = try cars(factory, count: 3).makeContext()
        _ = try context.execute(
            BatchUpdateRequest(
                "Car", propertiesToUpdate: ["price": .keyPath("cost"), "cost": .keyPath("price")]))
        #expect(try context.fetchAll("Car").map { $0["cost"] } == [0, 1, 2])
        #expect(try context.count("Car", where: "price == 1") == 3)
        // Another column reads the unique one that moves.
        _ = try context.execute(
            BatchUpdateRequest(
                "Car", where: try ObjectPredicate("plate IN {'1', '2'}"),
                propertiesToUpdate: [
                    "plate": try ObjectExpression(format: "TERNARY(plate == '1', '2', '1')"),
                    "price": try ObjectExpression(format: "TERNARY(plate == '1', 11, 22)"),
                ]))
        context.reset()
        let cars = try context.fetch("Car", sort: "price")
        #expect(cars.map { $0["plate"] } == ["0", "2", "1"])
        #expect(cars.map { $0["price"] } == [1, 11, 22])
    }

    @Test("Expressions see other objects of the hierarchy as they were", arguments: StoreFactory.kinds)
    func otherObjects(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(PeopleModel.model, factory)
        let context = container.makeContext()
        var boss: ManagedObject?
        for number in 0..<1200 {
            let person = try context.person("\(number)", salary: Int64(number))
            if let boss { try person.setObject(boss, forKey: "boss") }
            boss = person
        }
        try context.save()
        let request = BatchUpdateRequest(
            "Person", where: try ObjectPredicate("boss != nil"),
            propertiesToUpdate: ["salary": .keyPath("boss.salary")])
        #expect(try context.execute(request).count == 1199)
        let people = try container.makeContext().fetchAll("Person")
        #expect(people.count == 1200)
        for (number, person) in people.enumerated() {
            #expect(person["name"] == .string("\(number)") && person["salary"] == .integer(Int64(max(0, number - 1))))
        }
    }

    @Test("Duplicates are found across the batches that are written", arguments: StoreFactory.kinds)
    func distantDuplicates(_ factory: StoreFactory) throws {
        let container = try cars(factory, count: 3)
        let context = container.makeContext()
        for (plate, text) in [("n0", "another object of the batch has it"), ("2", "has the same")] {
            let request = BatchInsertRequest("Car", state: 0) { number, attributes in
                attributes["plate"] = .string(number == 1300 ? plate : "n\(number)")
                number += 1
                return number > 1400
            }
            let error = #expect(throws: GranaryError.self) { try context.execute(request) }
            #expect(error?.diagnostics.map(\.coreDataCode) == [1551])
            #expect(error?.diagnostics.first?.message.contains(text) == true, "\(text)")
            #expect(try context.count("Car") == 3)
        }
        // A free value is taken by the first of 1,200 objects only.
        let large = try cars(factory, count: 1200).makeContext()
        let error = #expect(throws: GranaryError.self) {
            try large.execute(BatchUpdateRequest("Car", propertiesToUpdate: ["plate": .constant("same")]))
        }
        #expect(error?.diagnostics.first?.coreDataCode == 1551)
        #expect(try large.count("Car", where: "plate == 'same'") == 0)
    }

    @Test("Transient and derived values cannot be inserted; a required derived one is no obstacle")
    func storeValues() throws {
        let context = try cars(.inMemory, count: 2).makeContext()
        for name in ["speed", "label"] {
            let error = #expect(throws: GranaryError.self) {
                try context.execute(BatchInsertRequest("Car", objects: [["plate": "x", name: nil]]))
            }
            #expect(error?.code == .usage && error?.message.contains("Car.\(name) is transient or derived") == true)
        }
        #expect(try context.count("Car") == 2)
    }

    @Test("A read-only store is refused with the way out")
    func readOnlyStore() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "Store.sqlite")
        _ = try PersistentContainer(model: PeopleModel.model, store: .sqlite(url))
        let container = try PersistentContainer(name: "Two", model: PeopleModel.model, descriptions: [])
        var frozen = PersistentStoreDescription(.sqlite(url))
        frozen.isReadOnly = true
        container.persistentStoreDescriptions = [PersistentStoreDescription(.inMemory), frozen]
        try container.loadPersistentStores()
        let context = container.makeContext()
        var request = BatchUpdateRequest("Person", propertiesToUpdate: ["note": .constant("x")])
        let error = #expect(throws: GranaryError.self) { try context.execute(request) }
        #expect(error?.code == .usage && error?.message.contains("affectedStores") == true)
        request.affectedStores = container.persistentStoreCoordinator.persistentStores.filter { !$0.isReadOnly }
            .map(\.identifier)
        #expect(try context.execute(request).count == 0)
        withExtendedLifetime(folder) {}
    }
}
