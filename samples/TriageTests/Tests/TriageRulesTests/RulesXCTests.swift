import Granary
import GranaryXCTest
import TriageRules
import XCTest

final class RulesXCTests: XCTestCase {
    func testPrioritiesAreRaised() async throws {
        let container = try await seededContainer(model: model, injuries, twoPatients)
        let count = try await container.perform { try Triage.raisePriorities(in: $0) }
        XCTAssertEqual(count, 1)
        await expectStore(container, equals: "raised priorities")
    }

    func testGeneratedPatients() async throws {
        let container = try await seededContainer(
            model: model, storage: .temporaryFile, .generated(["Patient": 50], randomSeed: 7))
        let count = try await container.perform { try Triage.queue(in: $0).count }
        XCTAssertEqual(count, 50)
    }

    func testOldPatients() async throws {
        let container = try await sharedContainer(model: model, injuries, .objects("Patient", 2, ["age": 70]))
        let count = try await container.perform { try $0.count("Patient", where: "age == 70") }
        XCTAssertEqual(count, 2)
    }

    func testTheFileOfAStore() async throws {
        let url = try await seededStore(model: model, injuries, twoPatients)
        let container = try PersistentContainer(model: ManagedObjectModel(contentsOf: model), store: .sqlite(url))
        let count = try await container.perform { try Triage.queue(in: $0).count }
        XCTAssertEqual(count, 2)
    }
}
