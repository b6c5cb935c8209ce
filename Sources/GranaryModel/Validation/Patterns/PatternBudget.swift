import Synchronization

/// How much time a regular expression outside the linear subset may take in all.
///
/// Each match is bounded already; but a million texts that each take a second would take days. Only matches of more than a
/// millisecond are charged, which healthy expressions do not take. The budget is refilled by a tenth of the time that passes, so
/// that a process that runs for months is not cut off.
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

    /// Runs `body`; nil, without running it, where the budget is used up.
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
