import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing

@Suite("Container") struct PersistentContainerTests {
    @Test("A model with problems makes no container")
    func refusedModel() throws {
        let model = ManagedObjectModel(entities: [EntityDescription("A", [.toOne("b", "B", inverse: nil)])])
        let error = #expect(throws: GranaryError.self) { try PersistentContainer(model: model, store: .inMemory) }
        #expect(error?.diagnostics.map(\.code) == [.modelReference])
    }

    @Test("Work in the background has contexts of its own, one piece after the other, and throws what it throws")
    func perform() async throws {
        let container = try PersistentContainer(model: PeopleModel.model, store: .inMemory)
        try await withThrowingTaskGroup(of: ManagedObjectID.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await container.perform { context in
                        #expect(context.registeredObjects.isEmpty)
                        let person = try context.insert(into: "Person")
                        try person.setValue(.integer(Int64(number)), forKey: "salary")
                        try context.save()
                        return person.objectID
                    }
                }
            }
            let ids = try await group.reduce(into: Set<ManagedObjectID>()) { $0.insert($1) }
            #expect(ids.count == 20)
        }
        let salaries = try await container.perform { try $0.fetchAll("Person").map { $0["salary"] } }
        #expect(Set(salaries) == Set((0..<20).map { .integer($0) }))
        await #expect(throws: GranaryError.self) {
            try await container.perform { _ = try $0.insert(into: "Nobody") }
        }
    }

    @Test("A background task has a context of its own, and can save")
    func backgroundTask() async throws {
        let container = try PersistentContainer(model: PeopleModel.model, store: .inMemory)
        let ids: [ManagedObjectID] = try await withThrowingTaskGroup(of: ManagedObjectID.self) { group in
            for _ in 0..<3 { group.addTask { try await insertInBackground(container) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(ids).count == 3 && ids.allSatisfy { !$0.isTemporaryID })
        // What was not saved is lost.
        try await container.performBackgroundTask { context in _ = try context.insert(into: "Person") }
        #expect(try await container.perform { try $0.count("Person") } == 3)
        #expect(try await container.perform { try $0.objects(with: ids).count } == 3)
    }

    @Test("What is not saved is seen in no other context")
    func isolation() async throws {
        let container = try PersistentContainer(model: PeopleModel.model, store: .inMemory)
        try await container.perform { _ = try $0.insert(into: "Person") }
        #expect(try await container.perform { try $0.count("Person") } == 0)
    }

    @Test("The view context is one, on the main actor") @MainActor
    func viewContext() async throws {
        let container = try PersistentContainer(model: PeopleModel.model, store: .inMemory)
        #expect(container.viewContext === container.viewContext)
        let person = try container.viewContext.insert(into: "Person")
        try container.viewContext.save()
        let id = person.objectID
        #expect(try await container.perform { try $0.lookUpObject(with: id)?.string(forKey: "name") } == "buddy")
    }

    @Test("What one container saved in a file the next one finds")
    func sqliteFile() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "People é.sqlite")
        let uri = try await PersistentContainer(model: PeopleModel.model, store: .sqlite(url)).perform { context in
            let (person, pet) = (try context.insert(into: "Person"), try context.insert(into: "Pet"))
            try person.add(pet, forKey: "pets")
            try context.save()
            return person.objectID.uriRepresentation
        }
        let container = try PersistentContainer(model: PeopleModel.model, store: .sqlite(url))
        let id = try #require(container.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri))
        let names = try await container.perform { context in
            try context.lookUpObject(with: id)?.objects(forKey: "pets").map { try $0.object(forKey: "owner")?["name"] }
        }
        #expect(names == ["buddy"])
        // Another model's store is refused.
        #expect(throws: GranaryError.self) {
            try PersistentContainer(model: ConformanceModel.model, store: .sqlite(url))
        }
    }

    @Test("Classes are found by the model's class name, with or without its module")
    func classes() throws {
        for name in ["Hooked", ".Hooked", "App.Hooked"] {
            var model = PeopleModel.model
            model.entities[0].managedObjectClassName = name
            let container = try PersistentContainer(model: model, store: .inMemory, classes: ["Hooked": Hooked.self])
            let context = container.makeContext()
            #expect(try context.insert(into: "Person") is Hooked)
            #expect(try !(context.insert(into: "Pet") is Hooked))
            _ = try context.insert(Hooked.self)
            // Two entities have the plain class.
            #expect(throws: GranaryError.self) { try context.insert(ManagedObject.self) }
        }
    }
}

/// The ID of a new object that a background task has saved; it fails where the task had another's context.
private func insertInBackground(_ container: PersistentContainer) async throws -> ManagedObjectID {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<ManagedObjectID, any Error>) in
        container.performBackgroundTask { context in
            continuation.resume(
                with: Swift.Result {
                    guard context.registeredObjects.isEmpty else {
                        throw GranaryError(.internalDefect, "the context was used before")
                    }
                    let person = try context.insert(into: "Person")
                    try context.save()
                    return person.objectID
                })
        }
    }
}
