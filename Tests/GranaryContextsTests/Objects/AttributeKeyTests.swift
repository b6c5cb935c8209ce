import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

extension AttributeKey where Value == String {
    fileprivate static var text: Self { Self("string") }
}

@Suite("Typed keys and composites") struct AttributeKeyTests {
    static let types: [AttributeType] = [
        .integer16, .integer32, .integer64, .boolean, .float, .double, .decimal, .string, .date, .binary, .uuid, .uri,
    ]

    static let model = {
        var entity = EntityDescription("Values", types.map { .attribute("\($0)", $0) })
        var place = AttributeDescription(name: "place", type: .composite)
        place.compositeName = "Place"
        entity.attributes.append(place)
        var model = ManagedObjectModel(entities: [entity])
        model.composites = [
            CompositeDescription(
                name: "Place",
                elements: [
                    AttributeDescription(name: "x", type: .double), AttributeDescription(name: "y", type: .integer32),
                ])
        ]
        return model
    }()

    let context: ManagedObjectContext
    let object: ManagedObject

    init() throws {
        context = try PersistentContainer(model: Self.model, store: .inMemory).makeContext()
        object = try context.insert(into: "Values")
    }

    @Test("Every type goes in and comes out as itself")
    func roundTrips() throws {
        try check(Int16.min, "integer16")
        try check(Int32.max, "integer32")
        try check(Int64.min, "integer64")
        try check(7, "integer64")
        try check(true, "boolean")
        try check(Float(0.5), "float")
        try check(0.1, "double")
        try check(Decimal(sign: .minus, exponent: -2, significand: 12_345), "decimal")
        try check("é", "string")
        try check(Date(timeIntervalSinceReferenceDate: 0.25), "date")
        try check(Data([0, 255]), "binary")
        try check(UUID(), "uuid")
        try check(try #require(URL(string: "https://a.example/b")), "uri")
    }

    private func check<Value: AttributeRepresentable & Equatable>(_ value: Value, _ name: String) throws {
        let key = AttributeKey<Value>(name)
        #expect(try object[key] == nil)
        try object.set(value, for: key)
        #expect(try object[key] == value)
        #expect(try object.value(forKey: name) == value.attributeValue)
        try object.set(nil, for: key)
        #expect(try object[key] == nil)
    }

    @Test("A key of another type, or of nothing, is refused")
    func mismatches() throws {
        try object.setValue(70_000, forKey: "integer32")
        try object.set("a", for: .text)
        #expect(throws: GranaryError.self) { try object[AttributeKey<Int>("string")] }
        #expect(throws: GranaryError.self) { try object[AttributeKey<Int16>("integer32")] }
        #expect(throws: GranaryError.self) { try object[AttributeKey<String>("strung")] }
        #expect(throws: GranaryError.self) { try object.set(70_000, for: AttributeKey<Int>("integer16")) }
        #expect(throws: GranaryError.self) { try object.set("a", for: AttributeKey<String>("integer16")) }
        #expect(try object[.text] == "a")
    }

    @Test("LIF-19: a composite as a whole")
    func composites() throws {
        #expect(try object.compositeValue(forKey: "place") == [:])
        try object.setCompositeValue(["x": 12.5, "y": 8], forKey: "place")
        #expect(try object.compositeValue(forKey: "place") == ["x": .double(12.5), "y": .integer(8)])
        #expect(object["place.x"] == 12.5)
        try context.save()
        let again = try #require(try context.fetchAll("Values").first)
        #expect(try again.compositeValue(forKey: "place") == ["x": .double(12.5), "y": .integer(8)])
        try object.setCompositeValue(["y": 9], forKey: "place")
        #expect(try object.compositeValue(forKey: "place") == ["y": .integer(9)])
        // A wrong element leaves all as they were.
        #expect(throws: GranaryError.self) { try object.setCompositeValue(["x": 1.0, "y": "b"], forKey: "place") }
        #expect(throws: GranaryError.self) { try object.setCompositeValue(["z": 1.0], forKey: "place") }
        #expect(throws: GranaryError.self) { try object.compositeValue(forKey: "string") }
        #expect(try object.compositeValue(forKey: "place") == ["y": .integer(9)])
    }
}
