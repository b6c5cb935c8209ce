import Foundation
import Granary
import Testing

/// The values of objects: in Swift's types, composite, transformed, and related objects.
@Suite("Values of objects") struct ObjectValuesTests {
    private struct Point: Codable, Hashable, Sendable {
        var x: Int
        var y: Int
    }

    /// The keys are sorted, so that equal values have equal bytes.
    private static let point = AttributeTransformer(
        name: "PointTransformer",
        encode: { (point: Point) in
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try encoder.encode(point)
        }, decode: { data in try JSONDecoder().decode(Point.self, from: data) })

    private let container: PersistentContainer

    init() throws {
        var model = ManagedObjectModel(entities: [
            EntityDescription(
                "Thing",
                [
                    .attribute("whole", .integer64), .attribute("flag", .boolean), .attribute("single", .float),
                    .attribute("exact", .double), .attribute("amount", .decimal), .attribute("text", .string),
                    .attribute("moment", .date), .attribute("bytes", .binary), .attribute("id", .uuid),
                    .attribute("link", .uri), .attribute("size", .composite, .composite("Size")),
                    .attribute("place", .transformable, .transformer("PointTransformer")),
                    .attribute("list", .transformable),
                    .toMany("steps", "Step", inverse: "thing", .ordered),
                ]),
            EntityDescription("Step", [.attribute("text", .string), .toOne("thing", "Thing", inverse: "steps")]),
        ])
        model.composites = [
            CompositeDescription(
                name: "Size",
                elements: ["width", "height"].map {
                    var element = AttributeDescription(name: $0, type: .double)
                    element.isOptional = true
                    return element
                })
        ]
        container = try PersistentContainer(model: model, store: .inMemory, transformers: [Self.point])
    }

    /// Sets a value, saves it, and reads it in another context.
    private func roundTrip<Value: AttributeRepresentable & Equatable>(_ value: Value, _ name: String) async throws {
        let id = try await container.perform { context in
            let thing = try context.insert(into: "Thing")
            try thing.set(value, for: AttributeKey<Value>(name))
            #expect(try thing.value(forKey: name) == value.attributeValue)
            try context.save()
            return thing.objectID
        }
        try await container.perform { context in
            let thing = try context.existingObject(with: id)
            #expect(try thing[AttributeKey<Value>(name)] == value)
            try thing.set(nil, for: AttributeKey<Value>(name))
            #expect(try thing.value(forKey: name) == nil)
        }
    }

    @Test("Typed keys carry every type")
    func typedKeys() async throws {
        try await roundTrip(Int64.max, "whole")
        try await roundTrip(Int32.min, "whole")
        try await roundTrip(Int16(7), "whole")
        try await roundTrip(-1, "whole")
        try await roundTrip(true, "flag")
        try await roundTrip(Float(0.1), "single")
        try await roundTrip(0.1, "exact")
        try await roundTrip(Decimal(1) / 10, "amount")
        try await roundTrip("a\u{0}b", "text")
        try await roundTrip(Date(timeIntervalSinceReferenceDate: 0.5), "moment")
        try await roundTrip(Data([0, 255]), "bytes")
        try await roundTrip(UUID(), "id")
        try await roundTrip(try #require(URL(string: "https://example.org/a?b#c")), "link")
        #expect(Int16(AttributeValue.integer(70_000)) == nil && String(AttributeValue.integer(1)) == nil)
    }

    @Test("Transformed values are read in their type")
    func transformedValues() async throws {
        let id = try await container.perform { context in
            let thing = try context.insert(into: "Thing")
            try thing.setTransformedValue(Point(x: 1, y: 2), forKey: "place")
            try thing.setTransformedValue([1, 2] as [Int], forKey: "list")
            try context.save()
            return thing.objectID
        }
        try await container.perform { context in
            let thing = try context.existingObject(with: id)
            #expect(try thing.transformedValue(forKey: "place") as? Point == Point(x: 1, y: 2))
            #expect(try thing.transformedValue(forKey: "list", as: [Int].self) == [1, 2])
            try thing.setTransformedValue(Point(x: 1, y: 2), forKey: "place")
            #expect(!thing.hasPersistentChangedValues)
            let error = #expect(throws: GranaryError.self) { try thing.setTransformedValue("1", forKey: "place") }
            #expect(error?.diagnostics.first?.code == .valueSyntax)
        }
    }
}
