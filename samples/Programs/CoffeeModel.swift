import Foundation
import Granary

/// Shows a model that is built in code, archived to a file, and loaded again.
enum CoffeeModel {
    /// An entity with a required, indexed name and brand, and an optional Decimal rating.
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Coffee",
            [
                .attribute("name", .string, .required, .indexed),
                .attribute("brand", .string, .required, .indexed),
                .attribute("rating", .decimal),
            ])
    ])

    /// Writes the model to a file as an archive, whatever its extension. An existing file is replaced.
    static func archive(to url: URL) throws { try model.write(to: url, as: .binaryPropertyList, replacing: true) }

    /// Reads an archived model.
    static func load(from url: URL) throws -> ManagedObjectModel { try ManagedObjectModel(contentsOf: url) }
}
