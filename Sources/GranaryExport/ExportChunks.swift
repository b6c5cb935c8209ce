public import Foundation
import GranaryBase
import Synchronization

/// The bytes of an export in chunks, for the body of a response or an upload.
///
/// ```swift
/// for try await chunk in Exporter().chunks(container, format: .json) { try await connection.write(chunk) }
/// ```
/// Each loop runs one export, from its first chunk on, of one state of the store. A slow reader does not slow the export,
/// which has the stores meanwhile, and does not fill the memory: beyond 1 MiB the export's bytes wait in a temporary
/// file. Leaving the loop or cancelling its task ends the export.
public struct ExportChunks: AsyncSequence, Sendable {
    /// Waits for one chunk at a time.
    public struct Iterator: AsyncIteratorProtocol {
        private let run: Run

        init(_ run: Run) { self.run = run }

        /// The next chunk; nil at the end.
        ///
        /// - Throws: as the export to a file: ``GranaryError``, `interrupted` if the task is cancelled. The chunks
        ///   before are then incomplete.
        public mutating func next() async throws -> Data? { try await run.next() }
    }

    /// Passes the report of an export on.
    final class Reports: Sendable {
        let last = Mutex<ExportReport?>(nil)
    }

    private let reports = Reports()
    private let export: @Sendable (ChunkQueue) async throws -> ExportReport

    init(_ export: @escaping @Sendable (ChunkQueue) async throws -> ExportReport) { self.export = export }

    /// The report of the last export that was read to its end; nil before.
    public var report: ExportReport? { reports.last.withLock { $0 } }

    /// Makes an iterator; each loop has one.
    public func makeAsyncIterator() -> Iterator { Iterator(Run(reports, export)) }

    /// One export. It ends if nobody reads it any more.
    final class Run: Sendable {
        private let queue = ChunkQueue()
        private let task = Mutex<Task<Void, Never>?>(nil)
        private let start: @Sendable (ChunkQueue) -> Task<Void, Never>

        init(_ reports: Reports, _ export: @escaping @Sendable (ChunkQueue) async throws -> ExportReport) {
            start = { queue in
                Task {
                    do {
                        let report = try await export(queue)
                        reports.last.withLock { $0 = report }
                        queue.finish(.success(()))
                    } catch { queue.finish(.failure(error)) }
                }
            }
        }

        deinit {
            queue.close()
            task.withLock { $0 }?.cancel()
        }

        func next() async throws -> Data? {
            task.withLock { task in if task == nil { task = start(queue) } }
            return try await queue.next()
        }
    }
}
