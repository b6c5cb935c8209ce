import GranaryBase
import GranaryCoordination

/// One try to write a context's changes: all of them, over all stores, or nothing.
///
/// The stores' transactions lie inside each other, in the coordinator's order, and are committed from the inside out.
/// Everything that can be refused has been refused before the first commit; what is left is a disk that fails or
/// fills up between two commits: then the inner stores have the changes and the outer ones have not.
struct SaveAttempt {
    /// What keeps the changes from being written.
    struct Conflicts {
        var changed: [(object: ManagedObject, store: AttachedStore, batch: RowBatch?)] = []
        var clashes: [UniquenessCheck.Clash] = []

        var isEmpty: Bool { changed.isEmpty && clashes.isEmpty }
    }

    enum Outcome {
        /// The permanent IDs by the temporary ones, and each store's last transaction where it has a history.
        case written([ManagedObjectID: ManagedObjectID], history: [String: Int64])
        case conflicts(Conflicts)
    }

    /// Ends the transactions without an error.
    private struct Retreat: Error {}

    let plans: [SavePlan]

    func run() throws -> Outcome {
        let result = Attempted()
        do {
            try write(plans[...], result)
            return .written(result.permanent, history: result.history)
        } catch is Retreat {
            return .conflicts(result.conflicts)
        }
    }

    private final class Attempted {
        var permanent: [ManagedObjectID: ManagedObjectID] = [:]
        var conflicts = Conflicts()
        var history: [String: Int64] = [:]
    }

    /// As deep as there are stores.
    private func write(_ plans: ArraySlice<SavePlan>, _ result: Attempted) throws {
        guard let plan = plans.first else {
            // All stores were looked at, and none was committed.
            guard result.conflicts.isEmpty else { throw Retreat() }
            return
        }
        try plan.store.withLock { store in
            store.setAuthor(plan.context.transactionAuthor, contextName: plan.context.name)
            try store.transaction { writer in
                for (object, batch) in try plan.changedRows(store) {
                    result.conflicts.changed.append((object, plan.store, batch))
                }
                let unique = try UniquenessCheck(plan: plan).run(on: store)
                result.conflicts.clashes += unique.clashes
                if result.conflicts.isEmpty {
                    let permanent = try plan.write(writer, yielding: unique.yielding)
                    if result.permanent.isEmpty {
                        result.permanent = permanent
                    } else {
                        result.permanent.merge(permanent) { first, _ in first }
                    }
                }
                try write(plans.dropFirst(), result)
            }
            if let last = store.lastRecordedTransaction { result.history[store.identifier] = last }
        }
    }
}
