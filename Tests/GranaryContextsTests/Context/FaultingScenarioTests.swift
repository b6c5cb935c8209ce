import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import TestSupport
import Testing

/// The FAU scenarios of docs/core-data/behaviours.md#fau-faults-and-refreshing, under their numbers, and what else is
/// known of faults.
@Suite("Faulting") struct FaultingScenarioTests {
    @Test("FAU-01: an object refreshed without merging is a fault, its edit gone", arguments: StoreFactory.all)
    func refreshWithoutMerging(_ factory: StoreFactory) throws {
        let context = try Watched.container(factory).makeContext()
        let person = try #require(try context.person("Ann") as? Watched)
        try context.save()
        try person.setValue("edited", forKey: "name")
        try context.refresh(person, mergeChanges: false)
        #expect(person.isFault && !person.hasChanges && !context.hasChanges)
        #expect(person.calls == ["willTurnIntoFault", "didTurnIntoFault"])
        #expect(person.lastName == "edited")
        #expect(person["name"] == "Ann")
        #expect(!person.isFault && person.calls.last == "awakeFromFetch")
    }

    @Test("FAU-03: refreshing all keeps edits, and makes the rest faults", arguments: StoreFactory.all)
    func refreshAll(_ factory: StoreFactory) throws {
        let context = try Watched.container(factory).makeContext()
        let (edited, other) = (try context.person("Ann"), try context.person("Bob"))
        try context.save()
        try edited.setValue("Eve", forKey: "name")
        let new = try context.person("Cid")
        try context.refreshAllObjects()
        #expect(!edited.isFault && edited.isUpdated && edited["name"] == "Eve")
        #expect(!new.isFault && new["name"] == "Cid")
        #expect(other.isFault)
        #expect(other["name"] == "Bob")
    }

    @Test("FAU-05: a fetch gives faults unless it is told otherwise", arguments: StoreFactory.all)
    func fetchedFaults(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let saved = [try context.person("Ann"), try context.person("Bob")]
        try context.save()
        let fresh = container.makeContext()
        let faults = try fresh.fetchAll("Person")
        #expect(faults.map(\.objectID) == saved.map(\.objectID) && faults.allSatisfy(\.isFault))
        var request = FetchRequest("Person")
        #expect(request.returnsObjectsAsFaults)
        request.returnsObjectsAsFaults = false
        let other = container.makeContext()
        try other.fetchAll("Person").first?.setValue("Eve", forKey: "name")
        try other.insert(into: "Person")
        let full = try other.fetch(request)
        #expect(full.count == 3 && !full.contains(where: \.isFault))
        #expect(full.first?["name"] == "Eve")
    }

    @Test("FAU-07: what another process has changed is seen once rows may not be used again")
    func staleness() throws {
        let (ours, theirs, folder) = try twoContainers()
        let writer = ours.makeContext()
        _ = try writer.person("FIAT")
        try writer.save()
        let context = ours.makeContext()
        #expect(context.stalenessInterval == nil)
        let car = try #require(try context.fetchAll("Person").first)
        #expect(car["name"] == "FIAT")
        try theirs.change(car.objectID, "name", to: "FCA")
        try context.refresh(car, mergeChanges: true)
        #expect(car.isFault)
        #expect(car["name"] == "FIAT")
        try context.refreshAllObjects()
        #expect(car["name"] == "FIAT")
        context.stalenessInterval = Duration.zero
        try context.refresh(car, mergeChanges: true)
        #expect(car["name"] == "FCA")
        withExtendedLifetime(folder) {}
    }

    @Test("FAU-09: many faults, and the members of a to-many, are filled at once", arguments: StoreFactory.all)
    func fulfilling(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let ann = try context.person("Ann")
        for number in 0..<5 { _ = try context.pet("pet \(number)", of: ann) }
        _ = try context.person("Bob")
        try context.save()
        let fresh = container.makeContext()
        let people = try fresh.fetchAll("Person")
        #expect(people.allSatisfy { $0.isFault })
        try fresh.fulfill(people)
        #expect(!people.contains { $0.isFault })
        let pets = try people[0].objects(forKey: "pets")
        #expect(pets.count == 5 && pets.allSatisfy(\.isFault))
        try fresh.fulfill(pets)
        #expect(!pets.contains { $0.isFault })
        // Objects without need of it, and those of other contexts, are left alone.
        try fresh.fulfill(pets + [ann])
        #expect(!fresh.hasChanges)
    }

    @Test("awakeFromFetch runs once, when a value is first asked for", arguments: StoreFactory.all)
    func awakening(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        _ = try context.person("Ann")
        try context.save()
        let fresh = container.makeContext()
        let person = try #require(try fresh.fetchAll("Person").first as? Watched)
        #expect(person.calls == [] && person.isFault && !person.objectID.isTemporaryID)
        #expect(person["name"] == "Ann" && person["note"] == nil)
        #expect(try person.objects(forKey: "pets") == [])
        try person.setValue("Eve", forKey: "name")
        #expect(try fresh.fetchAll("Person") == [person])
        try fresh.save()
        #expect(person["name"] == "Eve" && person.calls == ["awakeFromFetch"])
        try fresh.refresh(person, mergeChanges: true)
        #expect(person["name"] == "Eve")
        #expect(
            person.calls == ["awakeFromFetch", "willTurnIntoFault", "didTurnIntoFault", "awakeFromFetch"])
    }

    @Test("What awakeFromFetch sets is no change", arguments: StoreFactory.all)
    func changesWhileAwakening(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let saved = try context.person("Ann")
        try context.save()
        let fresh = container.makeContext()
        fresh.undoManager = ObjectUndoManager()
        let person = try #require(try fresh.lookUpObject(with: saved.objectID) as? Watched)
        person.onAwakeFromFetch = { person in
            try person.setValue(42, forKey: "mood")
            try person.setPrimitiveValue("seen", forKey: "note")
        }
        #expect(person["mood"] == 42 && person["note"] == "seen")
        #expect(!person.hasChanges && !fresh.hasChanges && person.changedValues() == [:])
        #expect(fresh.undoManager?.canUndo == false)
        try fresh.save()
        #expect(try container.stored(saved.objectID, "note") == nil)
    }

    @Test("A fault reads what is stored now; an object with values keeps them", arguments: StoreFactory.all)
    func valuesInTime(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let writer = container.makeContext()
        let (ann, bob) = (try writer.person("Ann"), try writer.person("Bob"))
        try writer.save()
        let context = container.makeContext()
        let people = try context.fetchAll("Person")
        #expect(people[0]["name"] == "Ann")
        try ann.setValue("Ann 2", forKey: "name")
        try bob.setValue("Bob 2", forKey: "name")
        try writer.save()
        #expect(people[0]["name"] == "Ann" && people[1]["name"] == "Bob 2")
        try context.refresh(people[0], mergeChanges: true)
        #expect(people[0]["name"] == "Ann 2")
    }

    @Test("Values come from the row that was fetched until one is written; the save sees that the row is old")
    func fetchedRow() throws {
        let (ours, theirs, folder) = try twoContainers()
        let writer = ours.makeContext()
        let saved = try writer.person("Ann")
        try writer.save()
        let context = ours.makeContext()
        let ann = try #require(try context.fetchAll("Person").first)
        try theirs.change(saved.objectID, "name", to: "theirs")
        #expect(ann.isFault)
        #expect(ann["name"] == "Ann")
        try ann.setValue("ours", forKey: "note")
        #expect(ann["name"] == "Ann" && ann["note"] == "ours")
        #expect(ann.changedValues() == ["note": .attribute("ours")])
        let error = #expect(throws: GranaryError.self) { try context.save() }
        #expect(error?.diagnostics.map(\.code) == [.objectConflict])
        withExtendedLifetime(folder) {}
    }

    @Test("A fault whose object is gone says so, with 133000, if it shall not be deleted", arguments: StoreFactory.all)
    func goneObjects(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let writer = container.makeContext()
        let saved = try writer.person("Ann")
        try writer.save()
        let context = container.makeContext()
        context.shouldDeleteInaccessibleFaults = false
        let ann = try #require(try context.fetchAll("Person").first)
        try container.delete(saved.objectID)
        let errors = [
            #expect(throws: GranaryError.self) { try ann.value(forKey: "name") },
            #expect(throws: GranaryError.self) { try ann.setValue("Eve", forKey: "name") },
            #expect(throws: GranaryError.self) { try ann.object(forKey: "boss") },
            #expect(throws: GranaryError.self) { try ann.objects(forKey: "pets") },
            #expect(throws: GranaryError.self) { try context.fulfill([ann]) },
        ]
        for error in errors {
            #expect(error?.diagnostics.map(\.code) == [.objectGone])
            #expect(error?.diagnostics.first?.coreDataCode == 133_000)
        }
        #expect(ann["name"] == nil && ann.isFault && !context.hasChanges)
        #expect(try context.fetchAll("Person") == [])
    }

    @Test("DIS-7: a primitive value is no change; it is written when the object is", arguments: StoreFactory.all)
    func primitiveValues(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let ann = try context.person("Ann")
        try context.save()
        try ann.setPrimitiveValue("Eve", forKey: "name")
        #expect(ann["name"] == "Eve" && !ann.hasChanges && !context.hasChanges && ann.changedValues() == [:])
        try context.save()
        #expect(try container.stored(ann.objectID, "name") == "Ann")
        try ann.setValue("x", forKey: "note")
        try context.save()
        #expect(try container.stored(ann.objectID, "name") == "Eve")
        // A fault is not fired for it.
        let fault = try #require(try container.makeContext().fetchAll("Person").first)
        #expect(try fault.primitiveValue(forKey: "name") == nil && fault.isFault)
        #expect(throws: GranaryError.self) { try ann.setPrimitiveValue(1, forKey: "name") }
        #expect(throws: GranaryError.self) { try ann.primitiveValue(forKey: "pets") }
    }

    private func twoContainers() throws -> (PersistentContainer, PersistentContainer, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let store = StoreLocation.sqlite(folder.url.appending(path: "People.sqlite"))
        return (
            try PersistentContainer(model: PeopleModel.model, store: store),
            try PersistentContainer(model: PeopleModel.model, store: store), folder
        )
    }
}
