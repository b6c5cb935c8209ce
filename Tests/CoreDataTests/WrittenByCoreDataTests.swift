#if canImport(CoreData)
    import CoreData
    import Foundation
    import Granary
    import Testing

    /// Core Data's model is built in code, so Granary takes no part in the creation of the stores.
    @Suite("Granary reads and changes the stores that Core Data writes") struct WrittenByCoreDataTests {
        @Test("Granary reads every value and link that Core Data wrote", arguments: TestedModel.all)
        func reading(_ tested: TestedModel) throws {
            let bench = try TestBench(tested)
            let model = try CodeBuiltModel.model(bench.model)
            try #require(model.entityVersionHashesByName == bench.schema.versionHashes)
            let (plan, paths) = try Self.write(bench, model)
            let contents = try GranaryObjects.contents(of: bench.store, model: bench.model)
            #expect(contents.differences(from: StoreContents(plan, paths: paths)) == [])
            #expect(try bench.findings() == [])
        }

        @Test("The model inside the store has the version hashes that Core Data computes", arguments: TestedModel.all)
        func cachedModel(_ tested: TestedModel) throws {
            let bench = try TestBench(tested)
            let model = try CodeBuiltModel.model(bench.model)
            _ = try CoreDataStack.run(bench.store, model) { context in context.hasChanges }
            let cached = try ManagedObjectModel(cachedInStoreAt: bench.store).resolved()
            #expect(cached.versionHashes == model.entityVersionHashesByName)
        }

        @Test("Core Data reads every value and link after Granary has changed the store", arguments: TestedModel.all)
        func editing(_ tested: TestedModel) throws {
            let bench = try TestBench(tested)
            let model = try CodeBuiltModel.model(bench.model)
            try #require(model.entityVersionHashesByName == bench.schema.versionHashes)
            let (plan, paths) = try Self.write(bench, model)
            let edited: ObjectPlan = plan.edited()
            let editedPaths = try GranaryObjects.apply(
                edited, over: plan, paths: paths, to: bench.store, model: bench.model)
            let schema = bench.schema
            let contents: StoreContents = try CoreDataStack.run(bench.store, model) { context in
                try CoreDataObjects.contents(of: context, schema: schema)
            }
            #expect(contents.differences(from: StoreContents(edited, paths: editedPaths)) == [])
            #expect(try bench.findings() == [])
        }

        /// Creates the store with Core Data.
        private static func write(
            _ bench: TestBench, _ model: NSManagedObjectModel
        ) throws -> (plan: ObjectPlan, paths: [Int: String]) {
            let plan = ObjectPlan.full(bench.schema)
            try #require(plan.keepsCounts, "the objects break a count of the model")
            let empty = ObjectPlan(bench.schema)
            let paths: [Int: String] = try CoreDataStack.run(bench.store, model) { context in
                try CoreDataObjects.apply(plan, over: empty, paths: [:], in: context)
            }
            return (plan, paths)
        }
    }
#endif
