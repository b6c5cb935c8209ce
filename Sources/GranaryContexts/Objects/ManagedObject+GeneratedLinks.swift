public import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel

/// Access to relationships and fetched properties for generated classes, which cannot throw.
///
/// Errors are remembered as for the values: a failed reading gives nil or no objects, a failed change leaves the
/// relationship as it was. The class of the objects must be registered; otherwise reading fails.
extension ManagedObject {
    /// Returns the object of a to-one relationship.
    public func typedObject<Object: ManagedObject>(forKey key: String) -> Object? {
        accessing(nil) { try object(forKey: key).map { try member($0, key) } }
    }

    /// Sets the object of a to-one relationship; nil removes it.
    public func setTypedObject(_ object: ManagedObject?, forKey key: String) {
        accessing(()) { try setObject(object, forKey: key) }
    }

    /// Returns the objects of an ordered to-many relationship.
    ///
    /// The context keeps the list that was read last, so that `book.chapters[index]` takes constant time in a loop. It
    /// lets go of it when another list is read, when one of its objects is deleted or refreshed, and when the owner is
    /// released.
    public func typedList<Object: ManagedObject>(forKey key: String) -> [Object] {
        accessing([]) { try list(forKey: key, member) }
    }

    /// Sets the objects of an ordered to-many relationship. Duplicates after the first are ignored.
    public func setTypedList(_ objects: [ManagedObject], forKey key: String) {
        accessing(()) { try setObjects(objects, forKey: key) }
    }

    /// Returns the objects of a to-many relationship.
    public func typedSet<Object: ManagedObject>(forKey key: String) -> Set<Object> {
        Set(typedList(forKey: key) as [Object])
    }

    /// Sets the objects of a to-many relationship.
    public func setTypedSet<Object: ManagedObject>(_ objects: Set<Object>, forKey key: String) {
        accessing(()) { try setObjects(Array(objects), forKey: key) }
    }

    /// Returns the objects of a fetched property.
    public func typedFetchedObjects<Object: ManagedObject>(forKey key: String) -> [Object] {
        accessing([]) { try fetchedObjects(key).map { try member($0, key) } }
    }

    // MARK: - Single members

    /// Adds an object to a to-many relationship, at the end if it is ordered.
    public func addTyped(_ object: ManagedObject, forKey key: String) {
        accessing(()) { try add(object, forKey: key) }
    }

    /// Adds objects to a to-many relationship, at the end if it is ordered. If one of them cannot be added, the objects
    /// after it are not added either.
    public func addTyped<Objects: Sequence>(contentsOf objects: Objects, forKey key: String)
    where Objects.Element: ManagedObject {
        accessing(()) { for object in objects { try add(object, forKey: key) } }
    }

    /// Removes an object from a to-many relationship; does nothing if it is not a member.
    public func removeTyped(_ object: ManagedObject, forKey key: String) {
        accessing(()) { try remove(object, forKey: key) }
    }

    /// Removes objects from a to-many relationship; those that are not members are ignored.
    public func removeTyped<Objects: Sequence>(contentsOf objects: Objects, forKey key: String)
    where Objects.Element: ManagedObject {
        accessing(()) {
            guard isOrderedRelationship(key) else {
                for object in objects { try remove(object, forKey: key) }
                return
            }
            // Every single removal would search its place in the list.
            let removed = Set(objects.map { $0 as ManagedObject })
            let members = try self.objects(forKey: key)
            let rest = members.filter { !removed.contains($0) }
            if rest.count < members.count { try setObjects(rest, forKey: key) }
        }
    }

    /// Inserts an object into an ordered to-many relationship.
    public func insertTyped(_ object: ManagedObject, at index: Int, forKey key: String) {
        accessing(()) { try insert(object, at: index, forKey: key) }
    }

    /// Removes the object at an index of an ordered to-many relationship.
    public func removeTyped(at index: Int, forKey key: String) {
        accessing(()) { try removeObject(at: index, forKey: key) }
    }

    /// Replaces the object at an index of an ordered to-many relationship by one that is not a member.
    public func replaceTyped(at index: Int, with object: ManagedObject, forKey key: String) {
        accessing(()) {
            var members = try objects(forKey: key)
            guard members.indices.contains(index) else {
                throw GranaryError(
                    .usage, "\(entity.name).\(key): the index is \(index), but there are \(members.count) objects")
            }
            guard members[index] != object else { return }
            guard !members.contains(object) else {
                throw GranaryError(.usage, "\(entity.name).\(key): \(object) is a member already")
            }
            members[index] = object
            try setObjects(members, forKey: key)
        }
    }

    // MARK: - Several indexes

    /// Inserts objects into an ordered to-many relationship, so that they have these indexes afterwards. They must not
    /// be members.
    public func insertTyped(_ objects: [ManagedObject], at indexes: IndexSet, forKey key: String) {
        accessing(()) {
            let members = try orderedObjects(forKey: key)
            try check(objects, fit: indexes, key)
            try check(indexes, below: members.count + objects.count, key)
            var result: [ManagedObject] = []
            result.reserveCapacity(members.count + objects.count)
            var (rest, new) = (members[...], objects[...])
            for place in 0..<members.count + objects.count {
                if let object = indexes.contains(place) ? new.popFirst() : rest.popFirst() { result.append(object) }
            }
            try setDistinct(result, forKey: key)
        }
    }

    /// Removes the objects at indexes of an ordered to-many relationship.
    public func removeTyped(at indexes: IndexSet, forKey key: String) {
        accessing(()) {
            let members = try orderedObjects(forKey: key)
            try check(indexes, below: members.count, key)
            let rest = members.indices.filter { !indexes.contains($0) }
            if rest.count < members.count { try setObjects(rest.map { members[$0] }, forKey: key) }
        }
    }

    /// Replaces the objects at indexes of an ordered to-many relationship by others, none of which is a member at
    /// another index.
    public func replaceTyped(at indexes: IndexSet, with objects: [ManagedObject], forKey key: String) {
        accessing(()) {
            var members = try orderedObjects(forKey: key)
            try check(objects, fit: indexes, key)
            try check(indexes, below: members.count, key)
            for (index, object) in zip(indexes, objects) { members[index] = object }
            try setDistinct(members, forKey: key)
        }
    }

    private func orderedObjects(forKey key: String) throws -> [ManagedObject] {
        let members = try objects(forKey: key)
        guard isOrderedRelationship(key) else { throw GranaryError(.usage, "\(entity.name).\(key) is not ordered") }
        return members
    }

    private func check(_ objects: [ManagedObject], fit indexes: IndexSet, _ key: String) throws(GranaryError) {
        guard objects.count != indexes.count else { return }
        throw GranaryError(
            .usage, "\(entity.name).\(key): the number of indexes is \(indexes.count), of objects \(objects.count)")
    }

    private func check(_ indexes: IndexSet, below count: Int, _ key: String) throws(GranaryError) {
        guard let last = indexes.last, last >= count else { return }
        throw GranaryError(.usage, "\(entity.name).\(key): the index is \(last); it must be below \(count)")
    }

    private func setDistinct(_ members: [ManagedObject], forKey key: String) throws {
        var seen: Set<ManagedObject> = []
        for member in members where !seen.insert(member).inserted {
            throw GranaryError(.usage, "\(entity.name).\(key): \(member) would be a member twice")
        }
        try setObjects(members, forKey: key)
    }

    private func isOrderedRelationship(_ key: String) -> Bool {
        guard case .relationship(let index)? = entity.property(named: key) else { return false }
        return layout.relationships[index].isToMany && layout.relationships[index].isOrdered
    }

    private func member<Object: ManagedObject>(_ object: ManagedObject, _ key: String) throws -> Object {
        if let member = object as? Object { return member }
        throw GranaryError(
            .usage,
            "\(entity.name).\(key): \(object) is of the class \(type(of: object)), not \(Object.self), which must be "
                + "registered for its entity")
    }
}
