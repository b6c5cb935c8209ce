import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import Testing

/// The saves of a container as an asynchronous sequence.
@Suite("Saves") struct SavesTests {
    @Test("Every listener hears of every save, in order; of none without changes", arguments: StoreFactory.kinds)
    func listeners(_ factory: StoreFactory) async throws {
        let container = try Watched.container(factory)
        var first = container.saves.makeAsyncIterator()
        var second = container.saves.makeAsyncIterator()
        let ids = try await container.perform { context in
            let (ann, bob) = (try context.person("Ann"), try context.person("Bob"))
            try context.save()
            try context.save()
            try ann.setValue("Anna", forKey: "name")
            try context.save()
            let ids = [ann.objectID, bob.objectID]
            try context.delete(bob)
            try context.save()
            return ids
        }
        let expected = [
            SaveChanges(inserted: Set(ids)), SaveChanges(updated: [ids[0]]), SaveChanges(deleted: [ids[1]]),
        ]
        for changes in expected {
            let heard = [await first.next(), await second.next()]
            #expect(heard == [changes, changes])
        }
        // Who comes late hears what comes then.
        var third = container.saves.makeAsyncIterator()
        try await container.perform { context in
            _ = try context.person("Cid")
            try context.save()
        }
        let late = await third.next()
        #expect(late?.inserted.count == 1 && late?.updated.isEmpty == true)
    }

    @Test("A save of a child is announced as one into its parent", arguments: StoreFactory.kinds)
    func children(_ factory: StoreFactory) async throws {
        let container = try Watched.container(factory)
        var saves = container.saves.makeAsyncIterator()
        let (temporary, id) = try await container.perform { context in
            let child = context.makeChild()
            let ann = try child.person("Ann")
            let temporary = ann.objectID
            try child.save()
            // Contexts that merge by themselves have nothing to read yet.
            let other = ManagedObjectContext(context.persistentStoreCoordinator)
            other.automaticallyMergesChangesFromParent = true
            #expect(try other.fetchAll("Person").isEmpty)
            try context.save()
            return (temporary, ann.objectID)
        }
        var expected = SaveChanges(inserted: [temporary])
        expected.isIntoParent = true
        #expect(await saves.next() == expected)
        #expect(await saves.next() == SaveChanges(inserted: [id]))
    }

    @Test("A slow listener gets the saves of children apart from those to the store")
    func slowListenerOfChildren() async throws {
        let container = try PeopleModel.container()
        var saves = container.saves.makeAsyncIterator()
        try await container.perform { context in
            for number in 0..<100 {
                let child = context.makeChild()
                _ = try child.person("\(number)")
                try child.save()
                try context.save()
            }
        }
        var (stored, changes) = (0, 0)
        while stored < 100, let save = await saves.next() {
            changes += 1
            #expect(save.inserted.allSatisfy { $0.isTemporaryID == save.isIntoParent })
            if !save.isIntoParent { stored += save.inserted.count }
        }
        #expect(stored == 100 && changes >= 2)
    }

    @Test("A slow listener gets many saves as fewer, and misses nothing")
    func slowListener() async throws {
        let container = try PeopleModel.container()
        var saves = container.saves.makeAsyncIterator()
        let sets = try await container.perform { context in
            var kept: Set<ManagedObjectID> = []
            var gone: Set<ManagedObjectID> = []
            for number in 0..<200 {
                let person = try context.person("\(number)")
                try context.save()
                try person.setValue(1, forKey: "salary")
                try context.save()
                guard number >= 150 else {
                    kept.insert(person.objectID)
                    continue
                }
                gone.insert(person.objectID)
                try context.delete(person)
                try context.save()
            }
            return [kept, gone]
        }
        let (kept, gone) = (sets[0], sets[1])
        var heard = SaveChanges()
        var count = 0
        // What waits is there at once; the last to come holds the last save.
        while !gone.isSubset(of: heard.deleted), let changes = await saves.next() {
            count += 1
            heard.inserted.formUnion(changes.inserted)
            heard.updated.formUnion(changes.updated)
            heard.deleted.formUnion(changes.deleted)
        }
        #expect(count <= 64)
        #expect(heard.inserted == kept && heard.deleted == gone)
        // New ones are not told as updated by the save that is joined with theirs.
        #expect(heard.updated.isSubset(of: kept))
    }

    @Test("A loop ends with its task")
    func cancellation() async throws {
        let saves = try PeopleModel.container().saves
        let task = Task {
            var count = 0
            for await changes in saves { count += changes.inserted.count }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
    }

    @Test("A loop hears what is saved while it waits")
    func waiting() async throws {
        let container = try PeopleModel.container()
        let saves = container.saves
        let task = Task {
            for await changes in saves where !changes.deleted.isEmpty { return changes.deleted.count }
            return 0
        }
        try await container.perform { context in
            for number in 0..<10 {
                let person = try context.person("\(number)")
                try context.save()
                if number == 9 { try context.delete(person) }
            }
            try context.save()
        }
        #expect(await task.value == 1)
    }
}
