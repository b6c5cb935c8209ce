import Granary

/// Shows how to insert, retrieve, edit and delete objects. `CustomerApp.saveContext()` stores the changes.
///
/// The editor gets the context from the app, as a view controller does.
@MainActor
struct CustomerEditor {
    let managedObjectContext: ManagedObjectContext

    func insert(name: String?, emailid: String, contactno: String) -> Customer {
        let customer = Customer(context: managedObjectContext)
        customer.name = name
        customer.emailid = emailid
        customer.contactno = contactno
        return customer
    }

    /// Returns all customers, sorted by name, including unsaved ones.
    func retrieve() throws -> [Customer] {
        try managedObjectContext.fetch(Customer.self, sort: [.sort(\.name)])
    }

    /// Returns the customer with an address; nil if there is none.
    func retrieve(emailid: String) throws -> Customer? {
        try managedObjectContext.first(Customer.self) { $0.emailid == emailid }
    }

    func edit(_ customer: Customer, name: String? = nil, contactno: String? = nil) {
        if let name { customer.name = name }
        if let contactno { customer.contactno = contactno }
    }

    func delete(_ customer: Customer) throws { try managedObjectContext.delete(customer) }
}
