import GranaryModel

/// A model with Transformable attributes.
enum TransformedModel {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Note",
            [
                .attribute("code", .string), .attribute("tags", .transformable),
                .attribute("point", .transformable, .transformer("PointTransformer")),
                .toOne("book", "Book", inverse: "notes"),
            ], unique: [["code"]]),
        EntityDescription(
            "Book",
            // The same name, and no Transformable here.
            [.attribute("title", .string), .toMany("notes", "Note", inverse: "book"), .attribute("point", .string)],
            unique: [["title"]]),
    ])
}
