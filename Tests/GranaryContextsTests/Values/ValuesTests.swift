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

/// Values of stored objects as structures.
@Suite("Values") struct ValuesTests {
    private func container(_ factory: StoreFactory) throws -> PersistentContainer {
        try PersistentContainer(ThingModel.model, factory)
    }

    private func insert(
        _ title: String?, into context: ManagedObjectContext, _ values: [String: AttributeValue] = [:],
        entity: String = "Thing"
    ) throws -> ManagedObject {
        let object = try context.insert(into: entity)
        try object.setValue(title.map { .string($0) }, forKey: "title")
        for (name, value) in values { try object.setValue(value, forKey: name) }
        return object
    }

    /// The attribute values of a structure, by name.
    private static func attributes(_ values: ThingValues) -> [String: AttributeValue?] {
        [
            "i16": values.i16?.attributeValue, "i32": values.i32?.attributeValue, "i64": values.i64?.attributeValue,
            "decimal": values.decimal?.attributeValue, "double": values.double?.attributeValue,
            "float": values.float?.attributeValue, "string": values.string?.attributeValue,
            "boolean": values.boolean?.attributeValue, "date": values.date?.attributeValue,
            "binary": values.binary?.attributeValue, "uuid": values.uuid?.attributeValue,
            "uri": values.uri?.attributeValue, "place.x": values.place.x?.attributeValue,
            "place.label": values.place.label?.attributeValue,
        ]
    }

    @Test("Every type has the value that an object has", arguments: StoreFactory.all)
    func types(_ factory: StoreFactory) throws {
        let container = try container(factory)
        let context = container.makeContext()
        for (name, values) in ConformanceModel.values where name != "transformable" {
            for value in values { _ = try insert("t", into: context, [name: value]) }
        }
        _ = try insert("empty", into: context)
        _ = try insert("place", into: context, ["place.x": 1.5, "place.label": ""])
        try context.save()
        let reader = container.makeContext()
        let objects = try reader.fetchAll("Thing")
        let found = try container.makeContext().values(ThingValues.self)
        #expect(found.count == objects.count && found.count > 25)
        for (values, object) in zip(found, objects) {
            #expect(values.objectID == object.objectID && values.id == object.objectID)
            for (name, value) in Self.attributes(values) {
                #expect(try object.value(forKey: name) == value, "\(name) of \(object.objectID)")
            }
            #expect(try ThingValues(of: object) == values)
        }
    }

    @Test("Values of an object have its unsaved changes; an object of another entity has none") func ofObject() throws {
        let context = try container(.inMemory).makeContext()
        let thing = try insert("t", into: context, ["i32": 1])
        try thing.setValue(2, forKey: "i32")
        #expect(try ThingValues(of: thing).i32 == 2)
        let object = try PersistentContainer(PeopleModel.model, .inMemory).makeContext().person("Ann")
        let error = #expect(throws: GranaryError.self) { try ThingValues(of: object) }
        #expect(error?.code == .usage)
    }

    @Test("Values of a request", arguments: StoreFactory.kinds) func ofRequest(_ factory: StoreFactory) async throws {
        let container = try container(factory)
        let context = container.makeContext()
        for number in 0..<5 { _ = try insert("\(number)", into: context, ["i32": .integer(Int64(number))]) }
        try context.save()
        var request = FetchRequest("Thing", where: try ObjectPredicate("i32 > 1"))
        request.sortDescriptors = [ObjectSortDescriptor("i32", ascending: false)]
        request.fetchLimit = 2
        #expect(try await container.values(ThingValues.self, of: request).map(\.i32) == [4, 3])
        var model = ThingModel.model
        model.entities.append(EntityDescription("Other", []))
        let other = try PersistentContainer(model, factory).makeContext()
        let error = #expect(throws: GranaryError.self) { try other.values(ThingValues.self, of: FetchRequest("Other")) }
        #expect(error?.message.contains("the values are of Thing") == true)
    }

    @Test("Condition, order, limit and offset are those of a fetch", arguments: StoreFactory.all)
    func window(_ factory: StoreFactory) throws {
        let container = try container(factory)
        let context = container.makeContext()
        for number in 0..<20 { _ = try insert("\(number % 7)", into: context, ["i32": .integer(Int64(number))]) }
        try context.save()
        let condition = try ObjectPredicate("i32 >= 5")
        let order = [ObjectSortDescriptor("title", ascending: false), ObjectSortDescriptor("i32")]
        for (limit, offset) in [(0, 0), (3, 0), (4, 6), (100, 14), (2, 15), (0, 3)] {
            var request = FetchRequest("Thing", where: condition)
            request.sortDescriptors = order
            request.fetchLimit = limit
            request.fetchOffset = offset
            let objects = try context.fetch(request)
            let found = try context.values(
                ThingValues.self, where: condition, sort: order, limit: limit, offset: offset)
            #expect(found.map(\.objectID) == objects.map(\.objectID), "\(limit) \(offset)")
        }
    }

    @Test("Subentities are included, with the values in their own columns", arguments: StoreFactory.all)
    func subentities(_ factory: StoreFactory) throws {
        let container = try container(factory)
        let context = container.makeContext()
        let thing = try insert("thing", into: context, ["string": "s"])
        let part = try insert("part", into: context, ["a": 9, "i16": 3, "string": "p"], entity: "Part")
        try part.setObject(thing, forKey: "next")
        try thing.setObject(part, forKey: "next")
        try context.save()
        let found = try context.values(ThingValues.self, sort: [ObjectSortDescriptor("title")])
        #expect(found.map(\.objectID) == [part.objectID, thing.objectID])
        #expect(found.map(\.objectID.entityName) == ["Part", "Thing"])
        #expect(found.map(\.next) == [thing.objectID, part.objectID])
        #expect(found.map(\.next?.entityName) == ["Thing", "Part"])
        #expect(found.map(\.i16) == [3, nil])
        #expect(found.map(\.string) == ["p", "s"])
    }

    @Test("Values are the saved ones; a missing required value is empty, and NULL differs from empty text")
    func saved() throws {
        let container = try PersistentContainer(model: ThingModel.model, store: .inMemory)
        let context = container.makeContext()
        let thing = try insert("old", into: context, ["string": ""])
        try context.save()
        try thing.setValue("new", forKey: "title")
        _ = try insert("unsaved", into: context)
        #expect(try context.values(ThingValues.self).map(\.title) == ["old"])
        #expect(try context.values(ThingValues.self, where: try ObjectPredicate("title == 'new'")) == [])
        #expect(try context.values(ThingValues.self).map(\.string) == [""])
        try context.save()
        #expect(try context.values(ThingValues.self).map(\.string) == ["", nil])
    }

    @Test("In the background, after earlier work")
    func background() async throws {
        let container = try PersistentContainer(model: ThingModel.model, store: .inMemory)
        try await container.perform { context in
            try context.insert(into: "Thing").setValue("a", forKey: "title")
            try context.save()
        }
        let found = try await container.values(ThingValues.self, where: try ObjectPredicate("title == 'a'"))
        #expect(found.map(\.title) == ["a"])
    }

    @Test("The results of two stores are sorted and limited as one")
    func severalStores() throws {
        let container = try PersistentContainer(
            name: "two", model: ThingModel.model,
            descriptions: [PersistentStoreDescription(.inMemory), PersistentStoreDescription(.inMemory)])
        try container.loadPersistentStores()
        let context = container.makeContext()
        let stores = container.persistentStoreCoordinator.persistentStores
        for (number, title) in ["d", "a", "c", "b"].enumerated() {
            try context.assign(try insert(title, into: context), to: stores[number % 2])
        }
        try context.save()
        let order = [ObjectSortDescriptor("title")]
        #expect(try context.values(ThingValues.self, sort: order).map(\.title) == ["a", "b", "c", "d"])
        #expect(try context.values(ThingValues.self, sort: order, limit: 2, offset: 1).map(\.title) == ["b", "c"])
        #expect(try context.values(ThingValues.self).map(\.title) == ["d", "c", "a", "b"])
        #expect(try context.values(ThingValues.self, limit: 3).map(\.title) == ["d", "c", "a"])
    }

    /// Values of another version of the model.
    private struct OldValues: ManagedObjectValues {
        static let entityName = "Thing"
        static let properties = [ValueProperty.optional("i32", .string)]
        let objectID: ManagedObjectID
        var id: ManagedObjectID { objectID }

        init(_ source: some ValueSource) throws { objectID = try source.objectID() }

        func write(to encoder: inout ValueEncoder) throws {}
    }

    @Test("Code that does not fit the model is refused with the property")
    func otherModel() throws {
        let container = try PersistentContainer(model: ThingModel.model, store: .inMemory)
        let error = #expect(throws: GranaryError.self) { try container.makeContext().values(OldValues.self) }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("Thing has no stored attribute of the type String i32") == true)
    }
}
