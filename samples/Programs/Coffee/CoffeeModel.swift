import Foundation
import Granary

/// Shows a model that is built in code, archived to a file, and loaded again; and its second version, which is merged with
/// the archived one.
enum CoffeeModel {
    /// The entity Coffee: a required, indexed name and brand, and an optional Decimal rating.
    static let coffeeEntity: EntityDescription = {
        var coffeeEntity = EntityDescription(name: "Coffee")
        coffeeEntity.managedObjectClassName = "Coffee"

        var nameAttribute = AttributeDescription(name: "name", type: .string)
        nameAttribute.isOptional = false
        nameAttribute.isIndexed = true

        var brandAttribute = AttributeDescription(name: "brand", type: .string)
        brandAttribute.isOptional = false
        brandAttribute.isIndexed = true

        var ratingAttribute = AttributeDescription(name: "rating", type: .decimal)
        ratingAttribute.isOptional = true
        ratingAttribute.isIndexed = false

        coffeeEntity.attributes = [nameAttribute, brandAttribute, ratingAttribute]
        return coffeeEntity
    }()

    /// The entity Roaster, in the short form.
    static let roasterEntity = EntityDescription(
        "Roaster", [.attribute("name", .string, .required, .indexed), .attribute("town", .string)])

    /// The entity that the second version adds.
    static let tastingEntity = EntityDescription(
        "Tasting", [.attribute("coffee", .string, .required), .attribute("notes", .string)])

    /// The entities of the first version.
    static let entities = [coffeeEntity, roasterEntity]

    /// The model of the first version.
    static let model = ManagedObjectModel(entities: entities)

    /// The second version: the first one merged with the new entity. Each version has a configuration, so that each can
    /// have its own store.
    static let secondVersion: ManagedObjectModel = {
        var second = ManagedObjectModel(entities: entities + [tastingEntity])
        second.configurations = [
            ConfigurationDescription(name: "AppData", entityNames: entities.map(\.name)),
            ConfigurationDescription(name: "AppData 2", entityNames: [tastingEntity.name]),
        ]
        return second
    }()

    /// Returns the place of the archive.
    static func pathToModel(in documents: URL) -> URL { documents.appending(path: "db/AppDataModel.momd") }

    /// Loads the archived model. If there is none, or the archive is broken, it begins with an empty model. What the
    /// archive lacks is merged into it, and the result is archived.
    ///
    /// - Throws: `GranaryError` if the archive cannot be written.
    static func load(_ version: ManagedObjectModel, documents: URL) throws -> ManagedObjectModel {
        let pathToModel = pathToModel(in: documents)
        let archived = try? ManagedObjectModel(contentsOf: pathToModel)
        let known = archived ?? ManagedObjectModel()
        // An entity of the archive stays as it is.
        var addition = ManagedObjectModel(entities: version.entities.filter { known.entity(named: $0.name) == nil })
        addition.configurations = version.configurations
        let objectModel = try ManagedObjectModel(merging: [known, addition])
        if objectModel != archived {
            try FileManager.default.createDirectory(
                at: pathToModel.deletingLastPathComponent(), withIntermediateDirectories: true)
            try objectModel.write(to: pathToModel, as: .binaryPropertyList, replacing: true)
        }
        return objectModel
    }
}
