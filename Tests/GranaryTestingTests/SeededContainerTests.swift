import Foundation
import Granary
import GranaryTesting
import TestSupport
import Testing

private let coffee = ManagedObjectModel(entities: [
    EntityDescription(
        "Coffee",
        [
            .attribute("name", .string, .required, .indexed),
            .attribute("brand", .string, .required, .indexed),
            .attribute("rating", .decimal),
        ])
])

private let triage = Samples.url("Triage/Triage.xcdatamodeld")

private var lookups: ImportOptions {
    var options = ImportOptions()
    options.lookups = ["injury": .attribute("name"), "responder": .attribute("badge")]
    return options
}

/// A generated model, whose bundle is a folder of the tests.
private enum CompanyModel: GeneratedModel {
    final class Department: ManagedObject {}

    static let name = "Company"
    static let bundle = Bundle(path: Samples.url("Company").path)
    static var classes: [String: ManagedObject.Type] { ["DepartmentMO": Department.self] }
}

@Suite struct SeededContainerTests {
    @Test(.seeded(model: CompanyModel.self, .generated(["Department": 3])))
    func generatedModel() async throws {
        let count = try await SeededContainer.current.perform { try $0.fetch(CompanyModel.Department.self).count }
        #expect(count == 3)
    }

    @Test(.seeded(model: coffee, .file(Samples.url("Coffee/coffee.csv"), entity: "Coffee")))
    func testFindsSeedsInItsContainer() async throws {
        let names = try await SeededContainer.current.perform { context in
            try context.fetchAll("Coffee").map { try $0.value(forKey: "name") }
        }
        #expect(names.count == 32)
        #expect(names.allSatisfy { $0 != nil })
    }

    @Test(.seeded(model: coffee))
    func testWithoutSeedsFindsNothing() async throws {
        let count = try await SeededContainer.current.perform { try $0.fetchAll("Coffee").count }
        #expect(count == 0)
    }

    @Test(
        .seeded(
            model: triage,
            .terms("Burn%Fracture", entity: "Injury", attribute: "name", ordinal: "key")))
    func modelFileAndConstantTable() async throws {
        let names = try await SeededContainer.current.perform { context in
            var request = FetchRequest("Injury")
            request.sortDescriptors = [ObjectSortDescriptor("key")]
            return try context.fetch(request).map { try $0.string(forKey: "name") }
        }
        #expect(names == ["Burn", "Fracture"])
    }

    @Test(
        "Patients refer to injuries and responders that come after them",
        .seeded(
            model: triage,
            .file(Samples.url("Triage/patients.csv"), entity: "Patient", options: lookups),
            .terms(
                "Blunt Trauma%Burn%C-Spine%Cardiac%Crushing%Fracture%Laceration%Penetration", entity: "Injury",
                attribute: "name", ordinal: "key"),
            .file(Samples.url("Triage/responders.csv"), entity: "Responder")))
    func anyOrder() async throws {
        let counts = try await SeededContainer.current.perform { context in
            try ["Injury", "Responder", "Patient"].map { try context.count($0) }
        }
        #expect(counts == [8, 40, 300])
    }

    @Test(
        "A plan and generated objects",
        .seeded(
            model: triage, .plan(Samples.url("Triage/seed.yaml")), .generated(["Diagnosis": 50], randomSeed: 7)),
        arguments: 0..<2)
    func planAndGeneration(number: Int) async throws {
        let counts = try await SeededContainer.current.perform { context in
            let counts = try ["Injury", "Responder", "Patient", "Diagnosis"].map { try context.count($0) }
            for patient in try context.fetchAll("Patient") { try context.delete(patient) }
            try context.save()
            return counts
        }
        #expect(counts == [8, 40, 300, 50])
    }

    @Test(
        "A store in a temporary file",
        .seeded(model: coffee, storage: .temporaryFile, .text("name,brand\nA,B\n", format: .csv, entity: "Coffee")))
    func temporaryFile() async throws {
        let container = try SeededContainer.current
        let url = try #require(container.persistentStoreCoordinator.persistentStores.first?.url)
        #expect(FileManager.default.fileExists(atPath: url.path))
        let count = try await container.perform { try $0.count("Coffee") }
        #expect(count == 1)
    }

    @Test func missingModelFileFailsTheTest() async throws {
        let test = try #require(Test.current)
        let missing = SeededContainerTrait.seeded(model: Samples.url("Missing.xcdatamodeld"))
        let error = await #expect(throws: GranaryError.self) {
            try await missing.provideScope(for: test, testCase: nil) { Issue.record("the test ran without a model") }
        }
        #expect(error?.code == .unreadable)
    }

    @Test func outsideTheTraitThereIsNoContainer() {
        #expect(throws: GranaryError.self) { try SeededContainer.current }
    }

    /// A fixture that is another store, which the trait copies.
    @Test func copiedStore() async throws {
        let test = try #require(Test.current)
        let folder = try TemporaryFolder()
        let store = folder.url.appending(path: "App.sqlite")
        let file = ImportSource.file(Samples.url("Coffee/coffee.csv"))
        _ = try await Importer(entity: "Coffee", from: file).run(into: store, model: coffee)
        let trait = SeededContainerTrait.seeded(from: store)
        try await trait.provideScope(for: test, testCase: nil) {
            let count = try await SeededContainer.current.perform { try $0.count("Coffee") }
            #expect(count == 32)
        }
    }
}
