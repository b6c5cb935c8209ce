import GranaryCoordination
import GranaryModel

/// A member of a to-many relationship without an inverse; the context keeps its owner.
struct ExclusiveLink: Hashable {
    let relationship: LinkLayout.ID
    let member: ManagedObjectID
}

extension ManagedObjectContext {
    func exclusiveOwner(of member: ManagedObjectID, over relationship: LinkLayout.ID) -> ManagedObjectID? {
        exclusiveOwners[ExclusiveLink(relationship: relationship, member: member)]
    }

    func setExclusiveOwner(
        _ owner: ManagedObjectID?, of member: ManagedObjectID, over relationship: LinkLayout.ID
    ) {
        exclusiveOwners[ExclusiveLink(relationship: relationship, member: member)] = owner
        guard exclusiveOwners.count > exclusiveOwnerLimit else { return }
        // Entries of unregistered owners are not needed.
        exclusiveOwners = exclusiveOwners.filter { registeredObject(for: $0.value) != nil }
        exclusiveOwnerLimit = max(1024, 2 * exclusiveOwners.count)
    }

    /// Changes the owner, and records the change for undo. ``setExclusiveOwner(_:of:over:)`` does not record it.
    func changeExclusiveOwner(
        to owner: ManagedObjectID?, of member: ManagedObjectID, over relationship: LinkLayout.ID
    ) {
        let old = exclusiveOwner(of: member, over: relationship)
        setExclusiveOwner(owner, of: member, over: relationship)
        if let undoManager, undoManager.isRecording {
            undoManager.record(.exclusiveOwner(old, of: member, over: relationship))
        }
    }

    /// Replaces every ID by its successor; nil if the object was deleted.
    func renameExclusiveOwners(_ successor: (ManagedObjectID) -> ManagedObjectID?) {
        guard !exclusiveOwners.isEmpty else { return }
        var renamed: [ExclusiveLink: ManagedObjectID] = [:]
        for (link, owner) in exclusiveOwners {
            guard let member = successor(link.member), let owner = successor(owner) else { continue }
            renamed[ExclusiveLink(relationship: link.relationship, member: member)] = owner
        }
        exclusiveOwners = renamed
    }
}
