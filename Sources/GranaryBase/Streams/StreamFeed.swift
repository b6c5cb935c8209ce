import Foundation

/// Hands elements from a task to a thread that waits for them. One element waits at a time, so that a fast task waits
/// for the thread.
///
/// `@unchecked Sendable` is safe: `cancellation` is constant, and the other properties are accessed only while
/// `condition` is locked.
package final class StreamFeed<Element: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var element: Element?
    private var end: Result<Void, any Error>?
    private var isClosed = false
    private var writer: CheckedContinuation<Bool, Never>?
    private var task: Task<Void, Never>?
    /// Ends the wait for an element.
    private let cancellation: Cancellation?
    /// A cancellation does not wake the waiting thread, which looks for it in this interval.
    private static var interval: TimeInterval { 0.05 }

    package init(cancellation: Cancellation? = Cancellation.current) { self.cancellation = cancellation }

    /// Starts the task that puts the elements. ``close()`` cancels it.
    ///
    /// - Parameter body: calls ``put(_:)`` until that returns false. An error that it throws is thrown by ``next()``.
    package func start(_ body: @escaping @Sendable (StreamFeed<Element>) async throws -> Void) {
        // The values of the thread, such as its cancellation, are not those of the task.
        let task = Task.detached { [weak self] in
            guard let feed = self else { return }
            do {
                try await body(feed)
                feed.finish(.success(()))
            } catch { feed.finish(.failure(error)) }
        }
        let isLate = condition.withLock {
            self.task = task
            return isClosed
        }
        if isLate { task.cancel() }
    }

    /// Leaves an element for the thread, and waits until the thread has taken it.
    ///
    /// - Returns: false if nobody reads any more.
    package func put(_ element: Element) async -> Bool {
        await withCheckedContinuation { continuation in
            condition.lock()
            guard !isClosed else {
                condition.unlock()
                return continuation.resume(returning: false)
            }
            self.element = element
            writer = continuation
            condition.signal()
            condition.unlock()
        }
    }

    private func finish(_ end: Result<Void, any Error>) {
        condition.lock()
        self.end = end
        condition.signal()
        condition.unlock()
    }

    /// Waits for the next element.
    ///
    /// - Returns: nil at the end.
    /// - Throws: ``GranaryError`` with code `interrupted` after a cancellation; the error that ended the task.
    package func next() throws -> Element? {
        condition.lock()
        while element == nil, end == nil, cancellation?.isCancelled != true {
            _ = condition.wait(until: Date(timeIntervalSinceNow: Self.interval))
        }
        let (taken, ended, waiting) = (element, end, writer)
        element = nil
        writer = nil
        condition.unlock()
        waiting?.resume(returning: true)
        do { try cancellation?.check() } catch {
            close()
            throw error
        }
        if let taken { return taken }
        try ended?.get()
        return nil
    }

    /// Ends the task: nobody reads any more.
    package func close() {
        condition.lock()
        isClosed = true
        let waiting = writer
        let task = task
        (writer, element) = (nil, nil)
        condition.unlock()
        waiting?.resume(returning: false)
        task?.cancel()
    }
}
