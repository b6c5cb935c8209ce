package import Foundation
package import GranaryContexts
package import GranaryCoordination
package import GranaryModel

/// A model for values, with every attribute type, a composite attribute, and a subentity with further properties.
package enum ThingModel {
    package static let model: ManagedObjectModel = {
        let types = ConformanceModel.types.filter { $0.type != .transformable }
        var model = ManagedObjectModel(entities: [
            EntityDescription(
                "Thing",
                types.map { .attribute($0.name, $0.type) } + [
                    .attribute("title", .string, .required), .attribute("place", .composite, .composite("Place")),
                    .toOne("next", "Thing", inverse: "previous"), .toMany("previous", "Thing", inverse: "next"),
                ]),
            // Its first property moves the others to other slots, if the order of the columns is by name.
            EntityDescription(
                "Part", [.attribute("a", .integer16), .toOne("whole", "Thing", inverse: nil)], superentity: "Thing"),
        ])
        model.composites = [
            CompositeDescription(
                name: "Place",
                elements: [
                    AttributeDescription(name: "x", type: .double), AttributeDescription(name: "label", type: .string),
                ])
        ]
        return model
    }()
}

/// The values of a Thing, as the generator writes them.
package struct ThingValues: ManagedObjectValues {
    package static let entityName = "Thing"
    package static let properties: [ValueProperty] = [
        .optional("i16", .integer16), .optional("i32", .integer32), .optional("i64", .integer64),
        .optional("decimal", .decimal), .optional("double", .double), .optional("float", .float),
        .optional("string", .string), .optional("boolean", .boolean), .optional("date", .date),
        .optional("binary", .binary), .optional("uuid", .uuid), .optional("uri", .uri), .required("title", .string),
        .optional("place.x", .double), .optional("place.label", .string), .toOne("next"),
    ]

    package let objectID: ManagedObjectID
    package var id: ManagedObjectID { objectID }
    package var i16: Int16?
    package var i32: Int32?
    package var i64: Int64?
    package var decimal: Decimal?
    package var double: Double?
    package var float: Float?
    package var string: String?
    package var boolean: Bool?
    package var date: Date?
    package var binary: Data?
    package var uuid: UUID?
    package var uri: URL?
    package var title: String
    package var place: PlaceElements
    package var next: ManagedObjectID?

    package struct PlaceElements: Hashable, Sendable {
        package var x: Double?
        package var label: String?
    }

    package init(_ source: some ValueSource) throws {
        objectID = try source.objectID()
        i16 = try source.int16(0)
        i32 = try source.int32(1)
        i64 = try source.int64(2)
        decimal = try source.decimal(3)
        double = try source.double(4)
        float = try source.float(5)
        string = try source.string(6)
        boolean = try source.bool(7)
        date = try source.date(8)
        binary = try source.data(9)
        uuid = try source.uuid(10)
        uri = try source.url(11)
        title = try source.string(12) ?? .emptyValue
        place = try PlaceElements(x: source.double(13), label: source.string(14))
        next = try source.reference(15)
    }

    package func write(to encoder: inout ValueEncoder) throws {
        try encoder.write(i16, 0)
        try encoder.write(i32, 1)
        try encoder.write(i64, 2)
        try encoder.write(decimal, 3)
        try encoder.write(double, 4)
        try encoder.write(float, 5)
        try encoder.write(string, 6)
        try encoder.write(boolean, 7)
        try encoder.write(date, 8)
        try encoder.write(binary, 9)
        try encoder.write(uuid, 10)
        try encoder.write(uri, 11)
        try encoder.write(title, 12)
        try encoder.write(place.x, 13)
        try encoder.write(place.label, 14)
        try encoder.write(next, 15)
    }
}
