import Granary
import GranaryTesting
import Synchronization
import Testing

private let cups = ManagedObjectModel(entities: [EntityDescription("Cup", [.attribute("name", .string, .required)])])

/// What a failed test with the trait says.
@Suite struct SeededFailureTests {
    private struct Refusal: Error {}

    /// Collects the issues of a test, so that they do not fail this one.
    private final class Issues: Sendable {
        private let issues = Mutex<[Issue]>([])

        func add(_ issue: Issue) { issues.withLock { $0.append(issue) } }

        var all: [Issue] { issues.withLock { $0 } }
    }

    private func issues(of body: @escaping @Sendable () async throws -> Void) async throws -> [Issue] {
        let test = try #require(Test.current)
        let issues = Issues()
        let collector = IssueHandlingTrait.compactMapIssues { issue in
            issues.add(issue)
            return nil
        }
        let trait = SeededContainerTrait.seeded(model: cups, .text("name\nA\n", format: .csv, entity: "Cup"))
        try await collector.provideScope(for: test, testCase: nil) {
            try await trait.provideScope(for: test, testCase: nil, performing: body)
        }
        return issues.all
    }

    private static let comment = "the test ran on the fixture with the model of Cup and the seed text of Cup"

    @Test("A failed expectation names the fixture")
    func expectation() async throws {
        let found = try await issues {
            let count = try await SeededContainer.current.perform { try $0.count("Cup") }
            #expect(count == 2, "there are two cups")
        }
        let issue = try #require(found.first)
        #expect(found.count == 1)
        #expect(issue.comments.contains { $0.rawValue == "there are two cups" })
        #expect(issue.comments.contains { $0.rawValue.hasPrefix(Self.comment) })
    }

    @Test("An error of the test is recorded once, and names the fixture")
    func error() async throws {
        let found = try await issues { throw Refusal() }
        let issue = try #require(found.first)
        #expect(found.count == 1)
        #expect(issue.error is Refusal)
        #expect(issue.comments.contains { $0.rawValue.hasPrefix(Self.comment) })
    }

    @Test("In a test with a trait inside a suite with one, a failure names the test's fixture only")
    func inner() async throws {
        let found = try await issues {
            let test = try #require(Test.current)
            let trait = SeededContainerTrait.seeded(model: cups, .generated(["Cup": 3]))
            try await trait.provideScope(for: test, testCase: nil) {
                let count = try await SeededContainer.current.perform { try $0.count("Cup") }
                #expect(count == 2)
                throw Refusal()
            }
        }
        #expect(found.count == 2)
        for issue in found {
            let names = issue.comments.map(\.rawValue).filter { $0.hasPrefix("the test ran on the fixture") }
            #expect(names.count == 1)
            #expect(names.first?.contains("generated 3 Cup") == true)
        }
    }

    @Test("A test without failures has no issues")
    func success() async throws {
        let found = try await issues { _ = try SeededContainer.current }
        #expect(found.isEmpty)
    }

    @Test("A cancellation is no failure, and is thrown on")
    func cancellation() async throws {
        await #expect(throws: CancellationError.self) { try await issues { throw CancellationError() } }
    }
}
