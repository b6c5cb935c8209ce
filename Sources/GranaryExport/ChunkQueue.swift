import Foundation
import GranaryBase
import Synchronization

/// Hands the bytes of an export from its thread to a task that may read slowly.
///
/// The export does not wait for the reader, because it has the stores meanwhile: what the reader has not taken is kept in
/// memory up to a limit, and beyond it in a temporary file.
final class ChunkQueue: Sendable {
    private struct State {
        var memory: [Data] = []
        var memoryBytes = 0
        /// The part of the temporary file that was not read. Its bytes are newer than those in memory.
        var spooled = 0..<0
        var end: Result<Void, any Error>?
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?

        var isReady: Bool { !memory.isEmpty || !spooled.isEmpty || end != nil || isClosed }

        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            defer { waiter = nil }
            return waiter
        }
    }

    private enum Taken {
        case chunk(Data?)
        case spooled(place: Int, count: Int)
        case nothing
    }

    private let state = Mutex(State())
    private let spool = ByteSpool(keepsFiles: true)
    /// The number of bytes in memory.
    private let limit: Int
    private static let spooledChunk = 1 << 16
    private static let name = "<export>"

    init(limit: Int = 1 << 20) { self.limit = limit }

    /// Adds bytes.
    ///
    /// - Throws: ``GranaryError``: `interrupted` if nobody reads any more; as ``ByteSpool/append(_:of:)``.
    func put(_ bytes: UnsafeRawBufferPointer) throws(GranaryError) {
        guard !bytes.isEmpty else { return }
        let isKept = state.withLock { state in
            guard !state.isClosed, state.spooled.isEmpty, bytes.count <= limit - state.memoryBytes else { return false }
            state.memory.append(Data(bytes))
            state.memoryBytes += bytes.count
            return true
        }
        if !isKept {
            if state.withLock(\.isClosed) { throw Self.interrupted }
            let place = try spool.append(bytes, of: Self.name)
            state.withLock { state in
                let start = state.spooled.isEmpty ? place : state.spooled.lowerBound
                state.spooled = start..<place + bytes.count
            }
        }
        state.withLock { $0.takeWaiter() }?.resume()
    }

    func finish(_ end: Result<Void, any Error>) {
        let waiter = state.withLock { state in
            state.end = end
            return state.takeWaiter()
        }
        waiter?.resume()
    }

    /// Nobody reads any more.
    func close() {
        let waiter = state.withLock { state in
            state.isClosed = true
            (state.memory, state.memoryBytes) = ([], 0)
            return state.takeWaiter()
        }
        waiter?.resume()
    }

    /// Waits for the next bytes.
    ///
    /// - Returns: nil at the end.
    /// - Throws: the error that ended the export; ``GranaryError`` with code `interrupted` if the task is cancelled.
    func next() async throws -> Data? {
        while true {
            switch try state.withLock({ try Self.take(&$0) }) {
            case .chunk(let data): return data
            case .spooled(let place, let count): return try read(at: place, count)
            case .nothing: await wait()
            }
        }
    }

    private static func take(_ state: inout State) throws -> Taken {
        if state.isClosed { throw interrupted }
        if let first = state.memory.first {
            state.memory.removeFirst()
            state.memoryBytes -= first.count
            return .chunk(first)
        }
        if !state.spooled.isEmpty {
            let (place, count) = (state.spooled.lowerBound, min(spooledChunk, state.spooled.count))
            state.spooled = place + count..<state.spooled.upperBound
            return .spooled(place: place, count: count)
        }
        guard let end = state.end else { return .nothing }
        try end.get()
        return .chunk(nil)
    }

    private func read(at place: Int, _ count: Int) throws(GranaryError) -> Data {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        try spool.readAll(at: place, into: buffer, of: Self.name)
        return Data(buffer)
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if !state.isReady { state.waiter = continuation }
                    return state.isReady
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            close()
        }
    }

    private static var interrupted: GranaryError { GranaryError(.interrupted, "the export was interrupted") }
}
