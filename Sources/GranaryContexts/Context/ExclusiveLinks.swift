import GranaryCoordination
import GranaryModel

/// Who holds an object over a relationship that has no inverse to say so.
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
        // Owners that nobody holds have nothing that could be wrong.
        exclusiveOwners = exclusiveOwners.filter { registeredObject(for: $0.value) != nil }
        exclusiveOwnerLimit = max(1024, 2 * exclusiveOwners.count)
    }

    /// The owner changes, where ``setExclusiveOwner(_:of:over:)`` only says what is.
    func changeExclusiveOwner(
        to owner: ManagedObjectID?, of member: ManagedObjectID, over relationship: LinkLayout.ID
    ) {
        let old = exclusiveOwner(of: member, over: relationship)
        setExclusiveOwner(owner, of: member, over: relationship)
        if let undoManager, undoManager.isRecording {
            undoManager.record(.exclusiveOwner(old, of: member, over: relationship))
        }
    }

    /// Gives every ID its successor; nil where the object is gone.
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

extension ManagedObject {
    func unloadExclusiveLinks() {
        for link in layout.relationships where link.isExclusive { values[link.slot] = .toMany(nil) }
    }
}
