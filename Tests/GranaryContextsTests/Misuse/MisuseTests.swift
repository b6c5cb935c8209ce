import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing

@Suite("Misuse") struct MisuseTests {
    @Test(
        "Misuse is an error that says what is wrong; it loses nothing",
        arguments: TestDepth.usesAllStores ? StoreFactory.everyKind : [.inMemory],
        Misuse.all)
    func refused(_ factory: StoreFactory, _ misuse: Misuse) throws {
        let bench = try MisuseBench(factory)
        let error = try #require(throws: GranaryError.self) { try misuse.act(bench) }
        let text = ([error.message] + error.diagnostics.map(\.description)).joined(separator: " ")
        for part in misuse.says { #expect(text.contains(part), "\(text)") }
        #expect(try bench.names() == misuse.stored)
        // The context can still be used.
        bench.context.rollback()
        let new = try bench.context.insert(Meddler.self)
        try new.setValue("Zed", forKey: "name")
        try bench.context.save()
        #expect(try bench.names() == misuse.stored + ["Zed"])
    }

    @Test("An observer that changes, announces and saves is not called inside itself", arguments: StoreFactory.kinds)
    func observer(_ factory: StoreFactory) throws {
        let bench = try MisuseBench(factory)
        let (context, bob) = (bench.context, bench.bob)
        var calls = 0
        context.addObserver { [unowned context] _ in
            calls += 1
            try? bob.setValue(.string("Bob \(calls)"), forKey: "name")
            try? context.processPendingChanges()
            // Outside a save this is allowed.
            if calls == 2 { try? context.save() }
        }
        try bench.rename()
        try context.processPendingChanges()
        #expect(calls == 1 && context.updatedObjects == [bench.ann, bob])
        try context.processPendingChanges()
        #expect(calls == 2 && !context.hasChanges)
        #expect(try bench.names() == ["Ann 2", "Bob 2", "Rex"])
        // A reset inside an observer is announced by the next call.
        calls = 0
        context.addObserver { [unowned context] changes in if changes.invalidated.isEmpty { context.reset() } }
        try bench.context.insert(Meddler.self)
        try context.processPendingChanges()
        #expect(calls == 1)
        try context.processPendingChanges()
        #expect(calls == 2)
    }
}
