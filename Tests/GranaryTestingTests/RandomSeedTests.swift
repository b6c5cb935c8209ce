import Granary
import GranaryTesting
import Synchronization
import Testing

private let cups = ManagedObjectModel(entities: [
    EntityDescription("Cup", [.attribute("name", .string, .required), .attribute("size", .integer16)])
])

/// Tests that run with many random seeds.
@Suite struct RandomSeedTests {
    private struct Result {
        /// How often the test has run.
        let runs: Int
        let issues: [Issue]
    }

    /// Runs a test with random seeds that fails in one run.
    private func run(_ seeds: ClosedRange<Int>, failingRun: Int) async throws -> Result {
        let test = try #require(Test.current)
        let runs = Atomic<Int>(0)
        let issues = Mutex<[Issue]>([])
        let collector = IssueHandlingTrait.compactMapIssues { issue in
            issues.withLock { $0.append(issue) }
            return nil
        }
        try await collector.provideScope(for: test, testCase: nil) {
            let trait = SeededContainerTrait.seeded(model: cups, .generated(["Cup": 2], randomSeeds: seeds))
            try await trait.provideScope(for: test, testCase: nil) {
                let count = try await SeededContainer.current.perform { try $0.count("Cup") }
                #expect(count == 2)
                let (number, _) = runs.add(1, ordering: .relaxed)
                #expect(number + 1 != failingRun, "the test fails on purpose")
            }
        }
        return Result(runs: runs.load(ordering: .relaxed), issues: issues.withLock { $0 })
    }

    @Test("A test runs once for each random seed")
    func all() async throws {
        let result = try await run(3...7, failingRun: 0)
        #expect(result.runs == 5)
        #expect(result.issues.isEmpty)
    }

    @Test("The test ends with the first random seed that fails, which the failure names")
    func smallest() async throws {
        let result = try await run(3...7, failingRun: 2)
        #expect(result.runs == 2)
        let issue = try #require(result.issues.first)
        #expect(result.issues.count == 1)
        #expect(issue.comments.contains { $0.rawValue.contains("with the random seed 4") })
    }

    @Test("Ranges that differ, and those that are too long, are refused")
    func refused() async throws {
        let test = try #require(Test.current)
        for (seeds, message) in [
            (Seed.generated(["Cup": 1], randomSeeds: 1...3), "must be equal ranges"),
            (.generated(["Cup": 1], randomSeeds: 1...20_000), "must be equal ranges"),
        ] {
            let trait = SeededContainerTrait.seeded(model: cups, seeds, .generated(["Cup": 1], randomSeeds: 1...2))
            await #expect { try await trait.provideScope(for: test, testCase: nil) {} } throws: {
                "\($0)".contains(message)
            }
        }
        let long = SeededContainerTrait.seeded(model: cups, .generated(["Cup": 1], randomSeeds: 0...Int.max))
        await #expect { try await long.provideScope(for: test, testCase: nil) {} } throws: {
            "\($0)".contains("at most 10000 random seeds")
        }
        let negative = SeededContainerTrait.seeded(model: cups, .generated(["Cup": 1], randomSeeds: Int.min...3))
        await #expect { try await negative.provideScope(for: test, testCase: nil) {} } throws: {
            "\($0)".contains("are numbers from 0")
        }
    }

    @Test("The form of the documents compiles", .seeded(model: cups, .generated(["Cup": 2], randomSeeds: 1...3)))
    func documented() async throws {
        let count = try await SeededContainer.current.perform { try $0.count("Cup") }
        #expect(count == 2)
    }
}
