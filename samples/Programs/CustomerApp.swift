import Foundation
import Granary

/// Shows the Core Data stack of an app: a model from Xcode, a container with its view context, and `saveContext()`.
@MainActor
final class CustomerApp {
    let persistentContainer: PersistentContainer

    /// - Parameters:
    ///   - model: the model Customers.
    ///   - store: the SQLite file, which is created if it does not exist.
    init(model: URL, store: URL) throws {
        persistentContainer = try PersistentContainer(
            model: ManagedObjectModel(contentsOf: model), store: .sqlite(store), classes: ["Customer": Customer.self])
    }

    /// Inserts a customer, which ``saveContext()`` stores.
    func addCustomer(name: String, emailid: String, contactno: String) throws -> Customer {
        let customer = try persistentContainer.viewContext.insert(Customer.self)
        try customer.setName(name)
        try customer.setEmailid(emailid)
        try customer.setContactno(contactno)
        return customer
    }

    /// Returns all customers, sorted by name.
    func customers() throws -> [Customer] {
        try persistentContainer.viewContext.fetch(Customer.self, sort: "name")
    }

    /// Saves the changes, if there are any.
    ///
    /// - Returns: whether there were changes.
    /// - Throws: `GranaryError` with the problems of the customers. The changes are then kept.
    @discardableResult
    func saveContext() throws -> Bool {
        let context = persistentContainer.viewContext
        guard context.hasChanges else { return false }
        try context.save()
        return true
    }
}
