import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import Testing

@Suite("Reset") struct ResetTests {
    @Test("The observers are told at once, with the invalidated objects", arguments: StoreFactory.kinds)
    func announced(_ factory: StoreFactory) throws {
        let context = try Watched.container(factory).makeContext()
        let (ann, bob) = (try context.person("Ann"), try context.person("Bob"))
        try context.save()
        try ann.setValue("Anna", forKey: "name")
        let new = try context.pet("Rex")
        var heard: [ObjectChanges] = []
        context.addObserver { heard.append($0) }
        context.reset()
        #expect(heard.count == 1)
        #expect(heard.first?.invalidated == [ann, bob, new])
        #expect(heard.first?.inserted.isEmpty == true && heard.first?.updated.isEmpty == true)
        // There is nothing to tell of an empty context, and nothing is told twice.
        context.reset()
        try context.processPendingChanges()
        #expect(heard.count == 1)
        #expect(context.registeredObjects.isEmpty && !context.hasChanges)
    }

    @Test("A realised object is a fault afterwards, and has what the store has", arguments: StoreFactory.kinds)
    func faults(_ factory: StoreFactory) throws {
        let container = try Watched.container(factory)
        let context = container.makeContext()
        let ann = try context.person("Ann")
        try context.save()
        let reader = container.makeContext()
        let read = try #require(try reader.existingObject(with: ann.objectID) as? Watched)
        for (object, context) in [(ann, context), (read, reader)] {
            try object.setValue("Anna", forKey: "name")
            try object.setValue(7, forKey: "mood")
            context.reset()
            #expect(object.isFault && object.managedObjectContext == nil && !object.hasChanges)
            #expect(object["name"] == "Ann" && object["mood"] == 0)
        }
        #expect(read.calls.suffix(3) == ["willTurnIntoFault", "didTurnIntoFault", "awakeFromFetch"])
    }
}
