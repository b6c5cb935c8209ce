import Foundation
import Granary

/// Shows an archive store: a property list with the objects and the model, which is read and written as a whole.
struct CoffeeShelf {
    let container: PersistentContainer

    /// - Parameters:
    ///   - model: ``CoffeeModel``, built or loaded.
    ///   - archive: the file, which is created if it does not exist.
    init(model: ManagedObjectModel, archive: URL) throws {
        container = try PersistentContainer(
            model: model, store: .archive(archive), classes: ["Coffee": Coffee.self])
    }

    /// Stores all coffees, or none if one is refused.
    func add(_ coffees: [CoffeeValue]) async throws {
        try await container.perform { context in
            for value in coffees {
                let coffee = Coffee(context: context)
                coffee.name = value.name
                coffee.brand = value.brand
                coffee.rating = value.rating
            }
            try context.save()
        }
    }

    /// Returns all coffees in the order in which they were added.
    func coffees() async throws -> [CoffeeValue] {
        try await container.perform { context in
            try context.fetch(Coffee.self).map { coffee in
                CoffeeValue(name: coffee.name, brand: coffee.brand, rating: coffee.rating)
            }
        }
    }
}
