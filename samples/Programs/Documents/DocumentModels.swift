import Foundation
import Granary

/// The models of docs/models-in-code.md. The other documents use ``library``.
enum DocumentModels {
    /// Authors and their books.
    static let library = ManagedObjectModel(entities: [
        EntityDescription(
            "Author",
            [
                .attribute("name", .string, .required, .length(1...80)),
                .toMany("books", "Book", inverse: "author", .deleteRule(.cascade)),
            ],
            unique: [["name"]]),
        EntityDescription(
            "Book",
            [
                .attribute("title", .string, .required, .indexed),
                .attribute("pages", .integer32, .minimum(1)),
                .attribute("price", .decimal, .defaultValue(0), .minimum(0)),
                .attribute("published", .date),
                .toOne("author", "Author", inverse: "books"),
            ]),
    ])

    /// Every type and option of attributes.
    static func attributes() throws -> EntityDescription {
        let product = EntityDescription(
            "Product",
            [
                .attribute("number", .integer64, .required, .minimum(1), .maximum(999_999)),
                .attribute("stock", .integer32, .defaultValue(0)),
                .attribute("shelf", .integer16),
                .attribute("price", .decimal, .defaultValue(9.95)),
                .attribute("weight", .double),
                .attribute("rating", .float),
                .attribute("code", .string, .length(3...12), .pattern("[A-Z]+-[0-9]+")),
                .attribute("isOnSale", .boolean, .required, .defaultValue(false)),
                .attribute("added", .date, .indexed),
                .attribute("photo", .binary, .externalStorage),
                .attribute("identifier", .uuid),
                .attribute("page", .uri),
                .attribute("tags", .transformable, .transformer("NSSecureUnarchiveFromData", valueClass: "NSArray")),
                .attribute("size", .composite, .composite("Size")),
                .attribute("lowerCode", .string, .derived("lowercase:(code)")),
                .attribute("isSelected", .boolean, .transient),
                .attribute("discount", .integer16, .rule(try ObjectPredicate("SELF IN {0, 5, 10, 20}"), "use 0, 5, 10 or 20")),
            ])
        return product
    }

    /// The composite of ``attributes()``.
    static func composites(_ product: EntityDescription) -> ManagedObjectModel {
        var width = AttributeDescription(name: "width", type: .double)
        width.isOptional = true
        var height = AttributeDescription(name: "height", type: .double)
        height.isOptional = true
        var model = ManagedObjectModel(entities: [product])
        model.composites = [CompositeDescription(name: "Size", elements: [width, height])]
        return model
    }

    /// Relationships of all cardinalities.
    static func relationships() -> ManagedObjectModel {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Course",
                [
                    // One to many: a course has lessons, in an order; they are deleted with it.
                    .toMany("lessons", "Lesson", inverse: "course", .ordered, .deleteRule(.cascade)),
                    // Many to many, from 1 to 30 people.
                    .toMany("people", "Person", inverse: "courses", .required, .count(1, 30)),
                    // One to one.
                    .toOne("room", "Room", inverse: "course"),
                ]),
            EntityDescription("Lesson", [.toOne("course", "Course", inverse: "lessons", .required)]),
            EntityDescription("Person", [.toMany("courses", "Course", inverse: "people", .deleteRule(.deny))]),
            EntityDescription("Room", [.toOne("course", "Course", inverse: "room")]),
        ])
        return model
    }

    /// Inheritance, indexes, a template and configurations.
    static func rest() -> ManagedObjectModel {
        var event = EntityDescription(
            "Event", [.attribute("day", .date, .required), .attribute("isOpen", .boolean, .required)], isAbstract: true)
        let concert = EntityDescription("Concert", [.attribute("band", .string)], superentity: "Event")
        let match = EntityDescription("Match", [.attribute("teams", .string)], superentity: "Event")

        var open = FetchIndexDescription(
            name: "openByDay", elements: [.init(propertyName: "day", isAscending: false), .init(expression: "SELF")])
        open.partialIndexPredicate = "isOpen == 1"
        event.fetchIndexes = [open]

        let log = EntityDescription("Log", [.attribute("text", .string)])
        var model = ManagedObjectModel(entities: [event, concert, match, log])
        model.fetchRequestTemplates = [
            FetchRequestTemplate(name: "concertsOf", entityName: "Concert", predicateFormat: "band == $band")
        ]
        model.configurations = [
            ConfigurationDescription(name: "Events", entityNames: ["Event", "Concert", "Match"]),
            ConfigurationDescription(name: "Logs", entityNames: ["Log"]),
        ]
        return model
    }

    /// The second version of an entity.
    static func renamed() -> ManagedObjectModel {
        var writer = EntityDescription("Writer", [.attribute("fullName", .string, .renamed(from: "name"))])
        writer.renamingIdentifier = "Author"
        return ManagedObjectModel(entities: [writer])
    }

    /// A class for an entity.
    static func withClass() throws -> PersistentContainer {
        var note = EntityDescription("Note", [.attribute("text", .string, .required)])
        note.managedObjectClassName = "DocumentNote"
        let model = ManagedObjectModel(entities: [note])
        let container = try PersistentContainer(
            model: model, store: .inMemory, classes: ["DocumentNote": DocumentNote.self])
        return container
    }
}
