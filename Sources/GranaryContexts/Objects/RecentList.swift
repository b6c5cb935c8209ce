import GranaryCoordination

/// The objects of the ordered relationship that was read last, so that a loop over its indexes does not make the array
/// again at each access. The context keeps it; the objects of a relationship must not be retained by its owner, because
/// objects that retain each other are never released.
struct RecentList {
    let owner: ObjectIdentifier
    let slot: Int
    /// The links that were read. They share their storage with the owner's as long as those do not change.
    let links: LinkedObjects
    /// An array of the class that was asked for.
    let objects: Any
}

extension ManagedObjectContext {
    /// Forgets the list that was read last. Objects that only it retains are released after the property has changed,
    /// because they access the context then.
    func dropRecentList() {
        guard let list = recentList else { return }
        recentList = nil
        withExtendedLifetime(list) {}
    }
}

extension ManagedObject {
    /// Returns the objects of a to-many relationship. Reading an unchanged ordered relationship again takes constant
    /// time.
    func list<Object: ManagedObject>(
        forKey key: String, _ member: (ManagedObject, String) throws -> Object
    ) throws -> [Object] {
        let link = try relationship(forKey: key, isToMany: true)
        guard link.isOrdered, let context = managedObjectContext else {
            return try objects(forKey: key).map { try member($0, key) }
        }
        if !isFault, let list = context.recentList, list.owner == ObjectIdentifier(self), list.slot == link.slot,
            values[link.slot].toMany?.hasStorage(of: list.links) == true, let objects = list.objects as? [Object]
        {
            return objects
        }
        let objects = try objects(forKey: key).map { try member($0, key) }
        context.dropRecentList()
        if let links = values[link.slot].toMany {
            context.recentList = RecentList(
                owner: ObjectIdentifier(self), slot: link.slot, links: links, objects: objects)
        }
        return objects
    }
}
