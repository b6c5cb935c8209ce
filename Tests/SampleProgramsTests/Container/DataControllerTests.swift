import Foundation
import Granary
import Testing

@testable import SamplePrograms

@Suite("Sample: a container, and a stack by hand, whose store is opened in the background", .timeLimit(.minutes(1)))
@MainActor struct DataControllerTests {
    private let place: DataModelBundle

    init() throws { place = try DataModelBundle() }

    /// Makes a container and waits for its completion.
    private func controller() async throws -> (PersistentContainer, GranaryError?) {
        let (stream, continuation) = AsyncStream.makeStream(of: GranaryError?.self)
        let controller = try DataController(bundle: place.bundle, store: place.store) { error in
            continuation.yield(error)
        }
        for await error in stream { return (controller.persistentContainer, error) }
        return (controller.persistentContainer, nil)
    }

    /// Makes a stack by hand and waits for its completion.
    private func stackByHand() async throws -> (ManagedObjectContext, GranaryError?) {
        let (stream, continuation) = AsyncStream.makeStream(of: GranaryError?.self)
        let controller = try DataControllerByHand(bundle: place.bundle, store: place.store) { error in
            continuation.yield(error)
        }
        for await error in stream { return (controller.managedObjectContext, error) }
        return (controller.managedObjectContext, nil)
    }

    @Test("The container finds its model by name; the completion runs on the main actor when the store is there")
    func container() async throws {
        let (container, error) = try await controller()
        #expect(error?.message == nil)
        #expect(container.name == "DataModel")
        #expect(container.persistentStoreCoordinator.persistentStores.map(\.url) == [place.store])
        let customer = Customer(context: container.viewContext)
        (customer.name, customer.emailid) = ("Alma Berg", "alma.berg@example.com")
        customer.contactno = "0712345678"
        try container.viewContext.save()
        #expect(try place.stored() == [["Alma Berg", "0712345678"]])
    }

    @Test("The stack by hand does the same")
    func byHand() async throws {
        let (context, error) = try await stackByHand()
        #expect(error?.message == nil)
        #expect(context.persistentStoreCoordinator.persistentStores.map(\.url) == [place.store])
        let customer = Customer(context: context)
        (customer.name, customer.emailid) = ("Brian Foy", "brian@example.com")
        customer.contactno = "0712345679"
        try context.save()
        #expect(try place.stored() == [["Brian Foy", "0712345679"]])
    }

    @Test("With await, work that needs the store follows; loading again opens nothing twice")
    func awaited() async throws {
        let container = try await DataController.loadedContainer(bundle: place.bundle, store: place.store)
        try await container.loadPersistentStores()
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
        let count = try await container.perform { context in try context.count(Customer.self) }
        #expect(count == 0)
    }

    @Test("A file that is no store is told to the completion, and thrown to who awaits")
    func noStore() async throws {
        try place.writeNoStore()
        let (container, error) = try await controller()
        #expect(error?.code != nil)
        #expect(container.persistentStoreCoordinator.persistentStores.isEmpty)
        let (context, second) = try await stackByHand()
        #expect(second?.code == error?.code)
        #expect(context.persistentStoreCoordinator.persistentStores.isEmpty)
        await #expect(throws: GranaryError.self) {
            try await DataController.loadedContainer(bundle: place.bundle, store: place.store)
        }
        #expect(try Data(contentsOf: place.store) == Data("This is no store.".utf8))
    }
}
