import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryModel
import Testing

@testable import GranaryFixtures

/// A test run of 1,000 tests, each with its own store of 10,000 rows.
@Suite struct FixtureLongTests {
    @Test("A thousand clones of a store with 10,000 rows", arguments: FixtureStorage.allCases)
    func thousandClones(storage: FixtureStorage) async throws {
        let fixture = Clinic.fixture(
            Clinic.injuries, .generated(["Patient": 9_998], randomSeed: 7), storage: storage)
        // Builds the template.
        try await fixture.withClone { _ in }
        let start = ContinuousClock.now
        for number in 0..<1000 {
            let count = try await fixture.withClone { container in
                try await container.add("Injury", "New \(number)")
                return try await container.perform { try $0.count("Injury") + $0.count("Patient") }
            }
            try #require(count == 10_001)
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print("\(storage): \(Int(1000 / seconds)) clones of 10,000 rows a second, with a save in each")
    }

    @Test("Two hundred clones are of one build", arguments: FixtureStorage.allCases)
    func manyClones(storage: FixtureStorage) async throws {
        let fixture = Clinic.fixture(.generated(["Patient": 500]), storage: storage)
        for _ in 0..<200 {
            let count = try await fixture.withClone { try await $0.perform { try $0.count("Patient") } }
            #expect(count == 500)
        }
        #expect(FixtureCache.buildCount(of: fixture) == 1)
    }
}
