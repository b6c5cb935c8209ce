import GranaryCoordination
import GranaryModel

/// Rows that were read together, retained while an object of one of them exists.
///
/// Like the objects, it belongs to one context.
final class SharedBatch {
    let batch: RowBatch
    let identity: StoreIdentity
    let readAt: ContinuousClock.Instant
    /// The coordinator's count of saves when the rows were read.
    let generation: Int
    /// Related rows and links that were read together for these rows, by relationship.
    var prefetched: [LinkLayout.ID: PrefetchedRelationships] = [:]

    private var staleFires = (generation: 0, count: 0)

    init(_ batch: RowBatch, identity: StoreIdentity, readAt: ContinuousClock.Instant, generation: Int) {
        self.batch = batch
        self.identity = identity
        self.readAt = readAt
        self.generation = generation
    }

    /// Counts the accesses to faults of the batch since the last save, with rows from before it.
    func countStaleFire(_ generation: Int) -> Int {
        staleFires = staleFires.generation == generation ? (generation, staleFires.count + 1) : (generation, 1)
        return staleFires.count
    }
}
