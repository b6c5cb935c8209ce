import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

/// Locks of released versions, and what they say of changes.
struct SchemaLockTests {
    private static let place = CompositeDescription(
        name: "Place", elements: [AttributeDescription(name: "latitude", type: .double)])

    private static func model(_ change: (inout ManagedObjectModel) -> Void = { _ in }) -> ManagedObjectModel {
        var trip = EntityDescription(name: "Trip")
        trip.attributes = [AttributeDescription(name: "name", type: .string)]
        var spot = AttributeDescription(name: "spot", type: .composite)
        spot.compositeName = "Place"
        trip.attributes.append(spot)
        var stops = RelationshipDescription(name: "stops", destination: "Stop", inverse: "trip")
        stops.maxCount = 0
        trip.relationships = [stops]
        trip.uniquenessConstraints = [["name"]]
        var stop = EntityDescription(name: "Stop")
        stop.relationships = [RelationshipDescription(name: "trip", destination: "Trip", inverse: "stops")]
        var model = ManagedObjectModel(entities: [trip, stop])
        model.composites = [place]
        model.versionIdentifiers = ["1.0.0"]
        change(&model)
        return model
    }

    private static func chain(_ model: ManagedObjectModel, name: String = "V1") -> ModelVersionChain {
        ModelVersionChain([.init(name: name, model: model)])
    }

    private static let cases: [(change: @Sendable (inout ManagedObjectModel) -> Void, expected: [String])] = [
        ({ _ in }, []),
        ({ $0.entities[0].attributes[0].defaultValue = .string("x") }, []),
        ({ $0.entities[0].attributes[0].type = .integer64 }, ["V1: Trip.name: type: String -> Integer 64"]),
        ({ $0.entities[0].attributes[0].isOptional = true }, ["V1: Trip.name: optional: none -> yes"]),
        ({ $0.entities[0].uniquenessConstraints = [] }, ["V1: Trip: constraints: name -> none"]),
        (
            { $0.composites[0].elements[0].type = .float }, ["V1: Trip.spot: .latitude: Double -> Float"]
        ),
        (
            { $0.composites[0].elements.append(AttributeDescription(name: "height", type: .double)) },
            ["V1: Trip.spot: .height: none -> Double"]
        ),
        (
            {
                $0.entities[0].relationships[0].inverseName = nil
                $0.entities[1].relationships[0].inverseName = nil
            }, ["V1: Stop.trip: inverse: stops -> none", "V1: Trip.stops: inverse: trip -> none"]
        ),
        ({ $0.entities[1].relationships[0].minCount = 1 }, ["V1: Stop.trip: count: 0...1 -> 1...1"]),
        (
            { $0.entities[0].attributes.append(AttributeDescription(name: "new", type: .date)) },
            ["V1: Trip.new: is new"]
        ),
        ({ $0.entities[0].attributes.remove(at: 1) }, ["V1: Trip.spot: is missing"]),
        ({ $0.entities.append(EntityDescription(name: "Guest")) }, ["V1: Guest: is new"]),
    ]

    @Test func eachChangeIsNamed() throws {
        let lock = try SchemaLock(Self.chain(Self.model()))
        for (index, item) in Self.cases.enumerated() {
            let changes = lock.changes(in: Self.chain(Self.model(item.change)))
            #expect(changes.map(\.description) == item.expected, "case \(index)")
        }
    }

    @Test func aLockIsTheSameAfterItsFile() throws {
        let lock = try SchemaLock(Self.chain(Self.model()))
        let folder = try TemporaryFolder()
        let file = try folder.write(try lock.text(), to: "Schemas.lock")
        #expect(try SchemaLock(contentsOf: file) == lock)
        let schema = try Self.model().resolved()
        #expect(lock.versions["V1"]?.checksum == schema.checksum && lock.versions["V1"]?.digest == schema.digest)
        let other = try folder.write("{}", to: "Other.lock")
        #expect { try SchemaLock(contentsOf: other) } throws: { ($0 as? GranaryError)?.code == .refused }
    }

    @Test func versionsAreComparedByName() throws {
        let lock = try SchemaLock(Self.chain(Self.model()))
        // The only version can have any name.
        #expect(lock.changes(in: Self.chain(Self.model(), name: "Models")).isEmpty)
        let two = ModelVersionChain([.init(name: "V2", model: Self.model()), .init(name: "V3", model: Self.model())])
        #expect(lock.changes(in: two).map(\.description) == ["V1: is frozen and no longer exists"])
        // A version that is not frozen is free.
        let more = ModelVersionChain([
            .init(name: "V1", model: Self.model()), .init(name: "V2", model: Self.model { $0.entities.removeLast(0) }),
        ])
        #expect(lock.changes(in: more).isEmpty)
    }

    @Test func aModelWithProblemsCannotBeFrozen() {
        let broken = Self.model { $0.entities[0].relationships[0].destinationEntityName = "Nowhere" }
        #expect { try SchemaLock(Self.chain(broken)) } throws: { ($0 as? GranaryError)?.code == .refused }
    }
}
