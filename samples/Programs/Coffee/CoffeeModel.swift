import Foundation
import Granary

/// Shows a model that is built in code, archived to a file, and loaded again; and its second version.
enum CoffeeModel {
    /// An entity with a required, indexed name and brand, and an optional Decimal rating.
    static let model: ManagedObjectModel = {
        var coffee = EntityDescription(
            "Coffee",
            [
                .attribute("name", .string, .required, .indexed),
                .attribute("brand", .string, .required, .indexed),
                .attribute("rating", .decimal),
            ])
        coffee.managedObjectClassName = "Coffee"
        return ManagedObjectModel(entities: [coffee])
    }()

    /// The model with an entity more. Each configuration can have a store of its own.
    static let secondVersion: ManagedObjectModel = {
        var second = model
        second.entities.append(
            EntityDescription(
                "Tasting", [.attribute("coffee", .string, .required), .attribute("notes", .string)]))
        second.configurations = [
            ConfigurationDescription(name: "Coffees", entityNames: ["Coffee"]),
            ConfigurationDescription(name: "Tastings", entityNames: ["Tasting"]),
        ]
        return second
    }()

    /// Loads an archived model if the file exists; otherwise archives `model` there, whatever the file's extension.
    static func load(_ model: ManagedObjectModel, archive url: URL) throws -> ManagedObjectModel {
        if FileManager.default.fileExists(atPath: url.path) { return try ManagedObjectModel(contentsOf: url) }
        try model.write(to: url, as: .binaryPropertyList)
        return model
    }
}
