import Foundation
import Granary

/// A coffee as a value, which can be passed out of the context.
struct Coffee: Sendable, Equatable {
    var name: String
    var brand: String
    var rating: Decimal?
}

/// Shows an archive store: a property list with the objects and the model, which is read and written as a whole.
struct CoffeeShelf {
    let container: PersistentContainer

    /// - Parameters:
    ///   - model: ``CoffeeModel``, built or loaded.
    ///   - archive: the file, which is created if it does not exist.
    init(model: ManagedObjectModel, archive: URL) throws {
        container = try PersistentContainer(model: model, store: .archive(archive))
    }

    /// Stores all coffees, or none if one is refused.
    func add(_ coffees: [Coffee]) async throws {
        try await container.perform { context in
            for coffee in coffees {
                let object = try context.insert(into: "Coffee")
                try object.setValue(.string(coffee.name), forKey: "name")
                try object.setValue(.string(coffee.brand), forKey: "brand")
                try object.setValue(coffee.rating.map(AttributeValue.decimal), forKey: "rating")
            }
            try context.save()
        }
    }

    /// Returns all coffees in the order in which they were added.
    func coffees() async throws -> [Coffee] {
        try await container.perform { context in
            try context.fetchAll("Coffee").map { object in
                Coffee(
                    name: try object.string(forKey: "name") ?? "", brand: try object.string(forKey: "brand") ?? "",
                    rating: try object.decimal(forKey: "rating"))
            }
        }
    }
}
