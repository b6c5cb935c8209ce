package import GranaryModel

/// A model for two stores: authors and books in one, memos and alarms in the other.
package enum TwoStoreModel {
    package static let model: ManagedObjectModel = {
        var model = ManagedObjectModel(entities: [
            EntityDescription(
                "Author", [.attribute("name", .string), .toMany("books", "Book", inverse: "author", .ordered)]),
            EntityDescription(
                "Book",
                [
                    .attribute("title", .string), .toOne("author", "Author", inverse: "books"),
                    .toOne("shelf", "Shelf", inverse: "books"),
                ]),
            EntityDescription("Shelf", [.toMany("books", "Book", inverse: "shelf")]),
            EntityDescription(
                "Memo",
                [
                    .attribute("text", .string), .toOne("answers", "Memo", inverse: "answeredBy"),
                    .toMany("answeredBy", "Memo", inverse: "answers"),
                    .fetched("authors", "Author", where: "name == $FETCH_SOURCE.text"),
                ], unique: [["text"]]),
            EntityDescription("Alarm", [.attribute("rings", .boolean)], superentity: "Memo"),
        ])
        model.configurations = [
            ConfigurationDescription(name: "Library", entityNames: ["Book", "Author", "Shelf"]),
            ConfigurationDescription(name: "Notes", entityNames: ["Alarm", "Memo"]),
            // Its table is that of Memo, of which it takes no objects.
            ConfigurationDescription(name: "Alarms", entityNames: ["Alarm"]),
            ConfigurationDescription(name: "Half", entityNames: ["Author", "Book"]),
        ]
        return model
    }()
}
