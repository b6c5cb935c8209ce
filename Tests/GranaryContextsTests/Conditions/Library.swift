import Foundation
import GranaryContexts
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport

/// The classes of the library, with properties as generated classes have them.
extension Library {
    /// A person, with the properties as a generated class has them.
    class Person: ManagedObject {
        var name: String? {
            get { typedValue(forKey: "name") }
            set { setTypedValue(newValue, forKey: "name") }
        }

        var age: Int64? {
            get { typedValue(forKey: "age") }
            set { setTypedValue(newValue, forKey: "age") }
        }

        override class var propertyNames: [AnyKeyPath: String] { propertyNames(of: Self.self, super.propertyNames) }

        private static func propertyNames<Root: Person>(
            of type: Root.Type, _ inherited: [AnyKeyPath: String]
        ) -> [AnyKeyPath: String] {
            var names = inherited
            names[\Root.name] = "name"
            names[\Root.age] = "age"
            return names
        }
    }

    class Author: Person {
        var books: Set<Book> {
            get { typedSet(forKey: "books") }
            set { setTypedSet(newValue, forKey: "books") }
        }

        // An accessor of the superclass can be overridden.
        override var age: Int64? {
            get { super.age }
            set { super.age = newValue }
        }

        override class var propertyNames: [AnyKeyPath: String] { propertyNames(of: Self.self, super.propertyNames) }

        private static func propertyNames<Root: Author>(
            of type: Root.Type, _ inherited: [AnyKeyPath: String]
        ) -> [AnyKeyPath: String] {
            var names = inherited
            names[\Root.books] = "books"
            return names
        }
    }

    /// A class between the generated one and the objects.
    final class FamousAuthor: Author {}

    final class Chapter: ManagedObject {
        var title: String? {
            get { typedValue(forKey: "title") }
            set { setTypedValue(newValue, forKey: "title") }
        }

        var pages: Int16 {
            get { requiredValue(forKey: "pages") }
            set { setTypedValue(newValue, forKey: "pages") }
        }

        var book: Book? {
            get { typedObject(forKey: "book") }
            set { setTypedObject(newValue, forKey: "book") }
        }

        override class var propertyNames: [AnyKeyPath: String] {
            [\Chapter.title: "title", \Chapter.pages: "pages", \Chapter.book: "book"]
        }
    }

    final class Book: ManagedObject {
        struct ShelfElements: CompositeElements {
            struct SpotElements: CompositeElements {
                let managedObject: ManagedObject
                var x: Double? { managedObject.typedValue(forKey: "shelf.spot.x") }
            }

            let managedObject: ManagedObject
            var room: String? { managedObject.typedValue(forKey: "shelf.room") }
            var spot: SpotElements { SpotElements(managedObject: managedObject) }
        }

        var title: String { requiredValue(forKey: "title") }
        var subtitle: String? { typedValue(forKey: "subtitle") }
        /// It has another name in the model.
        var remark: String? { typedValue(forKey: "note") }
        var year: Int32 { requiredValue(forKey: "year") }
        var copies: Int64? { typedValue(forKey: "copies") }
        var pages: Int16 { requiredValue(forKey: "pages") }
        var price: Decimal? { typedValue(forKey: "price") }
        var rating: Double { requiredValue(forKey: "rating") }
        var weight: Float { requiredValue(forKey: "weight") }
        var isLent: Bool { requiredValue(forKey: "isLent") }
        var released: Date? { typedValue(forKey: "released") }
        /// A date as a scalar.
        var bought: TimeInterval {
            (requiredValue(forKey: "bought") as Date).timeIntervalSinceReferenceDate
        }
        var code: UUID? { typedValue(forKey: "code") }
        var link: URL? { typedValue(forKey: "link") }
        var cover: Data? { typedValue(forKey: "cover") }
        var shelf: ShelfElements { ShelfElements(managedObject: self) }
        var author: Author? {
            get { typedObject(forKey: "author") }
            set { setTypedObject(newValue, forKey: "author") }
        }
        var editor: Person? { typedObject(forKey: "editor") }
        var chapters: [Chapter] { typedList(forKey: "chapters") }
        var readers: Set<Person> { typedSet(forKey: "readers") }

        /// Not in the model.
        var isOld: Bool { year < 1900 }

        override class var propertyNames: [AnyKeyPath: String] {
            [
                \Book.title: "title", \Book.subtitle: "subtitle", \Book.remark: "note", \Book.year: "year",
                \Book.copies: "copies", \Book.pages: "pages", \Book.price: "price", \Book.rating: "rating",
                \Book.weight: "weight", \Book.isLent: "isLent", \Book.released: "released", \Book.bought: "bought",
                \Book.code: "code", \Book.link: "link", \Book.cover: "cover", \Book.shelf.room: "shelf.room",
                \Book.shelf.spot.x: "shelf.spot.x", \Book.author: "author", \Book.editor: "editor",
                \Book.chapters: "chapters", \Book.readers: "readers",
            ]
        }
    }

    /// A class that names no properties.
    final class Plain: ManagedObject {
        var name: String? { typedValue(forKey: "name") }
    }
}

/// Books with random values.
enum Library {
    static let classes: [String: ManagedObject.Type] = [
        "Person": Person.self, "Author": Author.self, "Book": Book.self, "Chapter": Chapter.self, "Plain": Plain.self,
    ]

    private static func entity(
        _ name: String, _ properties: [PropertyDescription], superentity: String? = nil
    ) -> EntityDescription {
        var entity = EntityDescription(name, properties, superentity: superentity)
        entity.managedObjectClassName = name
        return entity
    }

    static let model: ManagedObjectModel = {
        var model = ManagedObjectModel(entities: [
            entity(
                "Person",
                [
                    .attribute("name", .string), .attribute("age", .integer64),
                    .toMany("edited", "Book", inverse: "editor"), .toMany("read", "Book", inverse: "readers"),
                ]),
            entity("Author", [.toMany("books", "Book", inverse: "author")], superentity: "Person"),
            entity(
                "Chapter",
                [
                    .attribute("title", .string), .attribute("pages", .integer16),
                    .toOne("book", "Book", inverse: "chapters"),
                ]),
            entity("Plain", [.attribute("name", .string)]),
            entity(
                "Book",
                [
                    .attribute("title", .string), .attribute("subtitle", .string), .attribute("note", .string),
                    .attribute("year", .integer32), .attribute("copies", .integer64), .attribute("pages", .integer16),
                    .attribute("price", .decimal), .attribute("rating", .double), .attribute("weight", .float),
                    .attribute("isLent", .boolean), .attribute("released", .date), .attribute("bought", .date),
                    .attribute("code", .uuid), .attribute("link", .uri), .attribute("cover", .binary),
                    .attribute("shelf", .composite, .composite("Shelf")),
                    .toOne("author", "Author", inverse: "books"), .toOne("editor", "Person", inverse: "edited"),
                    .toMany("chapters", "Chapter", inverse: "book", .ordered),
                    .toMany("readers", "Person", inverse: "read"),
                ]),
        ])
        var spot = AttributeDescription(name: "spot", type: .composite)
        spot.compositeName = "Spot"
        model.composites = [
            CompositeDescription(name: "Spot", elements: [AttributeDescription(name: "x", type: .double)]),
            CompositeDescription(name: "Shelf", elements: [AttributeDescription(name: "room", type: .string), spot]),
        ]
        return model
    }()

    static let ids = (0..<3).map { UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8($0))) }

    static func container(_ factory: StoreFactory) throws -> PersistentContainer {
        try PersistentContainer(model, factory, classes: classes)
    }

    /// Inserts people and books with random values, many of them NULL, and saves.
    static func fill(_ context: ManagedObjectContext, seed: UInt64, books: Int = 40) throws {
        var random = SeededGenerator(seed: seed)
        func pick<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: 0..<elements.count, using: &random)]
        }
        let names: [AttributeValue?] = [nil, "Ann", "ann", "Änn", "Bob", "b", ""]
        var people: [ManagedObject] = []
        var authors: [ManagedObject] = []
        for number in 0..<8 {
            let person = try context.insert(into: number < 5 ? "Author" : "Person")
            try person.setValue(pick(names), forKey: "name")
            try person.setValue(pick([nil, 20, 30, 40]), forKey: "age")
            people.append(person)
            if number < 5 { authors.append(person) }
        }
        for _ in 0..<books {
            let book = try context.insert(into: "Book")
            let values: [(String, [AttributeValue?])] = [
                ("title", ["A", "Abc", "abc", "b", "Ä", "A*"]), ("subtitle", [nil, "", "A", "sub"]),
                ("note", [nil, "x"]), ("year", [nil, 1850, 1900, 1950, 2000]), ("copies", [nil, 1, 2, 1950]),
                ("pages", [nil, 3, 7, 100]), ("price", [nil, .decimal(5), .decimal(12)]),
                ("rating", [nil, .double(0.5), .double(3)]), ("weight", [nil, .float(0.5), .float(2)]),
                ("isLent", [nil, .boolean(true), .boolean(false)]),
                ("released", [nil, .date(Date(timeIntervalSinceReferenceDate: 100)), .date(.distantPast)]),
                ("bought", [nil, .date(Date(timeIntervalSinceReferenceDate: 50))]),
                ("code", [nil] + ids.map(AttributeValue.uuid)),
                ("link", [nil, .uri(URL(filePath: "/a"))]), ("cover", [nil, .binary(Data([1]))]),
                ("shelf.room", [nil, "A", "B"]), ("shelf.spot.x", [nil, .double(1), .double(2)]),
            ]
            for (key, choices) in values { try book.setValue(pick(choices), forKey: key) }
            try book.setObject(pick(authors.map { $0 } + [nil]), forKey: "author")
            try book.setObject(pick(people.map { $0 } + [nil]), forKey: "editor")
            try book.setObjects(people.filter { _ in Bool.random(using: &random) }, forKey: "readers")
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                let chapter = try context.insert(into: "Chapter")
                try chapter.setValue(pick([nil, "A", "Intro"]), forKey: "title")
                try chapter.setValue(pick([nil, 3, 7, 12]), forKey: "pages")
                try chapter.setObject(book, forKey: "book")
            }
        }
        try context.save()
    }
}
