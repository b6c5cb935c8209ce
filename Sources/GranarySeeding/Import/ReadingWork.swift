import GranaryBase
import GranaryFormats
import GranaryPersistence
import Synchronization

/// What the reading thread does.
///
/// Proof of `@unchecked`: readers and session are handed to the reading thread and used by nobody else until that has
/// ended, which the caller waits for (or, interrupted, uses neither again); ``sawErrors`` has its own lock.
final class ReadingWork: @unchecked Sendable {
    private let readers: [any RecordReader]
    private let session: ImportSession
    private(set) var failure: (any Error)?
    /// Whether the import is refused already: then there is nothing to write any more, only to check.
    let sawErrors = Flag()

    init(readers: [any RecordReader], session: ImportSession) {
        self.readers = readers
        self.session = session
    }

    func run(into queue: BatchQueue, _ cancellation: ImportCancellation?) {
        do {
            for reader in readers {
                try session.read(reader, cancellation) { batch in
                    if session.hasErrors { sawErrors.set() }
                    return queue.put(batch)
                }
            }
            if session.hasErrors { sawErrors.set() }
        } catch {
            failure = error
        }
    }
}

/// A switch that one thread sets and another sees.
final class Flag: Sendable {
    private let state = Atomic(false)

    var value: Bool { state.load(ordering: .acquiring) }

    func set() { state.store(true, ordering: .releasing) }
}
