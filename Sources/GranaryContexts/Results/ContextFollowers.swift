import GranaryCoordination

/// The followers of a context, and what they need to know besides the announced changes.
struct ContextFollowers {
    /// What merges have changed without an announcement, because the context had not read it.
    struct Merged {
        /// The updated objects, of which faults and unregistered objects are not announced, and the inserted ones that
        /// were registered already, because their rows were read between the save and its announcement.
        var ids: Set<ManagedObjectID> = []
        /// The deleted faults, objects that another object of the same ID has replaced, and deleted objects whose
        /// insertion was not announced yet: a fetch in between may have found them.
        var deleted: Set<ManagedObject> = []

        /// Whether others have changed objects without a list of them.
        var isUnlisted = false

        var isEmpty: Bool { ids.isEmpty && deleted.isEmpty && !isUnlisted }
    }

    private struct Reference {
        weak var follower: (any ContextFollower)?
    }

    private var references: [Reference] = []
    var merged = Merged()

    var isEmpty: Bool { references.isEmpty }
    var all: [any ContextFollower] { references.compactMap(\.follower) }

    mutating func add(_ follower: any ContextFollower) { references.append(Reference(follower: follower)) }

    /// Removes a follower that is being deallocated.
    mutating func removeReleased() {
        references.removeAll { $0.follower == nil }
        if references.isEmpty { merged = Merged() }
    }
}

extension ManagedObjectContext {
    /// Whether anybody is told of changes.
    var tracksChanges: Bool { !observers.isEmpty || !followers.isEmpty }

    func noteDeletion(of object: ManagedObject) {
        guard tracksChanges else { return }
        let isAnnounced = pending.noteDeletion(of: object)
        if !isAnnounced, !followers.isEmpty { followers.merged.deleted.insert(object) }
    }

    /// Notes what a merge changes without an announcement.
    func noteMerge(_ changes: SaveChanges) {
        guard !followers.isEmpty else { return }
        if changes.isUnlisted { followers.merged.isUnlisted = true }
        followers.merged.ids.formUnion(changes.updated)
        for id in changes.inserted where registeredObject(for: id) != nil { followers.merged.ids.insert(id) }
        for id in changes.deleted {
            if let object = registeredObject(for: id), object.isFault { followers.merged.deleted.insert(object) }
        }
    }
}
