import Synchronization

/// The time budget of a regular expression outside the linear subset.
///
/// Each match has a limit, but a million texts of a second each would take days. Only matches of more than a
/// millisecond are charged; ordinary expressions take less. The budget regains a tenth of the elapsed time, so that a
/// long-running process does not exhaust it.
final class PatternBudget: Sendable {
    private struct State {
        var left: Duration
        var last = ContinuousClock.now
    }

    private static let free = Duration.milliseconds(1)

    private let capacity: Duration
    private let state: Mutex<State>

    init(_ capacity: Duration = .seconds(10)) {
        self.capacity = capacity
        state = Mutex(State(left: capacity))
    }

    /// Runs `body`. Returns nil without running it if the budget is exhausted.
    func spend<Result>(_ body: () -> Result) -> Result? {
        let start = ContinuousClock.now
        let isAllowed = state.withLock { state in
            guard state.left <= .zero else { return true }
            state.left = min(capacity, state.left + (start - state.last) / 10)
            state.last = start
            return state.left > .zero
        }
        guard isAllowed else { return nil }
        let result = body()
        let time = ContinuousClock.now - start
        if time > Self.free {
            state.withLock { state in
                state.left -= time
                state.last = ContinuousClock.now
            }
        }
        return result
    }
}
