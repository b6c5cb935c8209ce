import Foundation
import GranaryBase
import GranaryContexts
import GranaryFormats
import GranaryModel
import TestSupport
import Testing

@testable import GranaryFixtures
import GranaryImport
import GranaryRecords

@Suite struct SeedTests {
    @Test("Seeds refer to each other in any order", arguments: FixtureStorage.allCases)
    func order(storage: FixtureStorage) async throws {
        for fixture in [
            Clinic.fixture(Clinic.patients, Clinic.injuries, storage: storage),
            Clinic.fixture(Clinic.injuries, Clinic.patients, storage: storage),
        ] {
            let injuries = try await fixture.withClone { container in
                try await container.perform { context in
                    try context.fetchAll("Patient").map { try $0.object(forKey: "injury")?.string(forKey: "name") }
                }
            }
            #expect(Set(injuries) == ["Burn", nil])
        }
    }

    @Test("A plan is part of the same import; its model and store are not used")
    func plan() async throws {
        let folder = try TemporaryFolder()
        let plan = try folder.write(
            """
            model: Other.xcdatamodeld
            store: Never.sqlite
            imports:
              - entity: Injury
                terms: "${TERMS}"
                delimiter: "%"
                attribute: name
            generate:
              counts: {Ward: 3}
            variables:
              TERMS: "Cardiac"
            """, to: "seed.yaml")
        let model = folder.url.appending(path: "Other.xcdatamodeld")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        let fixture = Clinic.fixture(.plan(plan, variables: ["TERMS": "Burn%Crushing"]), Clinic.patients)
        try await fixture.withClone { container in
            let injuries = try await container.names("Injury")
            #expect(injuries == ["Burn", "Crushing"])
            let wards = try await container.perform { try $0.count("Ward") }
            #expect(wards == 3)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "Never.sqlite").path))
    }

    @Test(
        "A plan that reads standard input or takes subsets is refused",
        arguments: [
            ("imports:\n  - {entity: Injury, file: \"-\", format: csv}", "standard input"),
            ("subsets:\n  - {store: Old.sqlite, from: Injury}", "cannot take subsets"),
        ])
    func refusedPlans(_ keys: String, _ message: String) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("", to: "Old.sqlite")
        let plan = try folder.write("store: Never.sqlite\n" + keys, to: "seed.yaml")
        let error = await #expect(throws: GranaryError.self) { try await Clinic.fixture(.plan(plan)).makeClone() }
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test("Generations with different seed numbers are combined")
    func generations() async throws {
        let fixture = Clinic.fixture(
            .generated(["Patient": 20], randomSeed: 7), Clinic.injuries, .generated(["Ward": 4], randomSeed: 8))
        let counts = try await fixture.withClone { container in
            try await container.perform { context in try ["Injury", "Patient", "Ward"].map { try context.count($0) } }
        }
        #expect(counts == [2, 20, 4])
    }

    @Test("Generations with equal options are one, in any order")
    func equalGenerations() async throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Ward", [.attribute("title", .string), .toMany("beds", "Bed", inverse: "ward")]),
            EntityDescription("Bed", [.toOne("ward", "Ward", inverse: "beds", .required)]),
        ])
        let fixture = Fixture(
            model: .value(model),
            origin: .seeds([.generated(["Bed": 6]), .generated(["Ward": 2]), .generated(["Bed": 3, "Ward": 1])]),
            classes: [:], transformers: nil, storage: .inMemory)
        let (beds, wards) = try await fixture.withClone { container in
            try await container.perform { context in (try context.count("Bed"), try context.count("Ward")) }
        }
        #expect(beds == 9 && wards == 3)
    }

    @Test("A file is named after its entity")
    func file() async throws {
        let folder = try TemporaryFolder()
        let url = try folder.write("name\nBurn\n", to: "Injury.csv")
        let names = try await Clinic.fixture(.file(url)).withClone { try await $0.names("Injury") }
        #expect(names == ["Burn"])
    }

    @Test("A refused seed is an error with the fixture and the diagnostics, and is not built again")
    func refused() async throws {
        let fixture = Clinic.fixture(.text("name,age\nAnn,200\nBob,x\n", format: .csv, entity: "Patient"))
        for _ in 0..<2 {
            let error = await #expect(throws: GranaryError.self) { try await fixture.makeClone() }
            #expect(error?.code == .refused)
            #expect(
                error?.message.hasPrefix("the fixture with the model of Injury, Patient, Ward and the seed text")
                    == true)
            #expect(error?.diagnostics.map(\.code.rawValue) == ["value.tooLarge", "value.syntax"])
        }
        #expect(FixtureCache.buildCount(of: fixture) == 1)
    }

    @Test("Keys are equal for equal seeds and different for others")
    func keys() {
        var options = ImportOptions()
        options.columnMap = ["a": "name", "b": "age", "c": "injury"]
        options.locale = Locale(identifier: "de_DE")
        var same = ImportOptions()
        same.locale = Locale(identifier: "de_DE")
        for name in ["c", "b", "a"] { same.columnMap[name] = ["a": "name", "b": "age", "c": "injury"][name] }
        let file = URL(filePath: "Patient.csv")
        #expect(Seed.file(file, options: options).key == Seed.file(file, options: same).key)
        let source = Seed.source(.text("name\nA\n", format: .csv), entity: "Injury")
        #expect(source.key == source.key)
        let keys = [
            Seed.file(file).key, Seed.file(file, entity: "Patient").key, Seed.file(file, options: options).key,
            Seed.plan(file).key, Seed.plan(file, variables: ["A": "1"]).key,
            Seed.generated(["Patient": 1]).key, Seed.generated(["Patient": 1], randomSeed: 1).key,
            Seed.terms("A%B", entity: "Injury", attribute: "name").key,
            Seed.terms("A%B", entity: "Injury", attribute: "name", ordinal: "key").key,
            Seed.text("A", format: .csv).key, Seed.text("A", format: .tsv).key, source.key,
            Seed.source(.text("name\nA\n", format: .csv), entity: "Injury").key,
        ]
        #expect(Set(keys).count == keys.count)
    }

    @Test("Descriptions name the seeds")
    func descriptions() {
        #expect("\(Clinic.injuries)" == "terms of Injury.name")
        #expect("\(Clinic.patients)" == "text of Patient")
        #expect("\(Seed.file(URL(filePath: "a/patients.csv")))" == "file patients.csv")
        #expect("\(Seed.plan(URL(filePath: "a/seed.yaml")))" == "plan seed.yaml")
        #expect(
            "\(Seed.generated(["Ward": 2, "Patient": 100], randomSeed: 7))"
                == "generated 100 Patient, 2 Ward with the random seed 7")
    }
}
