import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import Testing

@Suite("Object IDs") struct ManagedObjectIDTests {
    let container: PersistentContainer

    init() throws { container = try PersistentContainer(model: ConformanceModel.model, store: .inMemory) }

    @Test("STO-01: the URI of a stored object, both ways", arguments: StoreFactory.all)
    func storedURI(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ConformanceModel.model, factory)
        let context = container.makeContext()
        let leaf = try context.insert(into: "Leaf")
        try context.save()
        let coordinator = container.persistentStoreCoordinator
        let uri = leaf.objectID.uriRepresentation
        #expect(uri.absoluteString == "x-coredata://\(coordinator.storeIdentifier)/Leaf/p1")
        #expect(uri.scheme == "x-coredata" && uri.path == "/Leaf/p1")
        let read = try #require(ManagedObjectID(uri: uri, schema: container.schema))
        #expect(read == leaf.objectID && read.hashValue == leaf.objectID.hashValue)
        #expect(coordinator.managedObjectID(forURIRepresentation: uri) == leaf.objectID)
        #expect(try context.lookUpObject(with: read) === leaf)
        #expect(read.entityName == "Leaf" && read.storeIdentifier == coordinator.storeIdentifier)
        // A key names an object of the whole hierarchy.
        let asNode = try #require(URL(string: uri.absoluteString.replacing("Leaf", with: "Node")))
        #expect(ManagedObjectID(uri: asNode, schema: container.schema) == leaf.objectID)
        let other = try #require(URL(string: uri.absoluteString.replacing("Leaf", with: "Tag")))
        #expect(ManagedObjectID(uri: other, schema: container.schema) != leaf.objectID)
    }

    @Test("The URI of a new object, both ways")
    func temporaryURI() throws {
        let node = try container.makeContext().insert(into: "Node")
        let uri = node.objectID.uriRepresentation
        #expect(uri.absoluteString.hasPrefix("x-coredata:///Node/t"))
        let read = try #require(ManagedObjectID(uri: uri, schema: container.schema))
        #expect(read == node.objectID && read.isTemporaryID && read.storeIdentifier == nil)
        #expect(container.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri) == nil)
    }

    @Test("An entity's name may need escapes")
    func escapedNames() throws {
        let model = ManagedObjectModel(entities: [EntityDescription("Größe", [])])
        let container = try PersistentContainer(model: model, store: .inMemory)
        let context = container.makeContext()
        let object = try context.insert(into: "Größe")
        try context.save()
        let uri = object.objectID.uriRepresentation
        #expect(uri.absoluteString.hasSuffix("/Gr%C3%B6%C3%9Fe/p1"))
        #expect(container.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri) == object.objectID)
    }

    @Test(
        "What is no object's URI is nil",
        arguments: [
            "http://U/Node/p1", "x-coredata:", "x-coredata://", "x-coredata://U/Node", "x-coredata://U/Node/",
            "x-coredata://U/Node/p", "x-coredata://U/Node/p0", "x-coredata://U/Node/p-1", "x-coredata://U/Node/p+1",
            "x-coredata://U/Node/p1/x", "x-coredata://U/Node/q1", "x-coredata://U/Nodes/p1", "x-coredata:///Node/p1",
            "x-coredata://U/Node/p99999999999999999999", "x-coredata:///Node/tF7B1",
        ])
    func malformedURIs(text: String) throws {
        let uri = try #require(URL(string: text))
        #expect(ManagedObjectID(uri: uri, schema: container.schema) == nil)
    }
}

/// IDs as values of JSON.
@Suite("Coding of object IDs") struct ManagedObjectIDCodingTests {
    private func container() throws -> (PersistentContainer, ManagedObjectContext, ManagedObject) {
        let container = try PersistentContainer(model: ConformanceModel.model, store: .inMemory)
        let context = container.makeContext()
        let leaf = try context.insert(into: "Leaf")
        try context.save()
        return (container, context, leaf)
    }

    @Test("An ID is its URI, and is decoded with its container")
    func roundTrip() throws {
        let (container, context, leaf) = try container()
        let data = try JSONEncoder().encode([leaf.objectID])
        #expect(try JSONDecoder().decode([URL].self, from: data) == [leaf.objectID.uriRepresentation])
        let decoder = JSONDecoder()
        decoder.userInfo = container.decodingUserInfo
        let ids = try decoder.decode([ManagedObjectID].self, from: data)
        #expect(ids == [leaf.objectID])
        #expect(try context.existingObject(with: ids[0]) === leaf)
    }

    @Test("A temporary ID is not encoded")
    func temporary() throws {
        let (_, context, _) = try container()
        let new = try context.insert(into: "Leaf")
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(new.objectID) }
    }

    @Test("The name in exports and in the JSON of values is decoded too")
    func exportNames() throws {
        let (container, _, leaf) = try container()
        let name = try #require(leaf.objectID.exportName)
        #expect(name.hasPrefix("Leaf/p"))
        #expect(try container.persistentStoreCoordinator.managedObjectID(forExportName: name) == leaf.objectID)
        let decoder = JSONDecoder()
        decoder.userInfo = container.decodingUserInfo
        #expect(try decoder.decode([ManagedObjectID].self, from: Data("[\"\(name)\"]".utf8)) == [leaf.objectID])
    }

    @Test("What is no ID of the container is refused with a reason")
    func refusals() throws {
        let (container, _, leaf) = try container()
        let data = try JSONEncoder().encode([leaf.objectID])
        func message(_ data: Data, _ container: PersistentContainer?) -> String? {
            let decoder = JSONDecoder()
            if let container { decoder.userInfo = container.decodingUserInfo }
            do { _ = try decoder.decode([ManagedObjectID].self, from: data) } catch DecodingError.dataCorrupted(
                let context)
            {
                return context.debugDescription
            } catch {}
            return nil
        }
        #expect(message(data, nil)?.contains("container.decodingUserInfo") == true)
        let other = try PersistentContainer(model: ConformanceModel.model, store: .inMemory)
        for (text, container) in [
            (String(decoding: data, as: UTF8.self), other), (#"["Leaf/q1"]"#, container), (#"["no ID"]"#, container),
            (#"["x-coredata://U/Nothing/p1"]"#, container),
        ] {
            #expect(message(Data(text.utf8), container)?.contains("is not the URI of an object") == true, "\(text)")
        }
    }
}
