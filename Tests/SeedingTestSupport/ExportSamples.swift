import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryExport
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryPredicates
import Testing

/// Models and stores for export tests, made by hand, object by object.
enum ExportSamples {
    /// One attribute of every type that a store keeps, and one of each kind that an export leaves out.
    static let everyType = ManagedObjectModel(entities: [
        EntityDescription(
            "Thing",
            [
                .attribute("small", .integer16), .attribute("middle", .integer32), .attribute("large", .integer64),
                .attribute("price", .decimal), .attribute("exact", .double), .attribute("rough", .float),
                .attribute("name", .string, .defaultValue("new")), .attribute("flag", .boolean),
                .attribute("day", .date), .attribute("data", .binary), .attribute("code", .uuid),
                .attribute("link", .uri), .attribute("shape", .transformable),
                .attribute("scratch", .string, .transient), .attribute("now", .date, .derived("now()")),
            ])
    ])

    /// Persons in departments, each by a key; tags on persons; a person's ordered friends.
    static let company = ManagedObjectModel(entities: [
        EntityDescription(
            "Department",
            [
                .attribute("name", .string), .toMany("staff", "Person", inverse: "department"),
                .toOne("head", "Employee", inverse: nil),
            ], unique: [["name"]]),
        EntityDescription(
            "Person",
            [
                .attribute("name", .string), .toOne("department", "Department", inverse: "staff"),
                .toMany("tags", "Tag", inverse: "persons"), .toMany("friends", "Person", inverse: nil, .ordered),
            ], isAbstract: true),
        EntityDescription("Employee", [.attribute("salary", .decimal)], superentity: "Person"),
        EntityDescription("Customer", [.attribute("vip", .boolean)], superentity: "Person"),
        EntityDescription(
            "Tag", [.attribute("word", .string), .toMany("persons", "Person", inverse: "tags")], unique: [["word"]]),
    ])

    static func store(_ model: ManagedObjectModel) throws -> InMemoryStore {
        InMemoryStore(schema: try model.resolved())
    }

    /// Inserts an object; values by attribute, references by to-one relationship.
    static func insert(
        _ entity: String, _ key: Int64, _ values: [String: AttributeValue] = [:],
        to references: [String: (String, Int64)] = [:], into store: any StoreBackend
    ) throws {
        let schema = store.schema
        let entity = try #require(schema.entity(named: entity))
        var batch = RowBatch()
        let row = batch.appendRow(entity: entity.index, key: key, version: 1, slotCount: entity.slotCount)
        for (name, value) in values {
            let attribute = try #require(entity.attribute(named: name))
            value.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
        }
        for (name, target) in references {
            let relationship = try #require(entity.relationship(named: name))
            let destination = try #require(schema.entity(named: target.0))
            batch[row, relationship.slot] = .reference(key: target.1, entity: Int32(destination.index))
        }
        try store.transaction { writer in
            try writer.reserveKeys(root: entity.root, through: key)
            try writer.insert(batch)
        }
    }

    static func link(
        _ entity: String, _ key: Int64, _ name: String, to targets: [(String, Int64)], in store: any StoreBackend
    ) throws {
        let owner = try #require(store.schema.entity(named: entity))
        let relationship = try #require(owner.relationship(named: name))
        let links = try targets.map { target in
            Link(owner: key, entity: try #require(store.schema.entity(named: target.0)).index, destination: target.1)
        }
        try store.transaction { try $0.setLinks(relationship, owner: key, ownerEntity: owner.index, to: links) }
    }

    /// Two departments, three persons, two tags.
    static func companyStore() throws -> InMemoryStore {
        let store = try store(company)
        try insert("Department", 1, ["name": "Sales"], into: store)
        try insert("Department", 2, ["name": "R;D"], to: ["head": ("Employee", 3)], into: store)
        try insert(
            "Employee", 1, ["name": "Ann", "salary": .decimal(12.5)], to: ["department": ("Department", 2)], into: store
        )
        try insert("Customer", 2, ["name": "Bob", "vip": true], into: store)
        try insert("Employee", 3, ["name": "Cy"], to: ["department": ("Department", 1)], into: store)
        try insert("Tag", 1, ["word": "new"], into: store)
        try insert("Tag", 2, ["word": "a;b"], into: store)
        try link("Employee", 1, "tags", to: [("Tag", 1), ("Tag", 2)], in: store)
        try link("Employee", 1, "friends", to: [("Employee", 3), ("Customer", 2)], in: store)
        return store
    }

    static func csv(_ store: any StoreBackend, _ options: ExportOptions) throws -> String {
        try text { try Exporter(options: options).run(store, into: CSVWriter($0)) }
    }

    static func json(
        _ store: any StoreBackend, _ options: ExportOptions = ExportOptions(), shape: JSONWriter.Shape = .array
    ) throws -> String {
        var writing = JSONWriter.Options()
        writing.shape = shape
        return try text { try Exporter(options: options).run(store, into: JSONWriter($0, options: writing)) }
    }

    static func plist(_ store: any StoreBackend, _ options: ExportOptions = ExportOptions()) throws -> String {
        try text { try Exporter(options: options).run(store, into: PropertyListWriter($0)) }
    }

    /// What `body` writes to a file that it finishes.
    static func text(_ body: (ByteOutput) throws -> Void) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "granary-export-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(try ByteOutput.file(path, replacing: false))
        return String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    static func options(_ entities: String...) -> ExportOptions {
        var options = ExportOptions()
        options.entities = entities
        return options
    }
}
