import Foundation
import Granary

/// The model that `crash-program` reads: things that are linked to each other, and notes, which may have a store of
/// their own.
enum SaveCrashModel {
    private static let things = [
        EntityDescription("Box", [.attribute("name", .string), .toMany("items", "Item", inverse: "box")]),
        EntityDescription(
            "Item",
            [
                .attribute("name", .string, .required, .indexed), .attribute("number", .integer64),
                .attribute("data", .binary, .externalStorage), .toOne("box", "Box", inverse: "items"),
                .toMany("tags", "Tag", inverse: "items"),
            ]),
        EntityDescription(
            "Tag", [.attribute("name", .string), .toMany("items", "Item", inverse: "tags")], unique: [["name"]]),
    ]
    private static let notes = [
        EntityDescription("Note", [.attribute("name", .string), .attribute("data", .binary, .externalStorage)])
    ]

    /// Writes the model, and beside it those of the stores that hold a part of it only, as `Store.json`, `Things.json`
    /// and `Notes.json`.
    static func write(to folder: URL) throws {
        var whole = ManagedObjectModel(entities: things + notes)
        whole.configurations = [
            ConfigurationDescription(name: "Things", entityNames: things.map(\.name)),
            ConfigurationDescription(name: "Notes", entityNames: notes.map(\.name)),
        ]
        try whole.write(to: folder.appending(path: "Store.json"))
        try ManagedObjectModel(entities: things).write(to: folder.appending(path: "Things.json"))
        try ManagedObjectModel(entities: notes).write(to: folder.appending(path: "Notes.json"))
    }

    /// All objects of an archive store as text: IDs, values and links.
    static func description(ofArchive url: URL, model: URL) throws -> String {
        let container = try PersistentContainer(name: "Archive", model: ManagedObjectModel(contentsOf: model))
        var description = PersistentStoreDescription(.archive(url))
        description.isReadOnly = true
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        let context = container.makeContext()
        var lines: [String] = []
        for entity in things + notes {
            for object in try context.fetchAll(entity.name) {
                var parts = [object.objectID.uriRepresentation.absoluteString]
                for attribute in entity.attributes {
                    let value = try object.value(forKey: attribute.name)
                    if case .binary(let data)? = value {
                        parts.append(data.base64EncodedString())
                    } else {
                        parts.append(value.map { "\($0)" } ?? "NULL")
                    }
                }
                for relationship in entity.relationships {
                    var ends: [ManagedObject] = []
                    if relationship.maxCount != 1 {
                        ends = try object.objects(forKey: relationship.name)
                    } else if let end = try object.object(forKey: relationship.name) {
                        ends = [end]
                    }
                    let ids = ends.map { $0.objectID.uriRepresentation.absoluteString }
                    parts.append(ids.sorted().joined(separator: " "))
                }
                lines.append(parts.joined(separator: "|"))
            }
        }
        return lines.joined(separator: "\n")
    }
}
