/// Runs `body`, and cancels it after a time.
///
/// - Throws: ``DeadlineError`` after the time; any error from `body`.
func within<Value: Sendable>(
    _ time: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: body)
        group.addTask {
            try await Task.sleep(for: time)
            throw DeadlineError()
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw DeadlineError() }
        return first
    }
}

/// The time of an operation has passed.
struct DeadlineError: Error {}
