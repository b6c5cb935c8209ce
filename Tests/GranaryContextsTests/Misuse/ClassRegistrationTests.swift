import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import StoreTestSupport
import Testing

private class Book: ManagedObject {}
private final class Novel: Book {}
private final class Author: ManagedObject {}
private final class Other: ManagedObject {}

@Suite("Registered classes") struct ClassRegistrationTests {
    private static let model: ManagedObjectModel = {
        var book = EntityDescription("Book", [.attribute("title", .string)])
        book.managedObjectClassName = "Book"
        var novel = EntityDescription("Novel", [], superentity: "Book")
        novel.managedObjectClassName = "App.Novel"
        var author = EntityDescription("Author", [.attribute("name", .string)])
        author.managedObjectClassName = ".Author"
        return ManagedObjectModel(entities: [book, novel, author, EntityDescription("Shelf", [])])
    }()

    struct Registration: Sendable, CustomTestStringConvertible {
        let classes: [String: ManagedObject.Type]
        /// Parts of the message; empty if the classes are accepted.
        let says: [String]

        var testDescription: String { classes.keys.sorted().joined(separator: ", ") + (says.isEmpty ? " fits" : "") }
    }

    private static let registrations = [
        Registration(classes: ["Book": Book.self, "Novel": Novel.self, "Author": Author.self], says: []),
        Registration(classes: ["App.Novel": Novel.self, ".Author": Author.self], says: []),
        // A class with another name, and a subentity with the class of its superentity.
        Registration(classes: ["Book": Other.self], says: []),
        Registration(classes: ["Book": Book.self, "Novel": Book.self], says: []),
        Registration(
            classes: ["Bok": Book.self],
            says: ["no entity of the model has the class name \"Bok\"", "did you mean \"Book\"?"]),
        Registration(classes: ["Shop.Book": Book.self], says: ["\"Shop.Book\"", "did you mean \"Book\"?"]),
        Registration(classes: ["Shelf": Other.self], says: ["\"Shelf\"", "names no class", "managedObjectClassName"]),
        Registration(classes: ["Bok": Book.self, "Autor": Author.self], says: ["\"Bok\"", "\"Autor\"", "\"Author\""]),
        Registration(
            classes: ["Book": Author.self, "Author": Book.self],
            says: ["the class Author is registered as \"Book\" for Book", "the class Book", "swapped"]),
        Registration(classes: ["Book": Novel.self, "Novel": Book.self], says: ["the class Novel", "swapped"]),
    ]

    @Test("Names that no entity has and swapped classes are refused", arguments: StoreFactory.kinds, registrations)
    func registration(_ factory: StoreFactory, _ registration: Registration) throws {
        let make = { try PersistentContainer(Self.model, factory, classes: registration.classes) }
        guard !registration.says.isEmpty else {
            _ = try make()
            return
        }
        let error = try #require(throws: GranaryError.self) { _ = try make() }
        #expect(error.code == .usage)
        for part in registration.says { #expect(error.message.contains(part), "\(error.message)") }
        #expect(throws: GranaryError.self) {
            try PersistentStoreCoordinator(schema: Self.model.resolved(), classes: registration.classes)
        }
    }
}
