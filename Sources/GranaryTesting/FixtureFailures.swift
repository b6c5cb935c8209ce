import Foundation
import Granary
import GranaryFixtures
import Synchronization
import Testing

/// Adds the fixture to the failures of a test, and notes whether there are any.
final class FixtureFailures: Sendable {
    private let store: any FixtureOfTest
    private let isCurrent: @Sendable () -> Bool
    private let failed = Atomic<Bool>(false)

    /// - Parameter isCurrent: whether the running code has this store, and not that of a trait further inside.
    init(of store: any FixtureOfTest, isCurrent: @escaping @Sendable () -> Bool) {
        self.store = store
        self.isCurrent = isCurrent
    }

    /// Whether the test has failed.
    var hasFailed: Bool { failed.load(ordering: .acquiring) }

    /// Runs the test.
    func watch(
        _ test: Test, _ testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // Outside a test, the testing library has no handler of issues to replace.
        guard Test.current != nil else { return try await function() }
        let handler = IssueHandlingTrait.compactMapIssues { [self] issue in annotated(issue) }
        try await handler.provideScope(for: test, testCase: testCase) {
            do { try await function() } catch {
                guard Self.isFailure(error) else { throw error }
                // The testing library records it outside this scope, where it would have no comment.
                Issue.record(error, sourceLocation: test.sourceLocation)
            }
        }
    }

    /// Closes the store, and keeps it if the environment requests that.
    func end(_ test: Test) {
        let hasFailed = hasFailed
        // The comment of a failure names the folder.
        guard let folder = store.end(hasFailed: hasFailed), !hasFailed else { return }
        KeptStores.note("the store of \(test.name) is kept in \(folder)")
    }

    private func annotated(_ issue: Issue) -> Issue {
        // Inside a test with a trait of its own, the container of its suite's trait is not used.
        guard Self.isFailure(issue), isCurrent() else { return issue }
        failed.store(true, ordering: .releasing)
        var issue = issue
        issue.comments.append(Comment(rawValue: store.comment))
        return issue
    }

    private static func isFailure(_ issue: Issue) -> Bool {
        #if compiler(>=6.3)
            return issue.isFailure
        #else
            // Without severities, only known issues are no failures. They get the comment too.
            return true
        #endif
    }

    /// False for errors with which the testing library itself ends a test: `#require` has recorded its issue, and a
    /// cancelled test (`SkipInfo`, which is not public) has not failed.
    private static func isFailure(_ error: any Error) -> Bool {
        !(error is ExpectationFailedError) && !(error is CancellationError)
            && String(describing: type(of: error)) != "SkipInfo"
    }
}
