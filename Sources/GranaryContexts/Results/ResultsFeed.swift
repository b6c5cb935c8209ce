import GranaryCoordination

/// Waits for saves and reads the changes of results: see ``ResultsUpdates``.
final class ResultsFeed<Value: Sendable>: Sendable {
    private let mailbox: SaveMailbox
    private let read: @Sendable () async throws -> [ResultsSection<Value>]
    private let follow: @Sendable () async throws -> ResultsUpdate<Value>?

    init<Object: ManagedObject>(_ source: ResultsSource<Object, Value>) {
        mailbox = source.mailbox
        read = { try await source.read() }
        follow = { try await source.follow() }
    }

    func current() async throws -> [ResultsSection<Value>] { try await read() }

    /// Returns nil if the task is cancelled or the container was released.
    func next() async throws -> ResultsUpdate<Value>? {
        while let save = await mailbox.next() {
            // All saves that wait by now are merged as one change.
            mailbox.putBack([save])
            if let update = try await follow() { return update }
        }
        return nil
    }
}
