import Foundation
import Granary

/// The programs of docs/shipping.md.
enum ShippingDocument {
    static func fits(_ modelURL: URL, _ seedURL: URL) throws -> Bool {
        let model = try ManagedObjectModel(contentsOf: modelURL)
        let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: .sqlite(seedURL))
        return try model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }

    static func open(_ model: ManagedObjectModel, _ seedURL: URL) throws -> PersistentContainer {
        var description = PersistentStoreDescription(.sqlite(seedURL))
        description.isReadOnly = true
        let container = try PersistentContainer(name: "Seed", model: model, descriptions: [description])
        try container.loadPersistentStores()
        return container
    }
}
