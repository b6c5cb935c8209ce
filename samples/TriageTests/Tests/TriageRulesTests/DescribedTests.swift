import Granary
import GranaryTesting
import Testing
import TriageRules

extension SeedVariant {
    static let unconscious = SeedVariant("unconscious", ["isConscious": false])
    static let unreachable = SeedVariant("without an address", ["emailid": nil])
}

/// Tests that name the values that matter to them.
@Suite struct DescribedTests {
    @Test(
        .seeded(
            model: model, injuries,
            .objects(
                "Patient", 3, ["name": .sequence("P%03d"), "age": 70, "isConscious": true],
                with: ["injury": .existing(name: "Burn")]),
            .objects("Patient", 2, as: [.unconscious, .unreachable], with: ["injury": .existing("Fracture")])))
    func theUnconsciousComeFirst() async throws {
        let (names, injuries) = try await SeededContainer.current.perform { context in
            let queue = try Triage.queue(in: context)
            return (
                try queue.map { try $0.string(forKey: "name") },
                try queue.map { try $0.object(forKey: "injury")?.string(forKey: "name") }
            )
        }
        #expect(injuries == ["Fracture", "Fracture", "Burn", "Burn", "Burn"])
        #expect(Set(names.suffix(3)) == ["P001", "P002", "P003"])
    }

    @Test(
        .seeded(
            model: model,
            .objects(
                "Responder", 2,
                with: ["patients": .new(3, ["age": 40], with: ["injury": .new(["name": .sequence("Cut %d")])])]))
    )
    func newObjectsHaveNewObjects() async throws {
        let counts = try await SeededContainer.current.perform { context in
            [try context.count("Patient", where: "age == 40 AND responder != nil"), try context.count("Responder")]
        }
        #expect(counts == [6, 2])
    }

    @Test(.seeded(model: model, .generated(["Patient": 20], randomSeeds: 1...5)))
    func everyPatientIsInTheQueue() async throws {
        let count = try await SeededContainer.current.perform { try Triage.queue(in: $0).count }
        #expect(count == 20)
    }

    @Test(.seeded(model: model, .generated(["Patient": 40, "Responder": 4], randomSeed: 3, options: busy)))
    func everyResponderHasTenPatients() async throws {
        let (counts, names) = try await SeededContainer.current.perform { context in
            (
                try context.fetchAll("Responder").map { try $0.objects(forKey: "patients").count },
                try context.fetchAll("Patient").map { try $0.string(forKey: "name") }
            )
        }
        #expect(counts == [10, 10, 10, 10])
        #expect(names.first == "Patient 0")
    }

    @Test(.seededStore(model: model, injuries, twoPatients))
    func anotherStackOpensTheFile() async throws {
        let container = try PersistentContainer(
            model: ManagedObjectModel(contentsOf: model), store: .sqlite(try SeededStore.current.url))
        let count = try await container.perform { try Triage.queue(in: $0).count }
        #expect(count == 2)
    }
}

private let names = CustomGenerator { .string("Patient \($0.number)") }

private var busy: GenerationOptions {
    var options = GenerationOptions()
    options.customGenerators["Patient.name"] = names
    options.linkCounts["Responder.patients"] = "10"
    return options
}

/// All tests read the same objects.
@Suite(.seeded(model: model, injuries, .objects("Patient", 5, ["priority": 2])).shared)
struct SharedTests {
    @Test(arguments: 1...3)
    func thereAreFive(round: Int) async throws {
        let count = try await SeededContainer.current.perform { try Triage.queue(in: $0).count }
        #expect(count == 5)
    }
}
