import Granary

/// Shows retrieve, insert, edit and delete, each of them one step that undo takes back and redo makes again. Undo
/// reaches back over saves.
@MainActor
final class CustomerEditor {
    private let context: ManagedObjectContext
    private let undoManager = ObjectUndoManager()

    init(_ container: PersistentContainer) {
        context = container.viewContext
        context.undoManager = undoManager
    }

    /// What the menu shows beside Undo; empty when there is nothing to take back.
    var undoActionName: String { undoManager.undoActionName }

    /// The customer with that address; nil for none. Changes that were not saved are seen.
    func retrieve(emailid: String) throws -> Customer? {
        let predicate = ObjectPredicate.compare(.keyPath("emailid"), .equal, .constant(.string(emailid)))
        return try context.fetch(FetchRequest("Customer", where: predicate)).first as? Customer
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

    /// Makes what `change` does one named step, also where it fails half-way.
    private func step<Value>(_ name: String, _ change: () throws -> Value) throws -> Value {
        undoManager.beginUndoGrouping()
        undoManager.setActionName(name)
        let result = Result { try change() }
        try undoManager.endUndoGrouping()
        return try result.get()
    }
}
