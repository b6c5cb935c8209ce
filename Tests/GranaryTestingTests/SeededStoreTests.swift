import Foundation
import Granary
import GranaryTesting
import Synchronization
import TestSupport
import Testing

private let triage = Samples.url("Triage/Triage.xcdatamodeld")

/// Tests that open the store file themselves, here with Granary's own container.
@Suite struct SeededStoreTests {
    private func open(_ url: URL) throws -> PersistentContainer {
        try PersistentContainer(model: ManagedObjectModel(contentsOf: triage), store: .sqlite(url))
    }

    private func files(beside url: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path).sorted()
    }

    @Test(.seededStore(model: triage, .generated(["Patient": 12], randomSeed: 7)))
    func theFileIsClosedAndComplete() async throws {
        let url = try SeededStore.current.url
        #expect(try files(beside: url) == [url.lastPathComponent])
        let container = try open(url)
        #expect(try await container.perform { try $0.count("Patient") } == 12)
        #expect(throws: GranaryError.self) { try SeededContainer.current }
    }

    /// Both change their file, and neither sees the other's change.
    @Test(.seededStore(model: triage, .generated(["Patient": 12], randomSeed: 7)), arguments: 0..<4)
    func eachCaseHasItsOwnFile(number: Int) async throws {
        let container = try open(try SeededStore.current.url)
        let count = try await container.perform { context in
            for index in 0..<number {
                let diagnosis = try context.insert(into: "Diagnosis")
                try diagnosis.setValue(.string("S-10\(index)"), forKey: "code")
                try diagnosis.setValue("Title", forKey: "title")
            }
            try context.save()
            return try context.count("Diagnosis")
        }
        #expect(count == number)
    }

    @Suite(.seededStore(model: triage, .terms("Burn%Cut", entity: "Injury", attribute: "name", ordinal: "key")))
    struct OfASuite {
        @Test func theTestHasTheFileOfTheSuite() async throws {
            let store = try PersistentContainer(
                model: ManagedObjectModel(contentsOf: triage), store: .sqlite(SeededStore.current.url))
            #expect(try await store.perform { try $0.count("Injury") } == 2)
        }

        @Test(.seededStore(model: triage))
        func aTraitOfTheTestComesFirst() async throws {
            let store = try PersistentContainer(
                model: ManagedObjectModel(contentsOf: triage), store: .sqlite(SeededStore.current.url))
            #expect(try await store.perform { try $0.count("Injury") } == 0)
        }
    }

    @Test func theFileIsRemovedAfterTheTest() async throws {
        let trait: SeededStoreTrait = .seededStore(model: triage)
        let test = try #require(Test.current)
        let url = Mutex<URL?>(nil)
        try await trait.provideScope(for: test, testCase: nil) {
            let current = try SeededStore.current.url
            #expect(FileManager.default.fileExists(atPath: current.path))
            url.withLock { $0 = current }
        }
        let folder = try #require(url.withLock { $0 }).deletingLastPathComponent()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func aCopyOfAStoreHasItsExternalFiles() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "S.sqlite")
        let model = ManagedObjectModel(entities: [
            EntityDescription("Photo", [.attribute("data", .binary, .externalStorage)])
        ])
        let container = try PersistentContainer(model: model, store: .sqlite(url))
        try await container.perform { context in
            let photo = try context.insert(into: "Photo")
            try photo.setValue(.binary(Data(repeating: 7, count: 300_000)), forKey: "data")
            try context.save()
        }
        for store in container.persistentStoreCoordinator.persistentStores {
            try container.persistentStoreCoordinator.remove(store)
        }
        let trait: SeededStoreTrait = .seededStore(from: url)
        try await trait.provideScope(for: try #require(Test.current), testCase: nil) {
            let copy = try PersistentContainer(model: model, store: .sqlite(SeededStore.current.url))
            let size = try await copy.perform { context in
                guard case .binary(let data)? = try context.fetchAll("Photo").first?.value(forKey: "data") else {
                    return 0
                }
                return data.count
            }
            #expect(size == 300_000)
        }
    }

    @Test func outsideATestWithTheTraitThereIsNoStore() {
        #expect(throws: GranaryError.self) { try SeededStore.current }
    }

    @Test func aRefusedSeedIsAnErrorWithTheFixture() async throws {
        let trait: SeededStoreTrait = .seededStore(
            model: triage, .text("name,age\nAnn,900\n", format: .csv, entity: "Patient"))
        let test = try #require(Test.current)
        let error = await #expect(throws: GranaryError.self) {
            try await trait.provideScope(for: test, testCase: nil) {}
        }
        #expect(error?.message.contains("Triage.xcdatamodeld") == true)
        #expect(error?.diagnostics.contains { $0.property == "age" } == true)
    }
}
