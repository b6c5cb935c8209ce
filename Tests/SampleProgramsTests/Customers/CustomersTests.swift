import Foundation
import Granary
import TestSupport
import Testing

@testable import SamplePrograms

private let email = "alma.berg@example.com"

/// Name, address and number of a customer, and the code of the rule that they break; nil if they can be saved.
private let values: [(String?, String, String, String?)] = [
    ("Alma Berg", email, "0712345678", nil),
    // The name is optional, but it cannot be empty.
    (nil, email, "0712345678", nil),
    ("", email, "0712345678", "value.tooShort"),
    ("Alma Berg", "alma.berg", "0712345678", "value.pattern"),
    ("Alma Berg", "alma..berg@example.com", "0712345678", "value.pattern"),
    ("Alma Berg", email, "071234567x", "value.pattern"),
]

@Suite("Sample: Customers, a stack by hand") @MainActor struct CustomersTests {
    private let folder: TemporaryFolder
    private let bundle: Bundle
    private let app: CustomerApp
    private let log = Log()

    private final class Log {
        var lines: [String] = []
    }

    /// A bundle with two models, as Xcode compiles them.
    init() throws {
        folder = try TemporaryFolder()
        let resources = folder.url.appending(path: "prob.resources")
        try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
        for name in ["Customers", "Drawings"] {
            try ManagedObjectModel(contentsOf: Samples.url("\(name)/\(name).xcdatamodeld"))
                .write(to: resources.appending(path: "\(name).momd"))
        }
        bundle = try #require(Bundle(path: resources.path))
        app = CustomerApp(bundle: bundle, documents: folder.url.appending(path: "Documents")) { [log] in
            log.lines.append($0)
        }
    }

    private var store: URL { folder.url.appending(path: "Documents/customersdata.sqlite") }

    private func makeEditor() throws -> CustomerEditor {
        CustomerEditor(managedObjectContext: try app.managedObjectContext)
    }

    /// The customers that the store has, as the app finds them at its next start.
    private func stored() throws -> [[String]] {
        let next = CustomerApp(bundle: bundle, documents: folder.url.appending(path: "Documents"))
        // Objects do not retain their context.
        return try withExtendedLifetime(next) {
            try CustomerEditor(managedObjectContext: next.managedObjectContext).retrieve()
                .map { [$0.name ?? "", $0.emailid, $0.contactno] }
        }
    }

    @Test("Model, coordinator and context are made once, when they are first used")
    func onDemand() throws {
        #expect(!FileManager.default.fileExists(atPath: store.path))
        // An app that did nothing has nothing to save.
        app.applicationWillTerminate()
        #expect(!FileManager.default.fileExists(atPath: store.path))
        let context = try app.managedObjectContext
        #expect(try app.managedObjectContext === context)
        #expect(try app.persistentStoreCoordinator === context.persistentStoreCoordinator)
        // All models of the bundle are merged.
        #expect(try app.managedObjectModel.entities.map(\.name).sorted() == ["Customer", "Shape", "Tag"])
        #expect(FileManager.default.fileExists(atPath: store.path))
    }

    @Test("saveContext writes what has changed; without changes no byte of the file is another")
    func savesOnlyChanges() throws {
        #expect(!app.saveContext())
        let empty = try Data(contentsOf: store)
        let customer = try makeEditor().insert(name: "Alma Berg", emailid: email, contactno: "0712345678")
        #expect(try Data(contentsOf: store) == empty)
        #expect(app.saveContext())
        let saved = try Data(contentsOf: store)
        #expect(saved != empty)
        // An equal value is no change.
        customer.name = "Alma Berg"
        #expect(!app.saveContext())
        #expect(try Data(contentsOf: store) == saved)
        customer.name = "Alma Lind"
        app.applicationWillTerminate()
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
        app.saveContext()
        editor.edit(alma, contactno: "0799999999")
        try editor.delete(brian)
        #expect(try editor.retrieve() == [alma])
        app.saveContext()
        #expect(try stored() == [["Alma Berg", email, "0799999999"]])
    }

    @Test("What the model or validateEmailid refuses is not saved, and can be corrected", arguments: values)
    func refusal(_ name: String?, _ emailid: String, _ contactno: String, _ code: String?) throws {
        let customer = try makeEditor().insert(name: name, emailid: emailid, contactno: contactno)
        guard let code else {
            #expect(app.saveContext())
            return
        }
        #expect(!app.saveContext())
        let error = try #require(app.unresolvedError as? GranaryError)
        #expect(error.code == .refused)
        #expect(error.diagnostics.map(\.code.rawValue) == [code])
        // The log has the error and its user info.
        let line = try #require(log.lines.first)
        let key = try #require(error.diagnostics.first?.property)
        #expect(log.lines.count == 1 && line.hasPrefix("Unresolved error "))
        #expect(line.contains("[\(code)]") && line.contains("NSValidationErrorKey") && line.contains(key))
        #expect(try stored().isEmpty)
        (customer.name, customer.emailid, customer.contactno) = ("Alma Berg", email, "0712345678")
        #expect(app.saveContext())
        #expect(app.unresolvedError == nil)
        #expect(try stored() == [["Alma Berg", email, "0712345678"]])
    }

    @Test("A bundle without models is an error of the first use, and a failed save")
    func noModel() throws {
        let empty = try TemporaryFolder()
        var lines: [String] = []
        let bundle = try #require(Bundle(path: empty.url.path))
        let app = CustomerApp(bundle: bundle, documents: empty.url) { lines.append($0) }
        #expect(throws: GranaryError.self) { try app.managedObjectContext }
        #expect(!app.saveContext() && lines.count == 1)
        #expect((app.unresolvedError as? GranaryError)?.code == .unreadable)
    }

    @Test("The steps that make demo shows")
    func demo() throws {
        var lines: [String] = []
        try CustomersDemo.run(bundle: bundle, documents: folder.url.appending(path: "Documents")) { lines.append($0) }
        let refused = lines.firstIndex { $0.hasPrefix("Unresolved error ") }
        #expect(lines.remove(at: try #require(refused)).contains("two dots in a row"))
        #expect(
            lines == [
                "inserted: Alma Berg, Brian Foy",
                "edited and deleted, saved: true",
                "nothing has changed, saved: false",
                "stored: Alma Lind <alma.berg@example.com> 0712345678",
                "stored: Cleo Hart <cleo.hart@example.com> 0712345680",
            ])
    }
}
