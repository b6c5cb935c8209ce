import Granary

/// Shows how to retrieve, insert, edit and delete objects with undo and redo. Undo also works after a save.
@MainActor
final class CustomerEditor {
    private let context: ManagedObjectContext
    private let undoManager = ObjectUndoManager()

    init(_ container: PersistentContainer) {
        context = container.viewContext
        context.undoManager = undoManager
    }

    /// The name of the action to undo, for a menu; empty if there is none.
    var undoActionName: String { undoManager.undoActionName }

    /// Returns the customer with an address, including unsaved changes; nil if there is none.
    func retrieve(emailid: String) throws -> Customer? {
        try context.first(Customer.self, where: "emailid == %@", emailid)
    }

    func insert(name: String, emailid: String, contactno: String) throws -> Customer {
        try step("Insert Customer") {
            let customer = try context.insert(Customer.self)
            try customer.setName(name)
            try customer.setEmailid(emailid)
            try customer.setContactno(contactno)
            return customer
        }
    }

    func rename(_ customer: Customer, to name: String) throws {
        try step("Rename Customer") { try customer.setName(name) }
    }

    func delete(_ customer: Customer) throws {
        try step("Delete Customer") { try context.delete(customer) }
    }

    func undo() throws { try undoManager.undo() }

    func redo() throws { try undoManager.redo() }

    /// Runs `change` as one named undo step, even if it throws.
    private func step<Value>(_ name: String, _ change: () throws -> Value) throws -> Value {
        undoManager.beginUndoGrouping()
        undoManager.setActionName(name)
        let result = Result { try change() }
        try undoManager.endUndoGrouping()
        return try result.get()
    }
}
