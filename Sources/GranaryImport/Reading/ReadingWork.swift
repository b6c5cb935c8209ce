import GranaryBase
import GranaryFormats
import Synchronization

/// The work of the reading thread.
///
/// `@unchecked Sendable` is safe: only the reading thread uses the sources and the reader until it ends. The caller
/// waits for the end, or, after a cancellation, does not use them again. ``isRefused`` is atomic.
final class ReadingWork: @unchecked Sendable {
    private let inputs: [ImportInput]
    private let reader: ImportReader
    private(set) var failure: (any Error)?
    /// Whether the import is refused, so that rows are only checked and no longer written.
    let isRefused = Flag()

    init(inputs: [ImportInput], reader: ImportReader) {
        self.inputs = inputs
        self.reader = reader
    }

    func run(into queue: BatchQueue) {
        defer { reader.workers.threads.stop() }
        do {
            // For each input, the entities whose objects it and later inputs can create.
            var awaited: [Set<Int>] = []
            for input in inputs.reversed() { awaited.append(input.entities.union(awaited.last ?? [])) }
            for (input, entities) in zip(inputs, awaited.reversed()) {
                reader.expect(entities)
                try reader.read(try input.open(), of: input.job, nests: input.nests, sidecar: input.sidecar) {
                    batch in
                    if reader.problems.isRefused { isRefused.set() }
                    return queue.put(batch)
                }
            }
            if reader.problems.isRefused { isRefused.set() }
        } catch {
            failure = error
        }
    }
}

/// A Boolean that one thread sets and another reads.
final class Flag: Sendable {
    private let state = Atomic(false)

    var value: Bool { state.load(ordering: .acquiring) }

    func set() { state.store(true, ordering: .releasing) }
}
