import Foundation
import GranaryModel
import StoreTestSupport
import TestSupport
import Testing

@testable import GranaryContexts
@testable import GranaryCoordination
@testable import GranaryCoreDataStore
@testable import GranaryInspection

/// Compares every join table found in a public store with Granary's names (sqlite-layout §6).
@Suite("Join tables of public stores", .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
struct JoinTableVectorTests {
    struct Vector: Decodable {
        struct Side: Decodable {
            let entity: String
            let number: Int
            let relationship: String
            let ordered: Bool
        }

        let kind: String
        let sides: [Side]
        let table: String
        let columns: [String]
        let stores: Int
    }

    private static func vectors() throws -> [Vector] {
        let data = try Data(contentsOf: try SharedFiles.url("coredata/join-tables.json"))
        return try JSONDecoder().decode([Vector].self, from: data)
    }

    /// The join table of a model with the two relationships and the entities' numbers. If the vector's columns have a
    /// digit, a third entity has a relationship with the inverse's name.
    private func joinTable(of vector: Vector) throws -> (name: String, columns: [String])? {
        let last = (vector.sides.map(\.number).max() ?? 0) + 1
        // The sorted names give every entity its number.
        let name = { (number: Int) in "E" + String(repeating: "0", count: 3 - String(number).count) + "\(number)" }
        var entities = (1...last).map { EntityDescription(name: name($0)) }
        for (side, other) in zip(vector.sides, vector.sides.reversed()) {
            var relationship = RelationshipDescription(name: side.relationship, destination: name(other.number))
            relationship.maxCount = 0
            relationship.isOrdered = side.ordered
            relationship.inverseName = other.relationship
            entities[side.number - 1].relationships.append(relationship)
        }
        if vector.columns.contains(where: { $0.hasSuffix("1") }), let shared = vector.sides.last {
            // Reaction.users and User.reactions, as well as SystemMessage.users and User.systemMessages.
            var reactions = RelationshipDescription(name: "reactions", destination: name(last))
            reactions.maxCount = 0
            reactions.inverseName = "users"
            entities[shared.number - 1].relationships.append(reactions)
            var users = RelationshipDescription(name: "users", destination: name(shared.number))
            users.maxCount = 0
            users.inverseName = "reactions"
            entities[last - 1].relationships.append(users)
        }
        let schema = try ManagedObjectModel(entities: entities).resolved()
        let layout = StoreLayoutBuilder.layout(for: schema)
        let found = layout.joinTables.first { $0.name == vector.table }
        return found.map { ($0.name, [$0.firstColumn, $0.secondColumn] + $0.orderColumns) }
    }

    @Test("Between two entities, all names and columns match, including digits")
    func different() throws {
        let vectors = try Self.vectors().filter { $0.kind == "different" }
        #expect(vectors.count == 88)
        for vector in vectors { #expect(try joinTable(of: vector)?.columns == vector.columns, "\(vector)") }
    }

    @Test("Within one entity, the rule matches most stores")
    func sameEntity() throws {
        let vectors = try Self.vectors().filter { $0.kind == "same entity" }
        let fitting = try vectors.filter { try joinTable(of: $0) != nil }
        #expect(fitting.reduce(0) { $0 + $1.stores } == 198)
        #expect(vectors.reduce(0) { $0 + $1.stores } == 214)
    }
}
