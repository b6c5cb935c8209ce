#if canImport(CoreData)
    import CoreData
    import Foundation
    import Granary
    import Testing

    @Suite("Core Data reads and changes the stores that Granary writes") struct WrittenByGranaryTests {
        @Test("Core Data reads every value and link that Granary wrote", arguments: TestedModel.all)
        func reading(_ tested: TestedModel) throws {
            let bench = try TestBench(tested)
            let model = try bench.compiledModel()
            // Key-value coding ends the process for a property that the compiled model lacks.
            try #require(model.entityVersionHashesByName == bench.schema.versionHashes)
            let (plan, paths) = try Self.write(bench)
            let schema = bench.schema
            let contents: StoreContents = try CoreDataStack.run(bench.store, model) { context in
                try CoreDataObjects.contents(of: context, schema: schema)
            }
            #expect(contents.differences(from: StoreContents(plan, paths: paths)) == [])
            #expect(try bench.findings() == [])
        }

        @Test("Granary reads every value and link after Core Data has changed the store", arguments: TestedModel.all)
        func editing(_ tested: TestedModel) throws {
            let bench = try TestBench(tested)
            let model = try bench.compiledModel()
            try #require(model.entityVersionHashesByName == bench.schema.versionHashes)
            let (plan, paths) = try Self.write(bench)
            let edited: ObjectPlan = plan.edited()
            let editedPaths: [Int: String] = try CoreDataStack.run(bench.store, model) { context in
                try CoreDataObjects.apply(edited, over: plan, paths: paths, in: context)
            }
            let contents = try GranaryObjects.contents(of: bench.store, model: bench.model)
            #expect(contents.differences(from: StoreContents(edited, paths: editedPaths)) == [])
            #expect(try bench.findings() == [])
        }

        /// Creates the store with Granary.
        private static func write(_ bench: TestBench) throws -> (plan: ObjectPlan, paths: [Int: String]) {
            let plan = ObjectPlan.full(bench.schema)
            try #require(plan.keepsCounts, "the objects break a count of the model")
            let paths = try GranaryObjects.apply(
                plan, over: ObjectPlan(bench.schema), paths: [:], to: bench.store, model: bench.model)
            return (plan, paths)
        }
    }
#endif
