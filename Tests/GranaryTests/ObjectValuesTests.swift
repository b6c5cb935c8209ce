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

    @Test("Typed reading rejects attributes of other types")
    func typedReading() async throws {
        try await container.perform { context in
            let thing = try context.insert(into: "Thing")
            try thing.setValue(true, forKey: "flag")
            try thing.setValue(.float(0.5), forKey: "single")
            try thing.setValue(0.25, forKey: "exact")
            let id = UUID()
            try thing.setValue(.uuid(id), forKey: "id")
            try thing.setValue(.uri(URL(filePath: "/tmp")), forKey: "link")
            #expect(try thing.boolean(forKey: "flag") == true && thing.float(forKey: "single") == 0.5)
            #expect(try thing.double(forKey: "exact") == 0.25 && thing.uuid(forKey: "id") == id)
            #expect(try thing.url(forKey: "link")?.path == "/tmp" && thing.data(forKey: "bytes") == nil)
            #expect(try thing.date(forKey: "moment") == nil && thing.decimal(forKey: "amount") == nil)
            let error = #expect(throws: GranaryError.self) { try thing.double(forKey: "single") }
            #expect(error?.code == .usage)
            #expect(throws: GranaryError.self) { try thing.setValue(1, forKey: "flag") }
        }
    }

    @Test("A composite is read and set as a whole or by element")
    func composites() async throws {
        try await container.perform { context in
            let thing = try context.insert(into: "Thing")
            #expect(try thing.compositeValue(forKey: "size").isEmpty)
            try thing.setCompositeValue(["width": 2.5, "height": 3.0], forKey: "size")
            #expect(try thing.value(forKey: "size.width") == 2.5)
            try thing.setCompositeValue(["height": 4.0], forKey: "size")
            #expect(try thing.compositeValue(forKey: "size") == ["height": 4.0])
            #expect(throws: GranaryError.self) { try thing.setCompositeValue(["depth": 1.0], forKey: "size") }
        }
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

    @Test("Transformers by name, and the built-in ones")
    func transformers() throws {
        let transformers = AttributeTransformers([Self.point, .keyedArchive(name: "Tags")])
        #expect(transformers.names.contains("Tags") && transformers["PointTransformer"]?.name == "PointTransformer")
        #expect(transformers["Nothing"] == nil)
        let place = try #require(container.schema.entity(named: "Thing")?.attribute(named: "place"))
        #expect(try transformers.transformer(for: place).name == "PointTransformer")
        #expect(container.persistentStoreCoordinator.transformers.names.contains("PointTransformer"))
        #expect(throws: GranaryError.self) { try AttributeTransformers().transformer(for: place) }
        for transformer in [AttributeTransformer.secureUnarchiveFromData, .keyedUnarchiveFromData] {
            let data = try transformer.encode(["a", ArchivedNull()] as [any Sendable])
            let list = try #require(try transformer.decode(data) as? [any Sendable])
            #expect(list.first as? String == "a" && list.last is ArchivedNull)
        }
        let error = #expect(throws: GranaryError.self) {
            try AttributeTransformer.secureUnarchiveFromData.decode(Data("no archive".utf8))
        }
        #expect(error?.diagnostics.first?.code == .plistSyntax)
    }

    @Test("Objects of an ordered relationship are added, moved and removed")
    func orderedRelationships() async throws {
        try await container.perform { context in
            let thing = try context.insert(into: "Thing")
            let steps = try ["a", "b", "c"].map { text in
                let step = try context.insert(into: "Step")
                try step.setValue(.string(text), forKey: "text")
                return step
            }
            for step in steps { try thing.add(step, forKey: "steps") }
            try thing.moveObject(at: 2, to: 0, forKey: "steps")
            #expect(try thing.objects(forKey: "steps") == [steps[2], steps[0], steps[1]])
            try thing.removeObject(at: 1, forKey: "steps")
            try thing.remove(steps[1], forKey: "steps")
            #expect(try thing.objects(forKey: "steps") == [steps[2]])
            #expect(try steps[0].object(forKey: "thing") == nil && steps[2].object(forKey: "thing") === thing)
            try thing.insert(steps[0], at: 0, forKey: "steps")
            #expect(thing.changedValues()["steps"] == .objects([steps[0].objectID, steps[2].objectID]))
            #expect(steps[0].changedValues()["thing"] == .object(thing.objectID))
        }
    }
}
