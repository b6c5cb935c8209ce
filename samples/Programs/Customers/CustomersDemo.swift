public import Foundation
import Granary

/// The steps of an app with ``CustomerApp`` and ``CustomerEditor``, which `make demo` runs.
public enum CustomersDemo {
    /// - Parameters:
    ///   - bundle: the bundle with the model Customers.
    ///   - documents: the folder of the store, which must not have customers yet.
    ///   - print: receives each line of the output.
    @MainActor
    public static func run(bundle: Bundle, documents: URL, print: @escaping (String) -> Void) throws {
        let app = CustomerApp(bundle: bundle, documents: documents, log: print)
        let editor = CustomerEditor(managedObjectContext: try app.managedObjectContext)

        let alma = editor.insert(name: "Alma Berg", emailid: "alma.berg@example.com", contactno: "0712345678")
        let brian = editor.insert(name: "Brian Foy", emailid: "brian@example.com", contactno: "0712345679")
        app.saveContext()
        let names = try editor.retrieve().compactMap(\.name)
        print("inserted: \(names.joined(separator: ", "))")

        editor.edit(alma, name: "Alma Lind")
        try editor.delete(brian)
        var isSaved = app.saveContext()
        print("edited and deleted, saved: \(isSaved)")
        isSaved = app.saveContext()
        print("nothing has changed, saved: \(isSaved)")

        let cleo = editor.insert(name: "Cleo Hart", emailid: "cleo..hart@example.com", contactno: "0712345680")
        // The app logs the failure; the changes wait for a save that succeeds.
        app.saveContext()
        cleo.emailid = "cleo.hart@example.com"
        app.applicationWillTerminate()

        // The next start of the app reads the store.
        let next = CustomerApp(bundle: bundle, documents: documents, log: print)
        let nextEditor = CustomerEditor(managedObjectContext: try next.managedObjectContext)
        // Objects do not retain their context; the editor does.
        try withExtendedLifetime(nextEditor) {
            for customer in try nextEditor.retrieve() {
                print("stored: \(customer.name ?? "–") <\(customer.emailid)> \(customer.contactno)")
            }
        }
    }
}
