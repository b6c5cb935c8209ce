import GranaryBase
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates
import Testing
@testable import GranaryCoordination
@testable import GranaryGeneration
@testable import SeedingTestSupport

/// Previews show the first objects of a run.
@Suite struct PreviewTests {
    /// Everything that depends on the number of objects: unique values, links of each kind, addresses, formulas.
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Injury", [.attribute("name", .string, .required), .toMany("patients", "Patient", inverse: "injury")],
            unique: [["name"]]),
        EntityDescription(
            "Patient",
            [
                .attribute("name", .string, .required), .attribute("email", .string), .attribute("price", .decimal),
                .toOne("injury", "Injury", inverse: "patients", .required),
                .toOne("buddy", "Patient", inverse: "buddy"),
                .toMany("responders", "Responder", inverse: "patients", .count(0, 3)),
                .toMany("notes", "Note", inverse: nil),
            ], unique: [["email"]]),
        EntityDescription("Child", [.attribute("school", .string)], superentity: "Patient"),
        EntityDescription(
            "Responder",
            [.attribute("badge", .string, .required), .toMany("patients", "Patient", inverse: "responders", .ordered)],
            unique: [["badge"]]),
        EntityDescription("Note", [.attribute("text", .string)]),
    ])

    private static let counts = ["Injury": 8, "Patient": 700, "Child": 90, "Responder": 40, "Note": 2000]

    @Test("The same objects as the first of a run with the same counts", arguments: [1, 20, 700])
    func equal(rows: Int) throws {
        for isAddition in [false, true] {
            let run = try Generated(Self.model)
            if isAddition { try run.add(["Injury": 3, "Patient": 30, "Responder": 4]) { $0.randomSeed = 1 } }
            var options = GenerationOptions()
            options.randomSeed = 7
            options.linkCounts["Patient.notes"] = "0..4"
            // SQLite does not keep all digits of the second one.
            options.generators["Patient.price"] = "one of 0.5, 0.1234567890123456789012345"
            let preview = GenerationPreview(GenerationRequest(counts: Self.counts, options: options), rows: rows)
            let before = try run.document
            let (store, counts) =
                try isAddition ? preview.run(addedTo: run.store) : preview.run(schema: run.store.schema)
            #expect(try run.document == before)
            #expect(Dictionary(counts.map { ($0.name, $0.count) }) { first, _ in first } == Self.counts)
            let compared = isAddition ? try Generated(Self.model) : run
            if isAddition { try compared.add(["Injury": 3, "Patient": 30, "Responder": 4]) { $0.randomSeed = 1 } }
            let firstKeys = try compared.store.schema.entities.map { try compared.store.lastKey(root: $0.root) }
            try compared.add(Self.counts) { $0 = options }
            for (name, count) in Self.counts {
                let entity = try #require(compared.store.schema.entity(named: name))
                #expect(try store.count(entity: entity.index) == min(rows, count), "\(name)")
                let all = try rowsOf(compared.store, entity, after: isAddition ? firstKeys[entity.index] : 0)
                let found = try rowsOf(store, entity, after: 0)
                #expect(found == Array(all.prefix(rows)), "\(name)")
                for relationship in entity.relationships where relationship.isToMany && relationship.name != "patients"
                {
                    let keys = found.map(\.key)
                    #expect(
                        try links(store, relationship, keys) == links(compared.store, relationship, keys),
                        "\(name).\(relationship.name)")
                }
            }
        }
    }

    private struct Object: Equatable {
        let key: Int64
        let cells: [String]
    }

    private func rowsOf(_ store: any StoreBackend, _ entity: Schema.Entity, after first: Int64) throws -> [Object] {
        var objects: [Object] = []
        try store.read(entities: entity.index..<entity.index + 1, batchSize: 100) { batch in
            for row in batch.rows.indices where batch.rows[row].key > first {
                let values = try entity.attributes.map { try String(describing: batch.value(row: row, of: $0)) }
                let references = entity.relationships.filter { !$0.isToMany }.map { "\(batch[row, $0.slot])" }
                objects.append(Object(key: batch.rows[row].key, cells: values + references))
            }
            return true
        }
        return objects
    }

    private func links(
        _ store: any StoreBackend, _ relationship: Schema.Relationship, _ owners: [Int64]
    ) throws -> [Int64: Set<Int64>] {
        var links: [Int64: Set<Int64>] = [:]
        try store.readLinks(of: relationship, owners: owners) { links[$0.owner, default: []].insert($0.destination) }
        return links
    }

    @Test("Without counts, as many objects of each entity; abstract entities have none")
    func withoutCounts() throws {
        var model = Self.model
        model.entities[0].relationships.removeAll()
        model.entities.removeAll { $0.name != "Injury" }
        model.entities.append(EntityDescription("Base", [.attribute("a", .string)], isAbstract: true))
        model.entities.append(EntityDescription("Part", [], superentity: "Base"))
        let (_, counts) = try GenerationPreview(GenerationRequest(), rows: 4).run(schema: try model.resolved())
        #expect(counts.map { "\($0.name) \($0.count)" }.sorted() == ["Injury 4", "Part 4"])
    }

    @Test("A preview of a model that cannot be satisfied is refused as a run is")
    func refused() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Ticket", [.attribute("isOpen", .boolean, .required)], unique: [["isOpen"]])
        ])
        let error = #expect(throws: GranaryError.self) {
            try GenerationPreview(GenerationRequest(), rows: 3).run(schema: try model.resolved())
        }
        #expect(error?.diagnostics.first?.message.contains("The largest count is 2") ?? false)
    }
}
