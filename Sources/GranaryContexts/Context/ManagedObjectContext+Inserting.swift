import GranaryBase
import GranaryCoordination
import GranaryModel

/// Inserts objects that were created without a context.
extension ManagedObjectContext {
    /// Inserts an object that was created without a context (``ManagedObject/init(entity:insertInto:)``), with its
    /// values. The objects without a context that relationships connect with it are inserted too. (`insert(_:)`)
    ///
    /// ``ManagedObject/awakeFromInsert()`` runs after all of them are in the context. An object of this context is left
    /// as it is. An object that a rollback or a reset removed before it was saved can be inserted again: it keeps its
    /// values and its links to objects that the context has.
    ///
    /// - Throws: ``GranaryError``: `usage` if the object belongs to another context, is deleted in this one, was stored
    ///   before, belongs to another model, or is not of the class that is registered for its entity; `refused` if the
    ///   entity is abstract (`entity.abstract`). The error of an earlier access to the object that could not throw; a
    ///   second call then inserts the object. Nothing is inserted in all these cases.
    public func insert(_ object: ManagedObject) throws {
        if object.managedObjectContext === self {
            guard object.isDeleted else { return }
            throw GranaryError(.usage, "\(object) is deleted in this context; undo the deletion or call rollback()")
        }
        let objects = object.connectedDetached
        for object in objects { try checkMayInsert(object) }
        for object in objects {
            if let error = object.detachment?.takeAccessError() ?? object.loss?.takeAccessError() { throw error }
        }
        var links: [(LinkLayout, [ManagedObject])] = []
        if object.detachment == nil {
            try object.fire()
            links = try keptLinks(of: object)
        }
        for object in objects { enter(object) }
        for (link, members) in links {
            if link.isToMany {
                try object.replaceAll(link, with: members)
            } else {
                try object.replace(link, with: members.first)
            }
        }
        for object in objects { object.awakeFromInsert() }
    }

    private func checkMayInsert(_ object: ManagedObject) throws(GranaryError) {
        if object.managedObjectContext != nil {
            throw GranaryError(
                .usage, "\(object) belongs to another context; look it up in this one by its objectID")
        }
        guard object.objectID.isTemporaryID, registeredObject(for: object.objectID) == nil else {
            throw GranaryError(
                .usage, "\(object) is not new: it was stored before; look it up in the context by its objectID")
        }
        let entity = object.entity
        guard persistentStoreCoordinator.hasSameModel(object.objectID), layouts.all.indices.contains(entity.index)
        else {
            throw GranaryError(
                .usage, "the entity \(entity.name) of \(object) belongs to another model than the context")
        }
        guard !entity.isAbstract else {
            throw GranaryError(
                Diagnostic(.entityAbstract, "an abstract entity cannot have objects", entity: entity.name))
        }
        let registered = layouts[entity.index].objectClass
        guard registered.isClass(of: object) else {
            throw GranaryError(
                .usage,
                "\(object) is of the class \(type(of: object)), but \(registered) is registered for its entity; create it "
                    + "with \(registered)(entity:insertInto:)")
        }
    }

    /// Registers an object as a new one, with its values.
    private func enter(_ object: ManagedObject) {
        object.endDetachment()
        object.tie = .none
        object.layout = layouts[object.entity.index]
        object.isDeleted = false
        object.isUpdated = false
        object.isGoneFromStore = false
        object.managedObjectContext = self
        registerNew(object)
        noteInsertion(of: object)
        for link in object.layout.relationships where link.isExclusive {
            for member in object.values[link.slot].ids {
                setExclusiveOwner(object.objectID, of: member, over: link.id)
            }
        }
    }

    /// Removes the links of an object that has lost its context, and returns those to objects that this context has.
    private func keptLinks(of object: ManagedObject) throws -> [(LinkLayout, [ManagedObject])] {
        let layout = layouts[object.entity.index]
        let result = try layout.relationships.map { link in
            (link, try objects(with: object.values[link.slot].ids.filter { $0 != object.objectID }))
        }
        for (link, _) in result { object.values[link.slot] = layout.defaults[link.slot] }
        return result.filter { !$0.1.isEmpty }
    }
}

extension ManagedObject {
    /// Whether an object is of this class or a subclass.
    fileprivate class func isClass(of object: ManagedObject) -> Bool { object is Self }
}
