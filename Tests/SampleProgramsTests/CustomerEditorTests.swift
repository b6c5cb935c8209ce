import Foundation
import Granary
import TestSupport
import Testing

@testable import SamplePrograms

@Suite("Sample: retrieve, insert, edit, delete with undo") @MainActor struct CustomerEditorTests {
    private let email = "alma.berg@example.com"

    private func insert(_ editor: CustomerEditor) throws -> Customer {
        try editor.insert(name: "Alma Berg", emailid: email, contactno: "0712345678")
    }

    @Test("Each step has a name, is taken back by undo and made again by redo")
    func steps() throws {
        let folder = try TemporaryFolder()
        let app = try CustomerApp.sample(in: folder)
        let editor = CustomerEditor(app.persistentContainer)
        #expect(editor.undoActionName.isEmpty)
        #expect(try editor.retrieve(emailid: email) == nil)

        let customer = try insert(editor)
        #expect(editor.undoActionName == "Insert Customer")
        #expect(try editor.retrieve(emailid: email) === customer)
        try app.saveContext()

        try editor.rename(customer, to: "Alma Lind")
        #expect(editor.undoActionName == "Rename Customer")
        try editor.undo()
        #expect(try customer.name == "Alma Berg")
        #expect(!app.persistentContainer.viewContext.hasChanges)
        try editor.redo()
        #expect(try customer.name == "Alma Lind")

        try editor.delete(customer)
        #expect(editor.undoActionName == "Delete Customer")
        #expect(try editor.retrieve(emailid: email) == nil)
        try editor.undo()
        #expect(try editor.retrieve(emailid: email) === customer)
        #expect(try customer.name == "Alma Lind")
    }

    @Test("What undo restores is what is saved")
    func restoredIsSaved() async throws {
        let folder = try TemporaryFolder()
        let app = try CustomerApp.sample(in: folder)
        let editor = CustomerEditor(app.persistentContainer)
        let customer = try insert(editor)
        try app.saveContext()
        try editor.rename(customer, to: "Alma Lind")
        try editor.delete(customer)
        try editor.undo()
        try app.saveContext()
        #expect(try await app.stored() == [["Alma Lind", "0712345678"]])
    }

    @Test("Undo and redo reach back over saves")
    func overSaves() async throws {
        let folder = try TemporaryFolder()
        let app = try CustomerApp.sample(in: folder)
        let editor = CustomerEditor(app.persistentContainer)
        let customer = try insert(editor)
        try app.saveContext()
        try editor.delete(customer)
        try app.saveContext()
        #expect(try await app.stored().isEmpty)
        // The saved deletion becomes a new object with the old values.
        try editor.undo()
        try app.saveContext()
        #expect(try await app.stored() == [["Alma Berg", "0712345678"]])
        // The saved insertion is deleted.
        try editor.undo()
        try app.saveContext()
        #expect(try await app.stored().isEmpty)
        #expect(editor.undoActionName.isEmpty)
        try editor.redo()
        try app.saveContext()
        #expect(try await app.stored() == [["Alma Berg", "0712345678"]])
    }
}
