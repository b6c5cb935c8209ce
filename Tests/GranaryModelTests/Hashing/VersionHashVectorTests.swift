import Foundation
import TestSupport
import Testing

@testable import GranaryModel

@Suite(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
struct VersionHashVectorTests {
    @Test func everyVectorIsRecomputed() throws {
        let lists = [try HashVectors.all.get().vectors, try HashVectors.more.get().vectors]
        #expect(lists.map(\.count) == [87, 28])
        for vector in lists.joined() {
            let schema = try SchemaBuilder(model: vector.model).build()
            #expect(
                schema.versionHashes[vector.entity]?.base64EncodedString() == vector.hash,
                "\(vector.entity) \(vector.tags ?? [])")
        }
    }

    /// Core Data of macOS 10.15 wrote this hash (`../shared/cases/01-hash-modifier-constraint`).
    @Test("The modifier of an entity is hashed before its constraints")
    func modifierAndConstraint() throws {
        var entity = EntityDescription(name: "Codec")
        entity.attributes = [AttributeDescription(name: "fourCharCodeName", type: .string)]
        entity.attributes[0].isOptional = false
        entity.uniquenessConstraints = [["fourCharCodeName"]]
        entity.versionHashModifier = "13102"
        let schema = try ManagedObjectModel(entities: [entity]).resolved()
        #expect(
            schema.versionHashes["Codec"]?.base64EncodedString() == "Y7t9O8wwVVJyjU6Abcih3k84T/gBeIWz+q61BQfSTxM=")
        #expect(!schema.hasUnconfirmedHash(schema.entities[0]))
    }

    @Test("A relationship that is its own inverse has the same hash in a subentity that repeats it")
    func repeatedOwnInverse() throws {
        func hash(repeats: Bool) throws -> Data? {
            var friends = RelationshipDescription(name: "friends", destination: "Person", inverse: "friends")
            friends.maxCount = 0
            var entities = [EntityDescription(name: "Person"), EntityDescription(name: "Worker")]
            entities[0].relationships = [friends]
            entities[1].superentityName = "Person"
            if repeats { entities[1].relationships = [friends] }
            return try SchemaBuilder(model: ManagedObjectModel(entities: entities)).build().versionHashes["Worker"]
        }
        #expect(try hash(repeats: true) == hash(repeats: false))
    }

    @Test func everyChecksumAndDigestIsRecomputed() throws {
        let models = try HashVectors.all.get().models
        var counts = (checksums: 0, digests: 0)
        for model in models {
            let hashes = model.hashes.mapValues { Data(base64Encoded: $0) ?? Data() }
            #expect(hashes.values.allSatisfy { $0.count == 32 })
            if let checksum = model.checksum {
                counts.checksums += 1
                #expect(VersionHasher.checksum(hashes) == checksum)
            }
            if let digest = model.digest {
                counts.digests += 1
                #expect(VersionHasher.digest(hashes) == digest)
            }
        }
        #expect(counts.checksums > 0 && counts.digests > 0)
    }
}
