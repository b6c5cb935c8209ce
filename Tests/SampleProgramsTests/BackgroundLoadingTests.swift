import Foundation
import Granary
import TestSupport
import Testing

@testable import SamplePrograms

@Suite("Sample: loading in the background", .timeLimit(.minutes(1))) @MainActor struct BackgroundLoadingTests {
    private typealias Outcome = (error: GranaryError?, isMainThread: Bool)

    private func outcome(_ program: BackgroundLoading) async -> Outcome {
        await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            program.load { error in continuation.resume(returning: (error, Thread.isMainThread)) }
        }
    }

    @Test("The completion handler runs on another thread, when the store is there")
    func completionHandler() async throws {
        let folder = try TemporaryFolder()
        let store = folder.url.appending(path: "Customers.sqlite")
        let program = try BackgroundLoading(model: CustomerApp.model, store: store)
        #expect(program.container.persistentStoreCoordinator.persistentStores.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: store.path))
        let (error, isMainThread) = await outcome(program)
        #expect(error?.code == nil)
        #expect(!isMainThread)
        #expect(program.container.persistentStoreCoordinator.persistentStores.map(\.url) == [store])
        #expect(FileManager.default.fileExists(atPath: store.path))
    }

    @Test("With await, work that needs the store follows; loading again opens nothing twice")
    func awaited() async throws {
        let folder = try TemporaryFolder()
        let store = folder.url.appending(path: "Customers.sqlite")
        let app = try CustomerApp(model: CustomerApp.model, store: store)
        _ = try app.addAlma()
        try app.saveContext()
        let program = try BackgroundLoading(model: CustomerApp.model, store: store)
        #expect(try await program.customerCount() == 1)
        #expect(try await program.customerCount() == 1)
        #expect(program.container.persistentStoreCoordinator.persistentStores.count == 1)
    }

    @Test("A file that is no store is told to the handler, and thrown to who awaits")
    func noStore() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("This is no store.", to: "Customers.sqlite")
        let program = try BackgroundLoading(model: CustomerApp.model, store: file)
        let (error, isMainThread) = await outcome(program)
        #expect(error?.code != nil)
        #expect(!isMainThread)
        #expect(program.container.persistentStoreCoordinator.persistentStores.isEmpty)
        await #expect(throws: GranaryError.self) { try await program.customerCount() }
        #expect(try Data(contentsOf: file) == Data("This is no store.".utf8))
    }
}
