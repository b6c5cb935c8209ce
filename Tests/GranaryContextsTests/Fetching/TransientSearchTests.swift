import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// Transient properties in conditions: objects have them, stores do not.
@Suite("Searches by transient properties") struct TransientSearchTests {
    private static let model: ManagedObjectModel = {
        var model = ManagedObjectModel(entities: [
            EntityDescription(
                "Car",
                [
                    .attribute("name", .string), .attribute("speed", .integer32, .transient),
                    .attribute("place", .composite, .composite("Place"), .transient),
                    .toOne("owner", "Owner", inverse: "cars"),
                ]),
            EntityDescription("Owner", [.attribute("name", .string), .toMany("cars", "Car", inverse: "owner")]),
        ])
        model.composites = [
            CompositeDescription(
                name: "Place",
                elements: ["x", "y"].map { name in
                    var element = AttributeDescription(name: name, type: .integer32)
                    element.isTransient = true
                    return element
                })
        ]
        return model
    }()

    private func context(_ factory: StoreFactory) throws -> ManagedObjectContext {
        let container = try PersistentContainer(Self.model, factory)
        let writer = container.makeContext()
        let owner = try writer.insert(into: "Owner")
        try owner.setValue("Ann", forKey: "name")
        for name in ["a", "b", "c"] {
            let car = try writer.insert(into: "Car")
            try car.setValue(.string(name), forKey: "name")
            try car.setObject(owner, forKey: "owner")
        }
        try writer.save()
        return container.makeContext()
    }

    private static let conditions: [(entity: String, format: String, property: String)] = [
        ("Car", "speed == nil", "Car.speed"), ("Car", "NOT (name == 'a' AND speed > 3)", "Car.speed"),
        ("Car", "place.x == 3", "Car.place.x"), ("Owner", "ANY cars.speed == 1", "Car.speed"),
        ("Owner", "cars.@sum.speed > 0", "Car.speed"), ("Car", "ANY owner.cars.place.y == 1", "Car.place.y"),
        ("Owner", "SUBQUERY(cars, $c, $c.speed > 1 AND $c.name == 'a').@count > 0", "Car.speed"),
        ("Car", "name == 'a' AND speed + 1 > 2", "Car.speed"),
    ]

    @Test("Dictionaries, updates and deletions refuse them", arguments: StoreFactory.kinds)
    func refused(_ factory: StoreFactory) throws {
        let context = try context(factory)
        func check(_ property: String, _ label: String, _ body: () throws -> Void) {
            let error = #expect(throws: GranaryError.self, "\(label)") { try body() }
            #expect(error?.code == .usage, "\(label)")
            #expect(
                error?.message.contains("\(property) is transient, so it is not in the store") == true,
                "\(label): \(error?.message ?? "")")
        }
        for (entity, format, property) in Self.conditions {
            let predicate = try ObjectPredicate(format)
            check(property, format) { _ = try context.fetchDictionaries(FetchRequest(entity, where: predicate)) }
            check(property, format) {
                try context.execute(
                    BatchUpdateRequest(entity, where: predicate, propertiesToUpdate: ["name": .constant("x")]))
            }
            check(property, format) { try context.execute(BatchDeleteRequest(FetchRequest(entity, where: predicate))) }
        }
        var request = FetchRequest("Car")
        request.sortDescriptors = [ObjectSortDescriptor("speed")]
        check("Car.speed", "order") { _ = try context.fetchDictionaries(request) }
        check("Car.speed", "order") { try context.execute(BatchDeleteRequest(request)) }
        for format in ["speed + 1", "sum:(speed)"] {
            request = FetchRequest("Car")
            request.propertiesToFetch = [.expression(ExpressionDescription("e", try ObjectExpression(format: format)))]
            check("Car.speed", format) { _ = try context.fetchDictionaries(request) }
        }
        check("Car.speed", "new value") {
            try context.execute(
                BatchUpdateRequest("Car", propertiesToUpdate: ["name": try ObjectExpression(format: "speed")]))
        }
        #expect(try context.count("Car", where: "name != 'x'") == 3 && context.count("Owner") == 1)
    }

    @Test("A fetch of objects evaluates them in the context", arguments: StoreFactory.kinds)
    func objects(_ factory: StoreFactory) throws {
        let context = try context(factory)
        let cars = try context.fetch("Car", sort: "name")
        for (number, car) in cars.enumerated() {
            try car.setValue(.integer(Int64(number)), forKey: "speed")
            try car.setValue(.integer(Int64(10 - number)), forKey: "place.x")
        }
        try context.save()
        #expect(try context.fetch("Car", where: "speed == 1") == [cars[1]])
        #expect(try context.fetch("Car", where: "place.x == 9") == [cars[1]])
        #expect(try context.fetch("Car", where: "place.x < 10 AND name != 'b'") == [cars[2]])
        #expect(try context.fetch("Car", sort: "place.x") == cars.reversed())
    }
}
