import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryFixtures
import GranaryFormats
import GranaryModel
import GranaryPredicates

/// The model of the fixtures in these tests: patients without a key refer to injuries with one.
enum Clinic {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Injury",
            [
                .attribute("key", .integer16), .attribute("name", .string, .required),
                .toMany("patients", "Patient", inverse: "injury"),
            ], unique: [["name"]]),
        EntityDescription(
            "Patient",
            [
                .attribute("age", .integer16, .minimum(.integer(0)), .maximum(.integer(130))),
                .attribute("name", .string, .required), .attribute("photo", .binary, .externalStorage),
                .toOne("injury", "Injury", inverse: "patients"), .toMany("wards", "Ward", inverse: "patients"),
            ]),
        EntityDescription(
            "Ward",
            [.attribute("title", .string, .required), .toMany("patients", "Patient", inverse: "wards", .ordered)],
            unique: [["title"]]),
    ])

    static let injuries = Seed.terms("Burn%Fracture", entity: "Injury", attribute: "name", ordinal: "key")
    static let patients = Seed.text("name,age,injury\nAnn,7,Burn\nBob,8,\n", format: .csv, entity: "Patient")

    static func fixture(
        _ seeds: Seed..., storage: FixtureStorage = .inMemory, classes: [String: ManagedObject.Type] = [:]
    ) -> Fixture {
        Fixture(
            model: .value(model), origin: .seeds(seeds), classes: classes, transformers: nil, storage: storage)
    }

    static func fixture(
        from store: URL, model: ManagedObjectModel? = nil, storage: FixtureStorage = .inMemory
    ) -> Fixture {
        Fixture(
            model: model.map { Fixture.Model.value($0) }, origin: .store(store), classes: [:], transformers: nil,
            storage: storage)
    }
}

extension Fixture {
    /// Runs `body` with a clone, which is closed at the end.
    func withClone<Result>(_ body: (PersistentContainer) async throws -> Result) async throws -> Result {
        let clone = try await makeClone()
        defer { clone.end(hasFailed: false) }
        return try await body(clone.container)
    }
}

extension PersistentContainer {
    func names(_ entity: String, _ key: String = "name") async throws -> [String] {
        try await perform { context in
            try context.fetchAll(entity).compactMap { try $0.string(forKey: key) }.sorted()
        }
    }

    func add(_ entity: String, _ value: String, forKey key: String = "name") async throws {
        try await perform { context in
            try context.insert(into: entity).setValue(.string(value), forKey: key)
            try context.save()
        }
    }
}
