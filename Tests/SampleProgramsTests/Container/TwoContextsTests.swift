import Foundation
import Granary
import Testing

@testable import SamplePrograms

@Suite("Sample: two contexts that merge", .timeLimit(.minutes(1))) @MainActor struct TwoContextsTests {
    private let place: DataModelBundle

    init() throws { place = try DataModelBundle() }

    /// Two contexts, and a stored customer of the view context.
    private func sample() async throws -> (contexts: TwoContexts, customer: Customer) {
        let container = try await DataController.loadedContainer(bundle: place.bundle, store: place.store)
        let contexts = TwoContexts(container)
        let customer = CustomerEditor(managedObjectContext: contexts.view).insert(
            name: "Alma Berg", emailid: "alma.berg@example.com", contactno: "0712345678")
        try contexts.view.save()
        return (contexts, customer)
    }

    @Test("By hand: the other's save comes in, changes that were not saved stay on top")
    func byHand() async throws {
        let (contexts, customer) = try await sample()
        let merging = Task { try await contexts.mergeSaves() }
        defer { merging.cancel() }
        customer.contactno = "0799999999"
        try await contexts.rename(customer.objectID, to: "Alma Lind")
        #expect(try place.stored() == [["Alma Lind", "0712345678"]])
        while customer.name != "Alma Lind" { await Task.yield() }
        #expect(customer.contactno == "0799999999")
        try contexts.view.save()
        #expect(try place.stored() == [["Alma Lind", "0799999999"]])
    }

    @Test("By itself: the view context merges when it is next used")
    func automatically() async throws {
        let (contexts, customer) = try await sample()
        contexts.mergeAutomatically()
        try await contexts.rename(customer.objectID, to: "Alma Lind")
        #expect(try contexts.view.fetch(Customer.self).map(\.name) == ["Alma Lind"])
        #expect(customer.name == "Alma Lind")
        #expect(!contexts.view.hasChanges)
    }

    @Test("Not at all: the save meets the other's and keeps both, property by property")
    func conflict() async throws {
        let (contexts, customer) = try await sample()
        customer.contactno = "0799999999"
        try await contexts.rename(customer.objectID, to: "Alma Lind")
        #expect(customer.name == "Alma Berg")
        try contexts.view.save()
        #expect(try place.stored() == [["Alma Lind", "0799999999"]])
        #expect(customer.name == "Alma Lind")
    }
}
