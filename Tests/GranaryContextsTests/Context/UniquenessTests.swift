import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// Uniqueness constraints at the save.
@Suite("Uniqueness") struct UniquenessTests {
    @Test(
        "MRG-11, UND-03: an equal pair makes the save throw; the second stays until the rollback",
        arguments: StoreFactory.all)
    func duplicateOfStored(_ factory: StoreFactory) throws {
        let context = try PersistentContainer(ConformanceModel.model, factory).makeContext()
        let (first, other) = (try account(context, "a"), try account(context, "b"))
        try first.setValue("Ann", forKey: "first")
        try first.setValue("Lee", forKey: "last")
        try context.save()
        let second = try context.insert(into: "Savings")
        try second.setValue("Ann", forKey: "first")
        try second.setValue("Lee", forKey: "last")
        let error = #expect(throws: GranaryError.self) { try context.save() }
        #expect(error?.summary == ["Savings.first, last 1551"])
        #expect(error?.diagnostics.first?.code == .uniqueExists)
        #expect(error?.diagnostics.first?.value == "Ann, Lee")
        #expect(error?.diagnostics.first?.message.contains("\(first.objectID)") == true)
        #expect(context.registeredObjects == [first, other, second])
        #expect(second.objectID.isTemporaryID)
        context.rollback()
        #expect(context.registeredObjects == [first, other])
    }

    @Test("Objects of one save are compared with each other; NULL with nothing", arguments: StoreFactory.all)
    func duplicateInSave(_ factory: StoreFactory) throws {
        let context = try PersistentContainer(ConformanceModel.model, factory).makeContext()
        let bank = try context.insert(into: "Bank")
        for _ in 0..<2 {
            let account = try context.insert(into: "Account")
            try account.setValue("Ann", forKey: "first")
            try account.setValue(1, forKey: "number")
            try account.setObject(bank, forKey: "bank")
        }
        #expect(try context.validate().map(\.code) == [.uniqueDuplicate])
        let accounts = try context.fetchAll("Account")
        try accounts[0].setObject(nil, forKey: "bank")
        try context.save()
        try accounts[0].setObject(bank, forKey: "bank")
        #expect(try context.validate().map(\.code) == [.uniqueExists])
        try accounts[1].setValue(2, forKey: "number")
        try context.save()
    }

    @Test("A value is free when its owner goes, gives it up or swaps it in the same save", arguments: StoreFactory.all)
    func freedValues(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ConformanceModel.model, factory)
        let context = container.makeContext()
        let accounts = try ["a", "b", "c"].map { try account(context, $0) }
        try context.save()
        try context.delete(accounts[0])
        let new = try account(context, "a")
        try context.save()
        try new.setValue("b", forKey: "email")
        try accounts[1].setValue("c", forKey: "email")
        try accounts[2].setValue("a", forKey: "email")
        try context.save()
        try new.setValue("d", forKey: "email")
        _ = try account(context, "b")
        try context.save()
        let emails = try container.makeContext().fetchAll("Account").map { $0["email"] }
        #expect(emails == ["c", "a", "d", "b"])
        #expect(accounts[1].changedValues() == [:])
    }

    @Test("Text is compared by its bytes")
    func bytes() throws {
        let context = try PersistentContainer(model: ConformanceModel.model, store: .inMemory).makeContext()
        _ = try account(context, "e\u{301}")
        _ = try account(context, "\u{e9}")
        try context.save()
    }

    private func account(_ context: ManagedObjectContext, _ email: AttributeValue) throws -> ManagedObject {
        let account = try context.insert(into: "Account")
        try account.setValue(email, forKey: "email")
        return account
    }
}
