import Granary
import GranaryTesting
import Testing
import TriageRules

@Suite struct RulesTests {
    @Test(.seeded(model: model, .generated(["Injury": 8, "Patient": 100], randomSeed: 7)))
    func unconsciousPatientsAreFirst() async throws {
        let isConscious = try await SeededContainer.current.perform { context in
            try Triage.queue(in: context).compactMap { try $0.boolean(forKey: "isConscious") }
        }
        #expect(isConscious.count == 100)
        #expect(isConscious == isConscious.filter { !$0 } + isConscious.filter { $0 })
    }

    /// The patients come before the injuries that they refer to.
    @Test(.seeded(model: model, twoPatients, injuries))
    func prioritiesAreRaised() async throws {
        let container = try SeededContainer.current
        let count = try await container.perform { try Triage.raisePriorities(in: $0) }
        #expect(count == 1)
        await expectStore(container, equals: "raised priorities")
    }

    @Test(.seeded(model: model, .plan(triage.appending(path: "seed.yaml"))), arguments: 1...3)
    func raisingTwiceChangesNothing(round: Int) async throws {
        let second = try await SeededContainer.current.perform { context in
            _ = try Triage.raisePriorities(in: context)
            return try Triage.raisePriorities(in: context)
        }
        #expect(second == 0)
    }

    @Test(
        .seeded(
            model: model, storage: .temporaryFile, injuries,
            .file(triage.appending(path: "responders.csv"), entity: "Responder")))
    func storeInAFile() async throws {
        let counts = try await SeededContainer.current.perform { context in
            (injuries: try context.count("Injury"), responders: try context.count("Responder"))
        }
        #expect(counts.injuries == 2 && counts.responders == 40)
    }
}
