import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport

/// A model with an attribute for each way to name a transformer.
enum TransformedModel {
    struct Point: Codable, Hashable, Sendable {
        var x: Double
        var y: Double
    }

    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Thing",
            [
                .attribute("name", .string),
                .attribute("list", .transformable),
                .attribute("tags", .transformable, .transformer("NSSecureUnarchiveFromData", valueClass: "[String]")),
                .attribute("old", .transformable, .transformer("NSKeyedUnarchiveFromDataTransformerName")),
                .attribute("cleared", .transformable, .transformer("")),
                .attribute("point", .transformable, .transformer("PointTransformer", valueClass: "Point")),
                .attribute("color", .transformable, .transformer("ColorTransformer", valueClass: "Color")),
                .attribute("draft", .transformable, .transient),
            ])
    ])

    static let point = AttributeTransformer(
        name: "PointTransformer",
        encode: { (point: Point) in
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try encoder.encode(point)
        },
        decode: { data in try JSONDecoder().decode(Point.self, from: data) })

    static func container(_ store: StoreLocation = .inMemory) throws -> PersistentContainer {
        try PersistentContainer(model: model, store: store, transformers: [point])
    }
}
