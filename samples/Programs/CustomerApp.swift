import Foundation
import Granary

/// Shows the stack of an app: a model from Xcode, a container, its view context, and `saveContext()`, which saves only
/// when there are changes.
@MainActor
final class CustomerApp {
    let persistentContainer: PersistentContainer

    /// - Parameters:
    ///   - model: the model Customers.
    ///   - store: the SQLite file; it is made where there is none.
    init(model: URL, store: URL) throws {
        persistentContainer = try PersistentContainer(
            model: ManagedObjectModel(contentsOf: model), store: .sqlite(store), classes: ["Customer": Customer.self])
    }

    /// A new customer. Nothing is stored before ``saveContext()``.
    func addCustomer(name: String, emailid: String, contactno: String) throws -> Customer {
        let customer = try persistentContainer.viewContext.insert(Customer.self)
        try customer.setName(name)
        try customer.setEmailid(emailid)
        try customer.setContactno(contactno)
        return customer
    }

    /// All customers, by name.
    func customers() throws -> [Customer] {
        var request = FetchRequest("Customer")
        request.sortDescriptors = [ObjectSortDescriptor("name")]
        return try persistentContainer.viewContext.fetch(request).compactMap { $0 as? Customer }
    }

    /// Saves when there are changes.
    ///
    /// - Returns: whether there were any.
    /// - Throws: what is wrong with the customers; the changes are still there then.
    @discardableResult
    func saveContext() throws -> Bool {
        let context = persistentContainer.viewContext
        guard context.hasChanges else { return false }
        try context.save()
        return true
    }
}
