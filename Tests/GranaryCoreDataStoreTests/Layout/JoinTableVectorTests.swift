import Foundation
import GranaryModel
import StoreTestSupport
import TestSupport
import Testing

@testable import GranaryContexts
@testable import GranaryCoordination
@testable import GranaryCoreDataStore
@testable import GranaryInspection

/// Compares every join table found in a public store with Granary's names
/// (docs/core-data/sqlite-layout.md#join-tables).
@Suite("Join tables of public stores", .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
struct JoinTableVectorTests {
    struct Vector: Decodable {
        struct Side: Decodable {
            let entity: String
            let number: Int
            let relationship: String
            let ordered: Bool
            let firstNameInSubtree: String?
        }

        let kind: String
        let sides: [Side]
        let table: String
        let columns: [String]
        let primaryKey: [String]
        let digitColumns: [String]
    }

    private static func vectors(_ kinds: String...) throws -> [Vector] {
        try ["join-tables.json", "join-tables-2.json"].flatMap { name in
            let data = try Data(contentsOf: try SharedFiles.url("coredata/\(name)"))
            return try JSONDecoder().decode([Vector].self, from: data)
        }.filter { kinds.contains($0.kind) }
    }

    /// A model with the relationships, names and numbers of a vector. If a column has a digit, an entity with a smaller
    /// name has a relationship of the same name to the same entity.
    private func schema(of vector: Vector) throws -> Schema {
        var names: [Int: String] = [:]
        var entities: [String: EntityDescription] = [:]
        for side in vector.sides {
            names[side.number] = side.entity
            entities[side.entity] = EntityDescription(name: side.entity)
        }
        for side in vector.sides {
            guard let first = side.firstNameInSubtree, entities[first] == nil else { continue }
            names[side.number + 1] = first
            entities[first] = EntityDescription(name: first)
            entities[first]?.superentityName = side.entity
        }
        let last = (names.keys.max() ?? 0) + 1
        for number in 1..<last where names[number] == nil {
            names[number] = "Filler\(number)"
            entities["Filler\(number)"] = EntityDescription(name: "Filler\(number)")
        }
        func link(_ entity: String, _ name: String, _ destination: String, _ inverse: String, ordered: Bool = false) {
            var relationship = RelationshipDescription(name: name, destination: destination, inverse: inverse)
            relationship.maxCount = 0
            relationship.isOrdered = ordered
            entities[entity]?.relationships.append(relationship)
        }
        for (side, other) in zip(vector.sides, vector.sides.reversed()) {
            link(side.entity, side.relationship, other.entity, other.relationship, ordered: side.ordered)
            guard vector.digitColumns.contains("Z_\(other.number)\(side.relationship.uppercased())1") else { continue }
            let (earlier, inverse) = ("AAA\(names.count)", "aaa\(names.count)")
            names[names.count + 1] = earlier
            entities[earlier] = EntityDescription(name: earlier)
            link(earlier, side.relationship, other.entity, inverse)
            link(other.entity, inverse, earlier, side.relationship)
        }
        let numbers = Dictionary(names.map { ($0.value, $0.key) }) { first, _ in first }
        let schema = try ManagedObjectModel(entities: Array(entities.values)).resolved(numbers: numbers)
        #expect(schema.entities.allSatisfy { numbers[$0.name] == $0.number })
        return schema
    }

    private func names(_ table: JoinTable) -> [String] {
        [table.name, table.firstColumn, table.secondColumn] + table.orderColumns
    }

    /// The join table of the vector's relationships.
    private func joinTable(of vector: Vector, present: PresentTables = PresentTables()) throws -> [String] {
        let schema = try schema(of: vector)
        let layout = StoreLayoutBuilder.layout(for: schema, present: present)
        let side = try #require(vector.sides.first)
        let relationship = try #require(schema.entity(named: side.entity)?.relationship(named: side.relationship))
        guard case .join(let index, _, _, _)? = layout.linkPlace(of: relationship) else { return [] }
        return names(layout.joinTables[index])
    }

    @Test("Between two entities, and of a relationship that is its own inverse, all names match")
    func confirmedNames() throws {
        let vectors = try Self.vectors("different", "hierarchy", "self-inverse")
        #expect(vectors.count == 191)
        for vector in vectors {
            #expect(try joinTable(of: vector) == [vector.table] + vector.columns, "\(vector)")
            // Warnings concern the digits only, since the vector does not contain the other table.
            let unconfirmed = StoreLayoutBuilder.layout(for: try schema(of: vector)).unconfirmedJoinTables
            #expect(unconfirmed.isEmpty || !vector.digitColumns.isEmpty, "\(vector)")
        }
    }

    @Test("Within one entity, the rule matches most tables, and commands warn")
    func sameEntity() throws {
        let vectors = try Self.vectors("same entity")
        let fitting = try vectors.filter { try joinTable(of: $0) == [$0.table] + $0.columns }
        #expect(fitting.count == 22)
        #expect(vectors.count == 29)
        for vector in vectors {
            #expect(!StoreLayoutBuilder.layout(for: try schema(of: vector)).unconfirmedJoinTables.isEmpty)
        }
    }

    @Test("A table of an existing file is found by its columns, whatever its name")
    func present() throws {
        for vector in try Self.vectors("different", "hierarchy", "self-inverse", "same entity") {
            for name in [vector.table, "Z_1OTHER"] {
                var present = PresentTables()
                present[name] = vector.columns
                // A migration renamed two of the tables; their columns stay in the order of the old name.
                let isRenamed = vector.kind == "same entity" && vector.columns.first == name
                let columns = isRenamed ? Array(vector.columns.reversed()) : vector.columns
                #expect(try joinTable(of: vector, present: present) == [name] + columns, "\(vector)")
            }
        }
    }
}
