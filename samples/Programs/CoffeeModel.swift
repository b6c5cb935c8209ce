import Foundation
import Granary

/// Shows a model that is built in code, archived to a file and loaded again.
enum CoffeeModel {
    /// One entity: name and brand are required and indexed, the rating is a Decimal or NULL.
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Coffee",
            [
                .attribute("name", .string, .required, .indexed),
                .attribute("brand", .string, .required, .indexed),
                .attribute("rating", .decimal),
            ])
    ])

    /// Writes the model to a file, as an archive whatever its name; one that is there is replaced.
    static func archive(to url: URL) throws { try model.write(to: url, as: .binaryPropertyList, replacing: true) }

    /// Reads an archived model.
    static func load(from url: URL) throws -> ManagedObjectModel { try ManagedObjectModel(contentsOf: url) }
}
