import Foundation
import Granary
import TestSupport
import Testing

@testable import SamplePrograms

@Suite("Sample: two contexts that merge", .timeLimit(.minutes(1))) @MainActor struct TwoContextsTests {
    @Test("By hand: the other's save comes in, changes that were not saved stay on top")
    func byHand() async throws {
        let folder = try TemporaryFolder()
        let app = try CustomerApp.sample(in: folder)
        let customer = try app.addAlma()
        try app.saveContext()
        let contexts = TwoContexts(app.persistentContainer)
        let merging = Task { try await contexts.mergeSaves() }
        defer { merging.cancel() }
        try customer.setContactno("0799999999")
        try await contexts.rename(customer.objectID, to: "Alma Lind")
        #expect(try await app.stored() == [["Alma Lind", "0712345678"]])
        while try customer.name != "Alma Lind" { await Task.yield() }
        #expect(try customer.contactno == "0799999999")
        #expect(try app.saveContext())
        #expect(try await app.stored() == [["Alma Lind", "0799999999"]])
    }

    @Test("By itself: the view context merges when it is next used")
    func automatically() async throws {
        let folder = try TemporaryFolder()
        let app = try CustomerApp.sample(in: folder)
        let customer = try app.addAlma()
        try app.saveContext()
        let contexts = TwoContexts(app.persistentContainer)
        contexts.mergeAutomatically()
        try await contexts.rename(customer.objectID, to: "Alma Lind")
        #expect(try app.customers().map { try $0.name } == ["Alma Lind"])
        #expect(try customer.name == "Alma Lind")
        #expect(!contexts.view.hasChanges)
    }

    @Test("Not at all: the save meets the other's and keeps both, property by property")
    func conflict() async throws {
        let folder = try TemporaryFolder()
        let app = try CustomerApp.sample(in: folder)
        let customer = try app.addAlma()
        try app.saveContext()
        let contexts = TwoContexts(app.persistentContainer)
        try customer.setContactno("0799999999")
        try await contexts.rename(customer.objectID, to: "Alma Lind")
        #expect(try customer.name == "Alma Berg")
        #expect(try app.saveContext())
        #expect(try await app.stored() == [["Alma Lind", "0799999999"]])
        #expect(try customer.name == "Alma Lind")
    }
}
