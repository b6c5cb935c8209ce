import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryExport
@testable import GranaryGeneration
@testable import GranaryImport
@testable import GranarySeedPlans
@testable import SeedingTestSupport

/// What a generation does to a store, and that it can be repeated.
@Suite struct GenerationRunTests {
    private static let clinic = ManagedObjectModel(entities: [
        EntityDescription(
            "Injury", [.attribute("name", .string, .required), .toMany("patients", "Patient", inverse: "injury")],
            unique: [["name"]]),
        EntityDescription(
            "Patient",
            [
                .attribute("name", .string, .required), .attribute("age", .integer16), .attribute("email", .string),
                .toOne("injury", "Injury", inverse: "patients", .required),
                .toMany("responders", "Responder", inverse: "patients"),
            ], unique: [["email"]]),
        EntityDescription(
            "Responder",
            [
                .attribute("name", .string, .required), .attribute("badge", .string, .required),
                .toMany("patients", "Patient", inverse: "responders", .ordered),
            ], unique: [["badge"]]),
    ])

    private static let counts = ["Injury": 8, "Patient": 700, "Responder": 12]

    @Test("The same seed number gives the same objects, another one gives others")
    func deterministic() throws {
        let first = try Generated.of(Self.clinic, Self.counts) { $0.randomSeed = 7 }
        let again = try Generated.of(Self.clinic, Self.counts) { $0.randomSeed = 7 }
        let other = try Generated.of(Self.clinic, Self.counts) { $0.randomSeed = 8 }
        #expect(try first.document == again.document)
        #expect(try first.document != other.document)
        #expect(try first.findings == [])
        #expect(try other.findings == [])
    }

    @Test("The values are fixed for all machines and versions")
    func fixedValues() throws {
        let generated = try Generated.of(Self.clinic, ["Injury": 2, "Patient": 3]) { $0.randomSeed = 7 }
        #expect(try generated.texts("Patient", "name") == ["Jack Edwards", "Nina Gibson", "Ines Young"])
    }

    @Test("Another entity changes no value of the others")
    func independent() throws {
        let before = try Generated.of(Self.clinic, ["Injury": 5, "Patient": 20])
        var model = Self.clinic
        model.entities.insert(
            EntityDescription("Ambulance", [.attribute("name", .string)], unique: [["name"]]), at: 0)
        let after = try Generated.of(model, ["Ambulance": 9, "Injury": 5, "Patient": 20, "Responder": 3])
        for (entity, name) in [("Injury", "name"), ("Patient", "name"), ("Patient", "age"), ("Patient", "email")] {
            #expect(try before.values(entity, name) == after.values(entity, name), "\(entity).\(name)")
        }
    }

    @Test("Ten objects and ten more have the values of twenty, and unique values continue")
    func appended() throws {
        let once = try Generated.of(Self.clinic, ["Injury": 20])
        let twice = try Generated.of(Self.clinic, ["Injury": 10])
        try twice.add(["Injury": 10])
        #expect(try once.values("Injury", "name") == twice.values("Injury", "name"))
        #expect(try twice.findings == [])
        // Counts that include the stored objects.
        let filled = try twice.add(["Injury": 25]) { $0.fillsUp = true }
        #expect(filled.count == 5)
        #expect(try twice.add(["Injury": 25]) { $0.fillsUp = true }.count == 0)
        #expect(try twice.store.count(entity: 0) == 25)
    }

    @Test("Values of stored objects are skipped")
    func skipped() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Slot", [.attribute("number", .integer16, .required, .minimum(1), .maximum(9))], unique: [["number"]])
        ])
        let generated = try Generated(model)
        for (key, number) in [(1, 4), (2, 9)] {
            try ExportSamples.insert("Slot", Int64(key), ["number": .integer(Int64(number))], into: generated.store)
        }
        let error = #expect(throws: GranaryError.self) { try generated.add(["Slot": 8]) }
        #expect(error?.diagnostics.first?.message.contains("The largest count is 7") ?? false)
        #expect(try generated.store.count(entity: 0) == 2)
        try generated.add(["Slot": 7])
        #expect(Set(try generated.values("Slot", "number")).count == 9)
        #expect(try generated.findings == [])
    }

    @Test("Objects are linked to stored objects where none of the destination are generated")
    func linkedToStored() throws {
        let generated = try Generated.of(Self.clinic, ["Injury": 3, "Responder": 2])
        let versions = try generated.store.versions(root: 0, keys: [1, 2, 3])
        try generated.add(["Patient": 40])
        #expect(try generated.findings == [])
        #expect(try generated.degrees("Patient", "injury") == Array(repeating: 1, count: 40))
        #expect(try generated.degrees("Responder", "patients").reduce(0, +) > 0)
        let after = try generated.store.versions(root: 0, keys: [1, 2, 3])
        #expect(after.filter { versions[$0.key] != $0.value }.count > 0)
    }

    @Test("Stored objects are changed only for objects that need them")
    func neededStored() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Team", [.toMany("members", "Member", inverse: "team", .required, .count(2, 3))]),
            EntityDescription("Member", [.toOne("team", "Team", inverse: "members")]),
        ])
        let generated = try Generated.of(model, ["Member": 7])
        try generated.add(["Team": 2])
        #expect(try generated.findings == [])
        #expect(try generated.degrees("Team", "members").allSatisfy { (2...3).contains($0) })
        #expect(throws: GranaryError.self) { try generated.add(["Team": 2]) }
        #expect(try generated.store.count(entity: 1) == 2)
    }

    @Test("Stores in memory and both loaders have the same objects")
    func stores() throws {
        let pages = try Generated.of(Self.clinic, Self.counts)
        let memory = try ExportSamples.store(Self.clinic)
        let report = try Generator(counts: Self.counts).run(into: memory)
        #expect(report.entities.map(\.name) == ["Injury", "Patient", "Responder"])
        #expect(report.ledger == "generated 720 objects: Injury 8, Patient 700, Responder 12")
        var options = ExportOptions()
        options.reference = .id
        #expect(try ExportSamples.json(memory, options, shape: .document) == pages.document)
        let sql = try Generated(Self.clinic)
        var run = ImportRunOptions()
        run.loader = .sql
        let written = try Generator(counts: Self.counts, run: run).run(into: sql.store)
        #expect(written.loader == "sql")
        #expect(try sql.document == pages.document)
    }

    @Test("A dry run and a refused run leave no objects")
    func rolledBack() throws {
        let generated = try Generated(Self.clinic)
        var run = ImportRunOptions()
        run.isDryRun = true
        let report = try Generator(counts: Self.counts, run: run).run(into: generated.store)
        #expect(report.isDryRun && report.count == 720)
        #expect(try generated.document == Generated(Self.clinic).document)
    }

    @Test("A container and a file")
    func containerAndFile() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "New.sqlite")
        let generator = Generator(counts: Self.counts)
        let report = try await generator.run(into: url, model: Self.clinic)
        #expect(report.count == 720 && report.store == url.path(percentEncoded: false))
        #expect(FileManager.default.fileExists(atPath: url.path))
        let container = try PersistentContainer(model: Self.clinic, store: .inMemory)
        #expect(try await generator.run(into: container).count == 720)
        let count = try await container.perform { context in
            try context.count(for: FetchRequest<ManagedObject>(entityName: "Patient"))
        }
        #expect(count == 700)
    }

    @Test("Derived attributes, composites and inheritance")
    func otherModels() throws {
        var model = ManagedObjectModel(entities: [
            EntityDescription(
                "Author",
                [
                    .attribute("name", .string, .required),
                    .attribute("searchName", .string, .derived("canonical:(name)")),
                    .attribute("bookCount", .integer32, .required, .derived("books.@count")),
                    .attribute("address", .composite, .composite("Address")),
                    .toMany("books", "Item", inverse: "author"),
                ]),
            EntityDescription(
                "Item",
                [.attribute("code", .string, .required), .toOne("author", "Author", inverse: "books", .required)],
                isAbstract: true, unique: [["code"]]),
            EntityDescription("Book", [.attribute("pages", .integer16, .minimum(1))], superentity: "Item"),
            EntityDescription("Film", [.attribute("minutes", .integer16, .minimum(1))], superentity: "Item"),
        ])
        let address = CompositeDescription(
            name: "Address",
            elements: [
                AttributeDescription(name: "city", type: .string), AttributeDescription(name: "zip", type: .string),
            ])
        model.composites = [address]
        let generated = try Generated.of(model, ["Author": 6, "Book": 20, "Film": 15])
        #expect(try generated.findings == [])
        let codes = try generated.texts("Book", "code") + generated.texts("Film", "code")
        #expect(codes.count == 35 && Set(codes).count == 35)
        #expect(try generated.values("Author", "bookCount").allSatisfy { $0 != nil })
        let cities = try generated.texts("Author", "address.city")
        #expect(cities.allSatisfy { WordLists.english.cities.contains($0) })
    }

    @Test("An unknown transformer: NULL if optional, refused if required")
    func transformers() throws {
        func model(_ options: AttributeOption...) -> ManagedObjectModel {
            var entity = EntityDescription(
                "Shape", [.attribute("path", .transformable, .transformer("PathTransformer"))])
            entity.attributes[0].isOptional = options.isEmpty
            return ManagedObjectModel(entities: [entity])
        }
        #expect(try Generated.of(model(), ["Shape": 2]).values("Shape", "path") == [nil, nil])
        let problems = try Generated.problems(model(.required), ["Shape": 2])
        #expect(problems.count == 1 && problems[0].message.contains("PathTransformer"), "\(problems)")
    }

    @Test("Regular expressions outside the subset are refused")
    func patterns() throws {
        for pattern in ["(a)\\1", "(?=a)a", "\\p{Lu}+", "a{3}b{2}(?<!x)"] {
            let model = ManagedObjectModel(entities: [
                EntityDescription("Thing", [.attribute("value", .string, .required, .pattern(pattern))])
            ])
            let problems = try Generated.problems(model, ["Thing": 2])
            #expect(problems.map(\.code) == [.valuePattern], "\(pattern): \(problems)")
            #expect(problems.first?.entity == "Thing" && problems.first?.property == "value")
        }
    }
}
