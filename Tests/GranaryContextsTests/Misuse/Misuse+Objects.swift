import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

// MARK: - Objects of other contexts

extension Misuse {
    static let strangers: [Misuse] = [
        Misuse("delete an object of another context", ["belongs to another context", "objectID"]) {
            try $0.container.makeContext().delete($0.ann)
        },
        Misuse("refresh an object of another context", ["belongs to another context"]) {
            try $0.container.makeContext().refresh($0.ann, mergeChanges: true)
        },
        Misuse("relate to an object of another context", ["belongs to another context"]) { bench in
            let other = bench.container.makeContext()
            let bob = try #require(try other.lookUpObject(with: bench.bob.objectID))
            try bench.ann.setObject(bob, forKey: "boss")
        },
        Misuse("obtain an ID for an object of another context", ["not an object of this context"]) {
            try $0.container.makeContext().obtainPermanentIDs(for: [$0.ann])
        },
        Misuse("delete an object that was never inserted", ["has no context"]) { bench in
            let entity = try #require(bench.container.schema.entity(named: "Person"))
            try bench.context.delete(Meddler(entity: entity, insertInto: nil))
        },
    ]

    // MARK: - Objects that have lost their context

    /// Ways to use such an object, and whether only the next save can say so.
    private static let uses: [(name: String, use: @Sendable (ManagedObject, ManagedObjectContext) throws -> Void)] = [
        ("set a value", { object, _ in try object.setValue("lost", forKey: "name") }),
        ("set a primitive value", { object, _ in try object.setPrimitiveValue("lost", forKey: "name") }),
        ("set a to-one", { object, _ in try object.setObject(nil, forKey: "boss") }),
        ("add to a to-many", { object, _ in try object.add(object, forKey: "staff") }),
        ("read a to-many", { object, _ in _ = try object.objects(forKey: "pets") }),
        ("set a property", { object, _ in object.setTypedValue("lost", forKey: "name") }),
        ("set a primitive property", { object, _ in object.setTypedPrimitiveValue("lost", forKey: "name") }),
        ("set a to-one property", { object, _ in object.setTypedObject(nil, forKey: "boss") }),
        ("read a to-many property", { object, _ in _ = object.typedSet(forKey: "pets") }),
        ("delete", { object, context in try context.delete(object) }),
        ("refresh", { object, context in try context.refresh(object, mergeChanges: false) }),
    ]

    static let lost: [Misuse] = uses.flatMap { use in
        [
            Misuse("\(use.name) after a reset", ["reset()"]) { bench in
                bench.context.reset()
                try use.use(bench.ann, bench.context)
                try bench.context.save()
            },
            Misuse("\(use.name) after the deletion was saved", ["was deleted"], stored: ["Bob"]) { bench in
                try bench.context.delete(bench.ann)
                try bench.context.save()
                try use.use(bench.ann, bench.context)
                try bench.context.save()
            },
            Misuse("\(use.name) after the insertion was rolled back", ["rollback()"]) { bench in
                let new = try bench.context.insert(Meddler.self)
                bench.context.rollback()
                try use.use(new, bench.context)
                try bench.context.save()
            },
        ]
    }

    // MARK: - Deleted objects as destinations

    static let deleted: [Misuse] = [
        Misuse("relate to a deleted object", ["is deleted"]) {
            try $0.context.delete($0.bob)
            try $0.ann.setObject($0.bob, forKey: "boss")
        },
        Misuse("relate to an object whose deletion was saved", ["was deleted"], stored: ["Ann", "Rex"]) {
            try $0.context.delete($0.bob)
            try $0.context.save()
            try $0.ann.setObject($0.bob, forKey: "boss")
        },
        Misuse("add an object whose deletion was saved", ["was deleted"], stored: ["Ann", "Rex"]) {
            try $0.context.delete($0.bob)
            try $0.context.save()
            try $0.ann.add($0.bob, forKey: "staff")
        },
        Misuse("set a property to a deleted object", ["is deleted"]) {
            try $0.context.delete($0.bob)
            $0.ann.setTypedObject($0.bob, forKey: "boss")
            try $0.context.save()
        },
        Misuse("change a relationship of a deleted object", ["is deleted"]) {
            try $0.context.delete($0.bob)
            try $0.bob.setObject($0.ann, forKey: "boss")
        },
        Misuse("insert an object whose deletion was saved", ["was stored before"], stored: ["Ann", "Rex"]) {
            try $0.context.delete($0.bob)
            try $0.context.save()
            try $0.context.insert($0.bob)
        },
    ]
}

// MARK: - Stores that are not loaded

extension Misuse {
    private static let reads: [(name: String, read: @Sendable (ManagedObjectContext) throws -> Void)] = [
        ("fetch", { _ = try $0.fetchAll("Person") }),
        ("fetch in a child", { _ = try $0.makeChild().fetchAll("Person") }),
        ("count", { _ = try $0.count("Person") }),
        ("fetch IDs", { _ = try $0.fetchObjectIDs(FetchRequest("Person")) }),
        ("fetch dictionaries", { _ = try $0.fetchDictionaries(FetchRequest("Person")) }),
        ("enumerate", { try $0.enumerate(FetchRequest("Person")) { _ in } }),
        (
            "update a batch",
            { _ = try $0.execute(BatchUpdateRequest("Person", propertiesToUpdate: ["note": .constant("x")])) }
        ),
        ("delete a batch", { _ = try $0.execute(BatchDeleteRequest(FetchRequest("Person"))) }),
        (
            "save",
            {
                _ = try $0.insert(Meddler.self)
                try $0.save()
            }
        ),
    ]

    static let unloaded: [Misuse] = reads.map { read in
        Misuse("\(read.name) before the stores are loaded", ["loadPersistentStores()"]) { bench in
            let container = try PersistentContainer(
                name: "Unloaded", model: PeopleModel.model, descriptions: [PersistentStoreDescription(.inMemory)],
                classes: ["Hooked": Meddler.self])
            try read.read(container.makeContext())
        }
    }
}
