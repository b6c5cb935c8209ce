import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryGeneration
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranaryFixtures

@Suite struct FixtureTests {
    @Test("Equal fixtures are built once, also by tests that run at the same time", arguments: FixtureStorage.allCases)
    func builtOnce(storage: FixtureStorage) async throws {
        let text = "name\nBurn\nOnce \(storage)\n"
        let makeFixture = { @Sendable in
            Clinic.fixture(.text(text, format: .csv, entity: "Injury"), storage: storage)
        }
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { try await makeFixture().withClone { try await $0.names("Injury").count } }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 2, count: 20))
        #expect(FixtureCache.buildCount(of: makeFixture()) == 1)
    }

    private final class Special: ManagedObject {}

    @Test("Other classes, transformers, models and storages are other fixtures")
    func differences() {
        func makeTransformer() -> AttributeTransformer {
            AttributeTransformer(name: "Text", encode: { (text: String) in Data(text.utf8) }) { data in
                String(decoding: data, as: UTF8.self)
            }
        }
        let transformer = makeTransformer()
        func key(
            _ model: ManagedObjectModel, _ classes: [String: ManagedObject.Type] = [:],
            _ transformers: AttributeTransformers? = nil, _ storage: FixtureStorage = .inMemory
        ) -> Fixture.Key {
            Fixture(
                model: .value(model), origin: .seeds([]), classes: classes, transformers: transformers,
                storage: storage
            ).key
        }
        #expect(key(Clinic.model) == key(Clinic.model))
        #expect(key(Clinic.model) == key(Clinic.model, [:], []))
        #expect(key(Clinic.model, [:], [transformer]) == key(Clinic.model, [:], [transformer]))
        let archive = key(Clinic.model, [:], [.keyedArchive(name: "Own")])
        #expect(archive == key(Clinic.model, [:], [.keyedArchive(name: "Own")]))
        let keys = [
            key(Clinic.model), key(Clinic.model, ["Patient": Special.self]),
            key(Clinic.model, ["Patient": ManagedObject.self]), key(Clinic.model, [:], [transformer]),
            key(Clinic.model, [:], [makeTransformer()]), archive, key(Clinic.model, [:], nil, .temporaryFile),
            key(ManagedObjectModel(entities: [EntityDescription("Cup", [.attribute("name", .string)])])),
        ]
        #expect(Set(keys).count == keys.count)
    }

    @Test("A generator in code is a fixture of its own, which its copies share")
    func customGenerators() async throws {
        func seed(_ generator: CustomGenerator) -> Seed {
            var options = GenerationOptions()
            options.customGenerators["Patient.name"] = generator
            return .generated(["Patient": 3], options: options)
        }
        let numbers = CustomGenerator { .string("P\($0.number)") }
        let fixture = Clinic.fixture(seed(numbers))
        let names = try await fixture.withClone { try await $0.names("Patient") }
        #expect(names == ["P0", "P1", "P2"])
        let again = Clinic.fixture(seed(numbers))
        #expect(again.key == fixture.key)
        let others = try await again.withClone { try await $0.names("Patient") }
        #expect(others == names && FixtureCache.buildCount(of: fixture) == 1)
        #expect(Clinic.fixture(seed(CustomGenerator { .string("P\($0.number)") })).key != fixture.key)
    }

    @Test("Changes of one clone are not seen by another", arguments: FixtureStorage.allCases)
    func isolation(storage: FixtureStorage) async throws {
        let fixture = Clinic.fixture(Clinic.injuries, storage: storage)
        let clones = [try await fixture.makeClone(), try await fixture.makeClone()]
        for (number, clone) in clones.enumerated() { try await clone.container.add("Injury", "New \(number)") }
        try await clones[1].container.perform { context in
            let burn = try #require(try context.fetchAll("Injury").first { try $0.string(forKey: "name") == "Burn" })
            try context.delete(burn)
            try context.save()
        }
        let first = try await clones[0].container.names("Injury")
        let second = try await clones[1].container.names("Injury")
        #expect(first == ["Burn", "Fracture", "New 0"])
        #expect(second == ["Fracture", "New 1"])
        // Clones have the UUID of the first store.
        #expect(Set(clones.map { $0.container.persistentStoreCoordinator.storeIdentifier }).count == 1)
        for clone in clones { clone.end(hasFailed: false) }
        let third = try await fixture.withClone { try await $0.names("Injury") }
        #expect(third == ["Burn", "Fracture"])
    }

    @Test("Uniqueness constraints and new keys continue from the seeds", arguments: FixtureStorage.allCases)
    func continues(storage: FixtureStorage) async throws {
        try await Clinic.fixture(Clinic.injuries, storage: storage).withClone { container in
            try await container.add("Injury", "Cardiac")
            let ids = try await container.perform { context in
                try context.fetchAll("Injury").map { $0.objectID.uriRepresentation.lastPathComponent }.sorted()
            }
            #expect(ids == ["p1", "p2", "p3"])
            await #expect(throws: (any Error).self) { try await container.add("Injury", "Burn") }
        }
    }

    @Test("The end of a clone closes its store and removes its files")
    func end() async throws {
        let clone = try await Clinic.fixture(Clinic.injuries, storage: .temporaryFile).makeClone()
        let url = try #require(clone.container.persistentStoreCoordinator.persistentStores.first?.url)
        #expect(FileManager.default.fileExists(atPath: url.path))
        #expect(clone.end(hasFailed: true) == nil || KeptStores.requested != .none)
        #expect(!FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
        await #expect(throws: (any Error).self) { try await clone.container.add("Injury", "Late") }
    }

    @Test("External binary data is cloned", arguments: FixtureStorage.allCases)
    func externalData(storage: FixtureStorage) async throws {
        let photo = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let seed = Seed.text(
            "name,photo\nAnn,\(photo.base64EncodedString())\n", format: .csv, entity: "Patient")
        let fixture = Clinic.fixture(seed, storage: storage)
        for _ in 0..<2 {
            try await fixture.withClone { container in
                if let url = container.persistentStoreCoordinator.persistentStores.first?.url {
                    let folder = SQLiteStore.supportFolder(ofStore: url.path)
                    #expect(FileManager.default.fileExists(atPath: folder))
                }
                let stored = try await container.perform { context in
                    let patient = try context.fetchAll("Patient").first
                    let data = try patient?.data(forKey: "photo")
                    if let patient { try context.delete(patient) }
                    try context.save()
                    return data
                }
                #expect(stored == photo)
            }
        }
    }

    @Test("A model file that is missing is an error")
    func missingModel() async throws {
        let fixture = Fixture(
            model: .file(URL(filePath: "Missing.xcdatamodeld")), origin: .seeds([]), classes: [:], transformers: nil,
            storage: .inMemory)
        let error = await #expect(throws: GranaryError.self) { try await fixture.makeClone() }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("the model Missing.xcdatamodeld and no seeds") == true)
    }

    @Test("Forty clones", arguments: FixtureStorage.allCases)
    func manyClones(storage: FixtureStorage) async throws {
        let fixture = Clinic.fixture(.generated(["Patient": 500]), storage: storage)
        for _ in 0..<40 {
            let count = try await fixture.withClone { try await $0.perform { try $0.count("Patient") } }
            #expect(count == 500)
        }
        #expect(FixtureCache.buildCount(of: fixture) == 1)
    }

    @Test("The comment on a failure names the fixture")
    func comment() async throws {
        let clone = try await Clinic.fixture(Clinic.injuries).makeClone()
        defer { clone.end(hasFailed: false) }
        #expect(
            clone.comment.hasPrefix(
                "the test ran on the fixture with the model of Injury, Patient, Ward and the seed terms of Injury.name")
        )
    }

    @Test("The words of GRANARY_KEEP_STORES")
    func keeping() {
        let words: [String?] = [nil, "", "0", "1", "failed", "all"]
        let expected: [KeptStores] = [.none, .none, .none, .failed, .failed, .all]
        #expect(words.map { KeptStores($0) } == expected)
    }
}
