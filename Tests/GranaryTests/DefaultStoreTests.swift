import Foundation
import Granary
import Testing

@Suite("Default store") struct DefaultStoreTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription("Person", [.attribute("name", .string)])
    ])

    @Test("The default store of a container is NAME.sqlite in the folder for application data")
    func defaultDescription() throws {
        let container = try PersistentContainer(name: "A name", model: Self.model)
        #expect(container.name == "A name")
        let url = PersistentContainer.defaultDirectoryURL.appending(path: "A name.sqlite")
        #expect(container.persistentStoreDescriptions == [PersistentStoreDescription(.sqlite(url))])
        #expect(container.persistentStoreDescriptions.first?.location.url == url)
        // Nothing was opened.
        #expect(container.persistentStoreCoordinator.persistentStores.isEmpty)
        let description = try #require(container.persistentStoreDescriptions.first)
        #expect(description.configuration == nil && !description.isReadOnly && !description.tracksHistory)
        #expect(!description.shouldAddStoreAsynchronously)
    }
}
