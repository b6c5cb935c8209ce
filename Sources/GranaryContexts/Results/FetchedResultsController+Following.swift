import GranaryBase
import GranaryCoordination

/// Keeps the results current.
extension FetchedResultsController: ContextFollower {
    func follow(_ changes: ObjectChanges, _ merged: ContextFollowers.Merged) {
        do {
            try followChanges(changes, merged)
        } catch {
            self.error = error
        }
    }

    func followSave() {
        do {
            guard error == nil, !rules.dependence.isOnSaves else { return try fetchAgain(changed: []) }
            let stored = list.newObjects.filter { object in
                list.entry(of: object).map { rules.tie(of: object) != $0.tie } ?? false
            }
            if !stored.isEmpty, !list.renewTies(of: stored, { rules.tie(of: $0) }) {
                try apply(try outcomes(of: Array(stored)))
            }
        } catch {
            self.error = error
        }
    }

    private func followChanges(_ changes: ObjectChanges, _ merged: ContextFollowers.Merged) throws {
        // The context has lost all its objects. The ones fetched now replace them.
        guard changes.invalidated.isEmpty else { return try fetchAgain(changed: []) }
        guard !merged.isUnlisted else { return try refreshAndFetch() }
        let announced = [changes.inserted, changes.updated, changes.deleted, changes.refreshed, merged.deleted]
        let isReached =
            announced.contains { $0.contains { rules.dependence.isReached($0.layout.index) } }
            || merged.ids.contains { rules.dependence.isReached($0.entity) }
        var candidates = Set(announced.joined().filter { rules.search.entities.contains($0.layout.index) })
        guard error == nil, !isReached else { return try fetchAgain(changed: candidates) }
        let ids = merged.ids.filter { rules.search.entities.contains($0.entity) }
        candidates.formUnion(try managedObjectContext.objects(with: Array(ids)))
        guard !candidates.isEmpty else { return }
        try readRows(of: candidates)
        try apply(try existing(try outcomes(of: Array(candidates)), refreshed: changes.refreshed))
    }

    /// Leaves out objects that come into the results, or were refreshed, but are no longer in the store: a rollback
    /// also restores objects that others have deleted.
    private func existing(
        _ outcomes: [ResultsList.Outcome], refreshed: Set<ManagedObject>
    ) throws -> [ResultsList.Outcome] {
        let doubtful = outcomes.filter { outcome in
            let object = outcome.object
            return outcome.entry != nil && !object.isInserted && !object.isFault
                && (list.entry(of: object) == nil || refreshed.contains(object))
        }
        guard !doubtful.isEmpty else { return outcomes }
        let context = managedObjectContext
        let found = Set(try context.read(doubtful.map(\.object.objectID)).flatMap(context.rows).map(\.id))
        let gone = Set(doubtful.lazy.map(\.object).filter { !found.contains($0.objectID) })
        return outcomes.map { gone.contains($0.object) ? ($0.object, nil) : $0 }
    }

    private func outcomes(of objects: [ManagedObject]) throws -> [ResultsList.Outcome] {
        try objects.map { ($0, try rules.entry(of: $0)) }
    }

    /// Reads the rows of faults together.
    private func readRows(of objects: Set<ManagedObject>) throws {
        let context = managedObjectContext
        let stale = objects.filter { object in
            object.managedObjectContext === context && object.isFault && !object.isInserted && !object.isDeleted
                && object.row.map { !context.isFresh($0) } ?? true
        }
        guard stale.count > 1 else { return }
        for row in try context.read(stale.map(\.objectID)).flatMap(context.rows) { _ = context.object(for: row) }
    }

    /// Reads all objects again. Versions tell which of them have changed.
    private func refreshAndFetch() throws {
        let versions = list.entries.mapValues(\.object.version)
        try managedObjectContext.refreshAllObjects()
        try readRows(of: Set(list.entries.values.map(\.object)))
        let changed = list.entries.filter { versions[$0.key] != $0.value.object.version }
        try fetchAgain(changed: Set(changed.values.map(\.object)))
        // The changes were reported just now.
        if managedObjectContext.observers.isEmpty { managedObjectContext.pending.refreshed = [] }
    }

    /// - Parameter changed: the objects that have changed, which are updated also if they keep their places.
    private func fetchAgain(changed: Set<ManagedObject>) throws {
        // Refreshing again at each change would never end.
        var request = fetchRequest
        request.shouldRefreshRefetchedObjects = false
        rules = try ResultsRules(request, sectionedBy: sectionNameKeyPath, context: managedObjectContext)
        let found = try rules.fetch()
        var outcomes: [ResultsList.Outcome] = []
        var missing = list.entries
        var known: Set<ManagedObject> = []
        for entry in found where known.insert(entry.object).inserted {
            let old = missing.removeValue(forKey: ObjectIdentifier(entry.object))
            if let old, old.hasSamePlace(as: entry), !changed.contains(entry.object) { continue }
            outcomes.append((entry.object, entry))
        }
        outcomes += missing.values.map { ($0.object, nil) }
        try apply(outcomes)
        error = nil
    }
}
