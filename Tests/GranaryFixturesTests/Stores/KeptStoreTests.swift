import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranaryFixtures

@Suite struct KeptStoreTests {
    @Test("A kept store has the objects that the test saved", arguments: FixtureStorage.allCases)
    func kept(storage: FixtureStorage) async throws {
        let folder = try TemporaryFolder()
        let kept = folder.url.appending(path: "kept/1").path
        let fixture = Clinic.fixture(Clinic.injuries, storage: storage)
        let clone = try FixtureClone(
            of: fixture, try await FixtureCache.template(of: fixture), keeping: .failed, in: kept)
        #expect(clone.comment.hasSuffix("; its store is kept in \(kept)"))
        try await clone.container.add("Injury", "Cardiac")
        #expect(clone.end(hasFailed: true) == kept)
        let store = URL(filePath: kept).appending(path: "Store.sqlite")
        let container = try PersistentContainer(model: Clinic.model, store: .sqlite(store))
        let names = try await container.names("Injury")
        #expect(names == ["Burn", "Cardiac", "Fracture"])
    }

    @Test("The store of a test that has not failed is not kept")
    func notKept() async throws {
        let folder = try TemporaryFolder()
        let kept = folder.url.appending(path: "kept/1").path
        let fixture = Clinic.fixture(Clinic.injuries)
        let template = try await FixtureCache.template(of: fixture)
        let clone = try FixtureClone(of: fixture, template, keeping: .failed, in: kept)
        #expect(clone.end(hasFailed: false) == nil)
        #expect(!FileManager.default.fileExists(atPath: kept))
        let all = try FixtureClone(of: fixture, template, keeping: .all, in: kept)
        #expect(all.end(hasFailed: false) == kept)
    }

    @Test("A store that SQLite cannot hold is kept as an archive")
    func archive() async throws {
        let folder = try TemporaryFolder()
        let kept = folder.url.appending(path: "kept/1").path
        let model = ManagedObjectModel(entities: [EntityDescription("Price", [.attribute("amount", .decimal)])])
        let fixture = Fixture(
            model: .value(model), origin: .seeds([]), classes: [:], transformers: nil, storage: .inMemory)
        let clone = try FixtureClone(
            of: fixture, try await FixtureCache.template(of: fixture), keeping: .all, in: kept)
        let amount = try #require(Decimal(string: "0.12345678901234567890123456789"))
        try await clone.container.perform { context in
            try context.insert(into: "Price").setValue(.decimal(amount), forKey: "amount")
            try context.save()
        }
        #expect(clone.end(hasFailed: false) == kept)
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept) == ["Store.plist"])
    }
}
