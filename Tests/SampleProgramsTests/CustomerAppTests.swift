import Foundation
import Granary
import TestSupport
import Testing

@testable import SamplePrograms

@Suite("Sample: the app with saveContext") @MainActor struct CustomerAppTests {
    @Test("saveContext writes what has changed; without changes no byte of the file is another")
    func savesOnlyChanges() throws {
        let folder = try TemporaryFolder()
        let store = folder.url.appending(path: "Customers.sqlite")
        let app = try CustomerApp(model: CustomerApp.model, store: store)
        let empty = try Data(contentsOf: store)
        #expect(try !app.saveContext())
        let customer = try app.addAlma()
        #expect(try Data(contentsOf: store) == empty)
        #expect(try app.saveContext())
        let saved = try Data(contentsOf: store)
        #expect(saved != empty)
        // An equal value is no change.
        try customer.setName("Alma Berg")
        #expect(try !app.saveContext())
        #expect(try Data(contentsOf: store) == saved)
        try customer.setName("Alma Lind")
        #expect(try app.saveContext())
        #expect(try Data(contentsOf: store) != saved)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Customers.sqlite"])
    }

    @Test("The next start finds the customers, with their accessors")
    func nextStart() throws {
        let folder = try TemporaryFolder()
        do {
            let app = try CustomerApp.sample(in: folder)
            _ = try app.addCustomer(name: "Brian Foy", emailid: "brian@example.com", contactno: "0712345679")
            _ = try app.addAlma()
            try app.saveContext()
        }
        let app = try CustomerApp.sample(in: folder)
        let customers = try app.customers()
        #expect(try customers.map { try $0.name } == ["Alma Berg", "Brian Foy"])
        #expect(try customers.map { try $0.emailid } == ["alma.berg@example.com", "brian@example.com"])
        #expect(try customers.map { try $0.contactno } == ["0712345678", "0712345679"])
        #expect(try !app.saveContext())
    }

    @Test("What the model refuses is not saved, and can be mended")
    func refusal() async throws {
        let folder = try TemporaryFolder()
        let app = try CustomerApp.sample(in: folder)
        let customer = try app.addAlma()
        try customer.setEmailid("alma.berg")
        let error = #expect(throws: GranaryError.self) { try app.saveContext() }
        #expect(error?.code == .refused)
        #expect(error?.diagnostics.map(\.property) == ["emailid"])
        #expect(try await app.stored().isEmpty)
        try customer.setEmailid("alma.berg@example.com")
        #expect(try app.saveContext())
        #expect(try await app.stored() == [["Alma Berg", "0712345678"]])
    }
}
