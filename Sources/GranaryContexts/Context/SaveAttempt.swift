import GranaryBase
import GranaryCoordination

/// One attempt to write a context's changes to all stores, all-or-nothing.
///
/// The stores' transactions are nested in the coordinator's order and committed from the innermost out. Everything that
/// can be refused is refused before the first commit. Only an I/O error or a full disk between two commits leaves the
/// inner stores with the changes and the outer ones without.
struct SaveAttempt {
    /// The conflicts that prevent writing.
    struct Conflicts {
        var changed: [(object: ManagedObject, store: PersistentStore, batch: RowBatch?)] = []
        var clashes: [UniquenessCheck.Clash] = []

        var isEmpty: Bool { changed.isEmpty && clashes.isEmpty }
    }

    enum Outcome {
        /// The permanent IDs by the temporary ones, and the last history transaction of each store with a history.
        case written([ManagedObjectID: ManagedObjectID], history: [String: Int64])
        case conflicts(Conflicts)
    }

    let plans: [SavePlan]

    func run() throws -> Outcome {
        let result = Attempted()
        guard try write(plans[...], result) else { return .conflicts(result.conflicts) }
        return .written(result.permanent, history: result.history)
    }

    private final class Attempted {
        var permanent: [ManagedObjectID: ManagedObjectID] = [:]
        var conflicts = Conflicts()
        var history: [String: Int64] = [:]
    }

    /// Recurses once for each store.
    ///
    /// - Returns: false if there are conflicts and everything was rolled back.
    private func write(_ plans: ArraySlice<SavePlan>, _ result: Attempted) throws -> Bool {
        guard let plan = plans.first else {
            // All stores were checked and none was committed.
            return result.conflicts.isEmpty
        }
        return try plan.store.withLock { store in
            store.setAuthor(plan.context.transactionAuthor, contextName: plan.context.name)
            let isWritten: Bool = try store.transaction(ending: { writer in
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
                return try write(plans.dropFirst(), result) ? .commit(true) : .rollBack(false)
            })
            if isWritten, let last = store.lastRecordedTransaction { result.history[store.identifier] = last }
            return isWritten
        }
    }
}
