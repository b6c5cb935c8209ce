import GranaryBase
import GranaryCoordination
public import GranaryModel

/// The state of an object that was created without a context and is not inserted yet.
///
/// Relationships between such objects are followed by a context without stores, which all objects that are related to
/// each other share. It is not their `managedObjectContext`: it tracks no changes.
final class Detachment {
    /// The context that follows the relationships; nil until one is used.
    fileprivate(set) var context: ManagedObjectContext?
    /// The objects that were set or added on this one, which nothing else may retain. The inverse relationship does not
    /// retain, because objects that retain each other are never released.
    fileprivate var retained: Set<ManagedObject> = []
    /// The first error of an access that cannot throw.
    private(set) var accessError: (any Error)?

    /// Releases the retained objects one by one. Otherwise a long chain of them would be released recursively.
    deinit {
        var due = Array(retained)
        retained = []
        while var next = due.popLast() {
            guard isKnownUniquelyReferenced(&next), let detachment = next.detachment else { continue }
            due += detachment.retained
            detachment.retained = []
        }
    }

    func remember(_ error: any Error) { accessError = accessError ?? error }

    func takeAccessError() -> (any Error)? {
        defer { accessError = nil }
        return accessError
    }
}

extension ManagedObject {
    /// Creates an object of an entity and inserts it into a context, or leaves it without a context until
    /// ``ManagedObjectContext/insert(_:)`` inserts it. (`NSManagedObject.init(entity:insertInto:)`)
    ///
    /// ```swift
    /// guard let entity = container.schema.entity(named: "Injury") else { return }
    /// let injury = ManagedObject(entity: entity, insertInto: nil)
    /// try injury.setValue("Burn", forKey: "name")
    /// try context.insert(injury)
    /// ```
    /// An object without a context has the model's default values and a temporary ID. Its values can be read, set and
    /// validated. It can be related to other objects without a context, and it retains the objects that were set or
    /// added on it. Objects that are set on each other are released only after they are inserted or their relationships
    /// are removed. ``awakeFromInsert()`` runs when the object is inserted.
    ///
    /// The class must be the one that is registered for the entity. If the insertion into `context` fails, the object
    /// has no context, and the next ``ManagedObjectContext/save()`` throws the error.
    public convenience init(entity: Schema.Entity, insertInto context: ManagedObjectContext?) {
        self.init(Creation(detached: entity, objectClass: Self.self, layouts: context?.layouts))
        detachment = Detachment()
        // The number in a temporary ID (big-endian) orders objects as they were created.
        insertionNumber = Int(truncatingIfNeeded: UInt64(bigEndian: objectID.tableHash))
        guard let context else { return }
        do { try context.insert(self) } catch { context.remember(error) }
    }

    /// The context that follows relationships: the object's own, otherwise that of the objects without a context.
    var linkContext: ManagedObjectContext? {
        if let managedObjectContext { return managedObjectContext }
        guard let detachment else { return nil }
        if let context = detachment.context { return context }
        let context = ManagedObjectContext(PersistentStoreCoordinator(schema: layout.schema))
        context.registerNew(self)
        detachment.context = context
        return context
    }

    /// Prepares objects of different contexts to be related: both must be without a context and not inserted yet.
    func joinDetached(_ object: ManagedObject) throws {
        guard let detachment, object.detachment != nil else {
            if detachment != nil || object.detachment != nil {
                let (new, old) = detachment != nil ? (self, object) : (object, self)
                throw GranaryError(
                    .usage, "\(new) is not inserted yet; insert it into the context of \(old) before they are related")
            }
            throw GranaryError(
                .usage, "\(object) belongs to another context than \(self); look it up there by its objectID")
        }
        guard layout.schema === object.layout.schema || layout.schema.checksum == object.layout.schema.checksum
        else { throw GranaryError(.usage, "\(object) belongs to another model than \(self)") }
        if object !== self { detachment.retained.insert(object) }
        guard let context = linkContext, let joined = object.linkContext, context !== joined else { return }
        let (kept, dissolved) =
            context.registrationCount < joined.registrationCount ? (joined, context) : (context, joined)
        for (link, owner) in dissolved.exclusiveOwners { kept.exclusiveOwners[link] = owner }
        for member in dissolved.registeredObjects {
            dissolved.forget(member)
            kept.registerNew(member)
            member.detachment?.context = kept
        }
    }

    /// Returns this object and the objects without a context that relationships connect with it, in either direction.
    /// This object comes first. The others follow in the order of their creation.
    var connectedDetached: [ManagedObject] {
        guard let context = detachment?.context else { return [self] }
        var neighbours: [ManagedObjectID: Set<ManagedObjectID>] = [:]
        for member in context.registeredObjects {
            for id in member.layout.relationships.flatMap({ member.values[$0.slot].ids }) {
                neighbours[member.objectID, default: []].insert(id)
                neighbours[id, default: []].insert(member.objectID)
            }
        }
        var reached: Set<ManagedObjectID> = [objectID]
        var due = [objectID]
        while let id = due.popLast() {
            for next in neighbours[id] ?? [] where reached.insert(next).inserted { due.append(next) }
        }
        reached.remove(objectID)
        return [self] + context.sorted(Array(reached)).compactMap { context.registeredObject(for: $0) }
    }

    /// Ends the state without a context.
    func endDetachment() {
        detachment?.context?.forget(self)
        detachment = nil
    }
}

extension ManagedObject.Creation {
    /// The data of an object without a context.
    ///
    /// - Parameter layouts: the layouts of the context that the object will be inserted into, if it is known.
    fileprivate init(detached entity: Schema.Entity, objectClass: ManagedObject.Type, layouts: ObjectLayouts?) {
        // The placeholder belongs to no model, so that the insertion fails.
        let schema = entity.schema ?? Schema.placeholder(entityName: entity.name)
        let index = schema.entities.indices.contains(entity.index) ? entity.index : 0
        var layout: ObjectLayout?
        if let known = layouts?.all, known.indices.contains(index), known[index].schema === schema {
            layout = known[index]
        }
        let chosen =
            layout ?? ObjectLayout(schema: schema, entity: schema.entities[index], objectClass: objectClass)
        self.init(
            layout: chosen, id: PersistentStoreCoordinator.temporaryID(entity: index, of: schema),
            values: ObjectValues(chosen.defaults), version: 0, context: nil)
    }
}
