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
}
