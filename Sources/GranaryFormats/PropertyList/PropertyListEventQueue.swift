import Foundation
import GranaryBase
import GranaryPropertyLists

/// One event and its position.
struct PropertyListStep: Sendable {
    let event: PropertyListEvent
    let place: PropertyListPlace
}

/// A queue of events between a thread that parses a property list and the reader that asks for records.
///
/// The parser pushes events, but records are pulled. Therefore the parser runs on its own thread and waits when it is
/// some batches ahead, so that memory is bounded. When the reader is deallocated it cancels the thread, which ends at
/// its next batch; nothing waits for it.
///
/// Unchecked, because `state` is accessed only while `condition` is locked.
final class PropertyListEventQueue: @unchecked Sendable {
    private struct State {
        var batches: [[PropertyListStep]] = []
        var isFinished = false
        var isCancelled = false
        var failure: GranaryError?
    }

    private static let maximumBatches = 4
    private static let batchCount = 1024
    private static let batchBytes = 1 << 18

    private let condition = NSCondition()
    private var state = State()

    /// Starts parsing `source`, which must not be used elsewhere from now on.
    func start(_ source: ByteSource, limits: PropertyListLimits) {
        // The source has no other user: the reader releases it here.
        nonisolated(unsafe) let source = source
        let thread = Thread { [self] in
            do throws(GranaryError) {
                try run(source, limits: limits)
                finish(nil)
            } catch {
                finish(error)
            }
        }
        thread.name = "Granary property list"
        thread.start()
    }

    /// Waits for the next batch and returns it; nil at the end.
    ///
    /// - Throws: the parser's error, after all events before it were taken.
    func take() throws(GranaryError) -> [PropertyListStep]? {
        condition.lock()
        defer { condition.unlock() }
        while state.batches.isEmpty, !state.isFinished { condition.wait() }
        guard state.batches.isEmpty else {
            condition.broadcast()
            return state.batches.removeFirst()
        }
        if let failure = state.failure { throw failure }
        return nil
    }

    /// Ends the thread soon and discards the parsed events.
    func cancel() {
        condition.lock()
        defer { condition.unlock() }
        state.isCancelled = true
        state.batches = []
        condition.broadcast()
    }

    private func run(_ source: ByteSource, limits: PropertyListLimits) throws(GranaryError) {
        var batch: [PropertyListStep] = []
        var bytes = 0
        do throws(GranaryError) {
            try PropertyList.forEachEvent(of: source, limits: limits) { (event, place) throws(GranaryError) in
                batch.append(PropertyListStep(event: event, place: place))
                switch event {
                case .key(let text), .string(let text): bytes += text.utf8.count
                case .data(let data): bytes += data.count
                default: break
                }
                guard batch.count >= Self.batchCount || bytes >= Self.batchBytes else { return }
                try put(batch)
                batch = []
                bytes = 0
            }
        } catch {
            // Records before the mistake can still be read.
            try put(batch)
            throw error
        }
        try put(batch)
    }

    private func put(_ batch: [PropertyListStep]) throws(GranaryError) {
        condition.lock()
        defer { condition.unlock() }
        while state.batches.count >= Self.maximumBatches, !state.isCancelled { condition.wait() }
        if state.isCancelled { throw GranaryError(.interrupted, "the reader was deallocated") }
        if !batch.isEmpty { state.batches.append(batch) }
        condition.broadcast()
    }

    private func finish(_ failure: GranaryError?) {
        condition.lock()
        defer { condition.unlock() }
        state.failure = failure
        state.isFinished = true
        condition.broadcast()
    }
}
