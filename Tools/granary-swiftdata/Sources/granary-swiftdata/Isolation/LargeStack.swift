import Foundation
import Synchronization

/// Runs code that can need more stack than the 8 MB of the main thread.
///
/// The parser recurses for nested code, and swift-syntax recurses along the first tokens of nodes: for `.a` 100,000 times,
/// it is 100,000 calls deep.
enum LargeStack {
    /// The size of the stack in bytes. The system provides memory only for the part that is used.
    static let bytes = 512 << 20

    /// Returns the result of `work`.
    static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) -> Result {
        let box = ResultBox<Result>()
        let thread = Thread { box.set(work()) }
        thread.stackSize = bytes
        thread.start()
        return box.wait()
    }
}

/// A result that another thread sets.
private final class ResultBox<Result: Sendable>: Sendable {
    private let result = Mutex<Result?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    func set(_ value: Result) {
        result.withLock { $0 = value }
        isSet.signal()
    }

    func wait() -> Result {
        while true {
            isSet.wait()
            if let value = result.withLock({ $0 }) { return value }
        }
    }
}
