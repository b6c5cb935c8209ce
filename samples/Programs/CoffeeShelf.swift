import Foundation
import Granary

/// A coffee as a plain value, which may leave its context.
struct Coffee: Sendable, Equatable {
    var name: String
    var brand: String
    var rating: Decimal?
}

/// Shows objects kept in an archive store: one property list, read and written as a whole, with the model inside.
struct CoffeeShelf {
    let container: PersistentContainer

    /// - Parameters:
    ///   - model: ``CoffeeModel``, built or loaded.
    ///   - archive: the file; it is made where there is none.
    init(model: ManagedObjectModel, archive: URL) throws {
        container = try PersistentContainer(model: model, store: .archive(archive))
    }

    /// Stores all of the coffees or, when one is refused, none.
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

    /// All coffees, in the order they were added.
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
