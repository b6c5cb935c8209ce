import Granary
import GranaryTesting
import Synchronization
import Testing

private let cups = ManagedObjectModel(entities: [EntityDescription("Cup", [.attribute("name", .string, .required)])])

/// One container for all tests of the suite. Each test adds a cup, and the last one to run finds those of the others.
@Suite(.serialized, .seeded(model: cups, .objects("Cup", 2, ["name": .sequence("C%d")])).shared)
struct SharedContainerTests {
    @Test("Tests of a suite see each other's changes in a shared container", arguments: 0..<3)
    func counts(number: Int) async throws {
        let container = try SeededContainer.current
        try await container.add(.objects("Cup", ["name": "Added"]))
        let count = try await container.perform { try $0.count("Cup") }
        #expect(count == 3 + number)
    }

    @Suite struct Inner {
        @Test("A suite inside the suite has the same container")
        func counts() async throws {
            let count = try await SeededContainer.current.perform { try $0.count("Cup") }
            #expect(count >= 2)
        }
    }
}

/// What a failed test of a suite with a shared container says.
@Suite(.serialized, .seeded(model: cups, .objects("Cup", 2, ["name": .sequence("C%d")])).shared)
struct SharedFailureTests {
    private static let trait = SeededContainerTrait.seeded(model: cups, .objects("Cup", 2, ["name": "C"])).shared

    @Test("A failure in a suite with a shared container names the fixture")
    func names() async throws {
        let test = try #require(Test.current)
        let comments = Mutex<[String]>([])
        let collector = IssueHandlingTrait.compactMapIssues { issue in
            comments.withLock { $0 += issue.comments.map(\.rawValue) }
            return nil
        }
        try await collector.provideScope(for: test, testCase: nil) {
            try await Self.trait.provideScope(for: test, testCase: nil) {
                let count = try await SeededContainer.current.perform { try $0.count("Cup") }
                #expect(count == 3)
            }
        }
        let found = comments.withLock { $0 }
        #expect(found.contains { $0.hasPrefix("the test ran on the fixture with the model of Cup") }, "\(found)")
    }

    @Test("Each test of the suite is inside the scope of the suite's trait")
    func scope() async throws {
        let first = try SeededContainer.current
        let test = try #require(Test.current)
        // The trait of the suite itself, as the testing library applies it to a test.
        for trait in test.traits.compactMap({ $0 as? SeededContainerTrait }) {
            try await trait.provideScope(for: test, testCase: nil) {
                let current = try SeededContainer.current
                #expect(current === first)
            }
        }
    }

    @Test("A shared trait has the scope of its suite, and others only those of tests")
    func providers() throws {
        let test = try #require(Test.current)
        #expect(Self.trait.scopeProvider(for: test, testCase: nil) == nil)
        #expect(Self.trait.scopeProvider(for: test, testCase: Test.Case.current) != nil)
    }
}
