import Foundation
import Granary
import TestSupport
import Testing

@testable import SamplePrograms

private let model = Samples.url("Customers/Customers.xcdatamodeld")
private let email = "alma.berg@example.com"

/// Name, address and number of a customer, and the code of the rule that they break; nil if they can be saved.
private let values: [(String, String, String, String?)] = [
    ("Alma Berg", email, "0712345678", nil),
    ("", email, "0712345678", "value.tooShort"),
    ("Alma Berg", "alma.berg", "0712345678", "value.pattern"),
    ("Alma Berg", "alma..berg@example.com", "0712345678", "value.pattern"),
    ("Alma Berg", email, "071234567x", "value.pattern"),
]

@Suite("Sample: Customers, a stack by hand") @MainActor struct CustomersTests {
    private let folder: TemporaryFolder
    private let app: CustomerApp

    init() throws {
        folder = try TemporaryFolder()
        app = CustomerApp(model: model, documents: folder.url.appending(path: "Documents"))
    }

    private var store: URL { folder.url.appending(path: "Documents/customersdata.sqlite") }

    private func makeEditor() throws -> CustomerEditor {
        CustomerEditor(managedObjectContext: try app.managedObjectContext)
    }

    /// The customers that the store has, as the app finds them at its next start.
    private func stored() throws -> [[String]] {
        let next = CustomerApp(model: model, documents: folder.url.appending(path: "Documents"))
        // Objects do not retain their context.
        return try withExtendedLifetime(next) {
            try CustomerEditor(managedObjectContext: next.managedObjectContext).retrieve()
                .map { [$0.name, $0.emailid, $0.contactno] }
        }
    }

    @Test("Model, coordinator and context are made once, when they are first used")
    func onDemand() throws {
        #expect(!FileManager.default.fileExists(atPath: store.path))
        // An app that did nothing has nothing to save.
        try app.applicationWillTerminate()
        #expect(!FileManager.default.fileExists(atPath: store.path))
        let context = try app.managedObjectContext
        #expect(try app.managedObjectContext === context)
        #expect(try app.persistentStoreCoordinator === context.persistentStoreCoordinator)
        #expect(try app.managedObjectModel.entities.map(\.name) == ["Customer"])
        #expect(FileManager.default.fileExists(atPath: store.path))
    }

    @Test("saveContext writes what has changed; without changes no byte of the file is another")
    func savesOnlyChanges() throws {
        #expect(try !app.saveContext())
        let empty = try Data(contentsOf: store)
        let customer = try makeEditor().insert(name: "Alma Berg", emailid: email, contactno: "0712345678")
        #expect(try Data(contentsOf: store) == empty)
        #expect(try app.saveContext())
        let saved = try Data(contentsOf: store)
        #expect(saved != empty)
        // An equal value is no change.
        customer.name = "Alma Berg"
        #expect(try !app.saveContext())
        #expect(try Data(contentsOf: store) == saved)
        customer.name = "Alma Lind"
        try app.applicationWillTerminate()
        #expect(try stored() == [["Alma Lind", email, "0712345678"]])
    }

    @Test("Insert, retrieve, edit, delete")
    func editing() throws {
        let editor = try makeEditor()
        #expect(try editor.retrieve(emailid: email) == nil)
        let brian = editor.insert(name: "Brian Foy", emailid: "brian@example.com", contactno: "0712345679")
        let alma = editor.insert(name: "Alma Berg", emailid: email, contactno: "0712345678")
        #expect(try editor.retrieve() == [alma, brian])
        #expect(try editor.retrieve(emailid: email) === alma)
        try app.saveContext()
        editor.edit(alma, contactno: "0799999999")
        try editor.delete(brian)
        #expect(try editor.retrieve() == [alma])
        try app.saveContext()
        #expect(try stored() == [["Alma Berg", email, "0799999999"]])
    }

    @Test("What the model or validateEmailid refuses is not saved, and can be corrected", arguments: values)
    func refusal(_ name: String, _ emailid: String, _ contactno: String, _ code: String?) throws {
        let customer = try makeEditor().insert(name: name, emailid: emailid, contactno: contactno)
        guard let code else {
            #expect(try app.saveContext())
            return
        }
        let error = #expect(throws: GranaryError.self) { try app.saveContext() }
        #expect(error?.code == .refused)
        #expect(error?.diagnostics.map(\.code.rawValue) == [code])
        #expect(try stored().isEmpty)
        (customer.name, customer.emailid, customer.contactno) = ("Alma Berg", email, "0712345678")
        #expect(try app.saveContext())
        #expect(try stored() == [["Alma Berg", email, "0712345678"]])
    }

    @Test("The steps that make demo shows")
    func demo() throws {
        var lines: [String] = []
        try CustomersDemo.run(model: model, documents: folder.url.appending(path: "Documents")) { lines.append($0) }
        #expect(
            lines == [
                "inserted: Alma Berg, Brian Foy",
                "edited and deleted, saved: true",
                "nothing has changed, saved: false",
                "refused: error: Customer.emailid: an address cannot have two dots in a row [value.pattern]",
                "stored: Alma Lind <alma.berg@example.com> 0712345678",
                "stored: Cleo Hart <cleo.hart@example.com> 0712345680",
            ])
    }
}
