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

/// The BAT scenarios of docs/core-data/behaviours.md#bat-batch-requests, under their numbers.
@Suite("Batch requests") struct BatchRequestTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Car",
            [
                .attribute("plate", .string, .required), .attribute("maker", .string, .defaultValue("FIAT")),
                .attribute("price", .integer32, .minimum(0)), .toOne("owner", "Owner", inverse: "cars"),
                .toMany("parts", "Part", inverse: "car", .deleteRule(.cascade)),
            ], unique: [["plate"]]),
        EntityDescription(
            "Owner",
            [.attribute("name", .string), .toMany("cars", "Car", inverse: "owner", .deleteRule(.nullify))]),
        EntityDescription("Part", [.attribute("name", .string), .toOne("car", "Car", inverse: "parts", .required)]),
    ])

    private func cars(_ factory: StoreFactory) throws -> PersistentContainer {
        let container = try PersistentContainer(Self.model, factory)
        let objects: [[String: AttributeValue?]] = (0..<6).map { number in
            ["plate": .string("\(number)"), "price": .integer(Int64(number)), "maker": number < 4 ? "FIAT" : nil]
        }
        let result = try container.makeContext().execute(BatchInsertRequest("Car", objects: objects))
        #expect(result.status && result.count == 6 && result.objectIDs.isEmpty)
        return container
    }

    @Test("BAT-01: inserting gives a status, a count or IDs", arguments: StoreFactory.all)
    func insertion(_ factory: StoreFactory) throws {
        let container = try cars(factory)
        let context = container.makeContext()
        var request = BatchInsertRequest("Car", state: 0) { number, attributes in
            number += 1
            attributes["plate"] = .string("n\(number)")
            return number > 700
        }
        request.resultType = .objectIDs
        let result = try context.execute(request)
        #expect(result.count == 700 && result.objectIDs.count == 700)
        #expect(result.changes.inserted == Set(result.objectIDs))
        #expect(try context.count("Car") == 706)
        let first = try context.existingObject(with: result.objectIDs[0])
        #expect(first["plate"] == "n1" && first["maker"] == "FIAT" && first["price"] == nil)
        #expect(try context.count("Car", where: "maker == nil") == 2)
        // The objects can be saved like any others.
        try first.setValue(7, forKey: "price")
        try context.save()
        #expect(try container.stored(first.objectID, "price") == 7)
        // A request can run again.
        let again = BatchInsertRequest("Owner", objects: [["name": "Ann"]])
        _ = try context.execute(again)
        _ = try context.execute(again)
        #expect(try context.count("Owner") == 2)
    }

    @Test("BAT-03: unknown keys, missing and duplicate values are refused as a whole", arguments: StoreFactory.all)
    func refusedInsertion(_ factory: StoreFactory) throws {
        let context = try cars(factory).makeContext()
        let cases: [(String, [[String: AttributeValue?]], GranaryError.Code, [Int?])] = [
            ("Car", [["plate": "x"], ["plaet": "y"]], .usage, []),
            ("Car", [["plate": "x", "owner": "y"]], .usage, []),
            ("Car", [["plate": "x"], ["price": 1]], .refused, [1570]),
            ("Car", [["plate": "x"], ["plate": nil]], .refused, [1570]),
            ("Car", [["plate": "x"], ["plate": "x"]], .refused, [1551]),
            ("Car", [["plate": "x"], ["plate": "3"]], .refused, [1551]),
            ("Car", [["plate": "x", "price": -1], ["plate": 1]], .refused, [1620, nil]),
            ("Car", [["plate": "x", "price": 5_000_000_000]], .refused, [nil]),
            ("Part", [["name": "wheel"]], .refused, [1580]),
        ]
        for (number, (entity, objects, code, codes)) in cases.enumerated() {
            let error = #expect(throws: GranaryError.self, "\(number)") {
                try context.execute(BatchInsertRequest(entity, objects: objects))
            }
            #expect(error?.code == code, "\(number)")
            if number != 8 { #expect(error?.diagnostics.map(\.coreDataCode) == codes, "\(number)") }
            #expect(try context.count("Car") == 6 && context.count("Part") == 0, "\(number)")
        }
    }

    @Test("BAT-05: an update sets values and expressions", arguments: StoreFactory.all)
    func update(_ factory: StoreFactory) throws {
        let container = try cars(factory)
        let context = container.makeContext()
        let held = try context.fetch("Car", where: "maker == 'FIAT'", sort: "plate")
        #expect(held.map { $0["maker"] } == ["FIAT", "FIAT", "FIAT", "FIAT"])
        var request = BatchUpdateRequest(
            "Car", where: try ObjectPredicate("maker == 'FIAT'"),
            propertiesToUpdate: ["maker": .constant("FCA"), "price": try ObjectExpression(format: "price * 2 + 1")])
        request.resultType = .objectIDs
        let result = try context.execute(request)
        #expect(result.count == 4 && Set(result.objectIDs) == Set(held.map(\.objectID)))
        #expect(held.first?["maker"] == "FIAT")
        try ManagedObjectContext.mergeChanges(from: result.changes, into: [context])
        #expect(held.map { $0["maker"] } == ["FCA", "FCA", "FCA", "FCA"])
        #expect(held.map { $0["price"] } == [1, 3, 5, 7])
        #expect(try context.count("Car", where: "maker == 'FIAT'") == 0)
        // Unique values can move between objects.
        _ = try context.execute(
            BatchUpdateRequest(
                "Car", where: try ObjectPredicate("plate IN {'0', '1'}"),
                propertiesToUpdate: ["plate": try ObjectExpression(format: "TERNARY(plate == '0', '1', '0')")]))
        #expect(try context.count("Car", where: "plate == '0'") == 1)
        let refused: [(String, ObjectExpression, GranaryError.Code)] = [
            ("plate", .constant("same"), .refused), ("plate", .null, .refused), ("price", .constant(-1), .refused),
            ("price", .constant("x"), .refused), ("owner", .null, .usage), ("plaet", .null, .usage),
            ("price", .keyPath("prise"), .usage),
        ]
        for (name, value, code) in refused {
            let error = #expect(throws: GranaryError.self, "\(name)") {
                try context.execute(BatchUpdateRequest("Car", propertiesToUpdate: [name: value]))
            }
            #expect(error?.code == code, "\(name) \(value)")
        }
        #expect(try context.count("Car", where: "plate == 'same'") == 0)
    }

    @Test("BAT-01: a deletion follows the delete rules", arguments: StoreFactory.all)
    func deletion(_ factory: StoreFactory) throws {
        let container = try cars(factory)
        let context = container.makeContext()
        let owner = try context.insert(into: "Owner")
        for car in try context.fetch("Car", where: "price < 3") { try car.setObject(owner, forKey: "owner") }
        let wheel = try context.insert(into: "Part")
        try wheel.setObject(try context.first("Car", where: "price == 0"), forKey: "car")
        try context.save()
        let held = try context.fetchAll("Car")
        var request = BatchDeleteRequest(FetchRequest("Car", where: try ObjectPredicate("maker == 'FIAT'")))
        request.resultType = .objectIDs
        let result = try context.execute(request)
        #expect(result.count == 4 && result.objectIDs.count == 4)
        #expect(result.changes.deleted == Set(result.objectIDs + [wheel.objectID]))
        #expect(context.deletedObjects.isEmpty && held.count == 6)
        try ManagedObjectContext.mergeChanges(from: result.changes, into: [context])
        #expect(try context.count("Car") == 2 && context.count("Part") == 0)
        let other = container.makeContext()
        #expect(try other.fetchAll("Owner")[0].objects(forKey: "cars").isEmpty)
        // The other end of a to-one: its reference is removed.
        let car = try #require(try other.fetchAll("Car").first)
        try car.setObject(try other.fetchAll("Owner")[0], forKey: "owner")
        try other.save()
        _ = try other.execute(BatchDeleteRequest(FetchRequest("Owner")))
        #expect(try container.makeContext().fetch("Car", where: "owner != nil").isEmpty)
    }

    @Test("A deletion that a rule forbids deletes nothing", arguments: StoreFactory.all)
    func refusedDeletion(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(PeopleModel.model, factory)
        let context = container.makeContext()
        try context.person("Ann").setObject(try context.department("Law"), forKey: "department")
        try context.save()
        let error = #expect(throws: GranaryError.self) {
            try context.execute(BatchDeleteRequest(FetchRequest("Department")))
        }
        #expect(error?.code == .refused && error?.diagnostics.map(\.coreDataCode) == [1600])
        #expect(try context.count("Department") == 1)
        #expect(try context.execute(BatchDeleteRequest(FetchRequest("Person"))).count == 1)
        #expect(try context.execute(BatchDeleteRequest(FetchRequest("Department"))).count == 1)
    }

    @Test("NULL and the default value are told apart in every way to give objects", arguments: StoreFactory.kinds)
    func nullAndDefault(_ factory: StoreFactory) throws {
        let context = try PersistentContainer(Self.model, factory).makeContext()
        let objects: [BatchInsertRequest.Attributes] = [
            ["plate": "0"], ["plate": "1", "maker": nil], ["plate": "2", "maker": .null],
        ]
        let requests = [
            BatchInsertRequest("Car", objects: objects),
            BatchInsertRequest("Car", objects: objects[...]),
            BatchInsertRequest("Car", state: 0) { number, attributes in
                guard number < 3 else { return true }
                attributes["plate"] = .string("\(number)")
                if number == 1 { attributes["maker"] = .null }
                if number == 2 { attributes.updateValue(nil, forKey: "maker") }
                number += 1
                return false
            },
        ]
        for request in requests {
            // A request can be sent to other tasks, and run again.
            let sent: any Sendable = request
            #expect(try context.execute(try #require(sent as? BatchInsertRequest)).count == 3)
            let makers = try context.fetch("Car", sort: "plate").map { $0["maker"] }
            #expect(makers == ["FIAT", nil, nil])
            try context.execute(BatchDeleteRequest(FetchRequest("Car")))
            #expect(try context.execute(request).count == 3)
            try context.execute(BatchDeleteRequest(FetchRequest("Car")))
            context.reset()
        }
    }

    @Test("A batch deletion by IDs deletes these objects, and no others", arguments: StoreFactory.all)
    func deletionByIDs(_ factory: StoreFactory) throws {
        let container = try cars(factory)
        let context = container.makeContext()
        let ids = try context.fetch("Car", sort: "plate").map(\.objectID)
        var request = try BatchDeleteRequest(objectIDs: [ids[4], ids[1], ids[1]])
        request.resultType = .objectIDs
        let result = try context.execute(request)
        #expect(Set(result.objectIDs) == [ids[1], ids[4]] && result.count == 2)
        #expect(try container.makeContext().fetch("Car", sort: "plate").map { $0["plate"] } == ["0", "2", "3", "5"])
        // Those that are gone are ignored.
        #expect(try context.execute(request).count == 0)
    }

    @Test("IDs that a batch deletion cannot take")
    func refusedIDs() throws {
        let context = try cars(.inMemory).makeContext()
        let car = try #require(try context.first("Car"))
        let owner = try context.insert(into: "Owner")
        let new = owner.objectID
        try context.save()
        for (ids, text) in [
            ([], "at least one ID"), ([new], "not in a store yet"),
            ([car.objectID, owner.objectID], "Owner is not of Car's"),
        ] {
            let error = #expect(throws: GranaryError.self) { try BatchDeleteRequest(objectIDs: ids) }
            #expect(error?.code == .usage && error?.message.contains(text) == true, "\(text)")
        }
    }
}
