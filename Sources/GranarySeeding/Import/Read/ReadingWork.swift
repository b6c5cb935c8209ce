import GranaryBase
import GranaryFormats
import Synchronization

/// What the reading thread does.
///
/// Proof of `@unchecked`: sources and intake are handed to the reading thread and used by nobody else until that has
/// ended, which the caller waits for (or, interrupted, uses neither again); ``isRefused`` has its own lock.
final class ReadingWork: @unchecked Sendable {
    private let inputs: [ImportInput]
    private let intake: RecordIntake
    private(set) var failure: (any Error)?
    /// Whether the import is refused already: then there is nothing to write any more, only to check.
    let isRefused = Flag()

    init(inputs: [ImportInput], intake: RecordIntake) {
        self.inputs = inputs
        self.intake = intake
    }

    func run(into queue: BatchQueue) {
        defer { intake.workers.stop() }
        do {
            // For each input, the entities whose objects it and the later inputs may create.
            var awaited: [Set<Int>] = []
            for input in inputs.reversed() { awaited.append(input.entities.union(awaited.last ?? [])) }
            for (input, entities) in zip(inputs, awaited.reversed()) {
                intake.expect(entities)
                try intake.read(try input.open(), of: input.job, nests: input.nests) { batch in
                    if intake.isRefused { isRefused.set() }
                    return queue.put(batch)
                }
            }
            if intake.isRefused { isRefused.set() }
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
