#if canImport(CoreData)
    import CoreData
    import Foundation
    import Granary
    import Testing

    @Suite("Core Data opens the compiled models that Granary writes") struct CompiledModelTests {
        @Test("Core Data computes Granary's version hashes for the compiled model", arguments: TestedModel.all)
        func compiledHashes(_ tested: TestedModel) throws {
            let bench = try TestBench(tested)
            let hashes = try bench.compiledModel().entityVersionHashesByName
            #expect(hashes == bench.schema.versionHashes)
        }

        @Test("Core Data computes Granary's version hashes for a model built in code", arguments: TestedModel.all)
        func codeBuiltHashes(_ tested: TestedModel) throws {
            let bench = try TestBench(tested)
            let hashes = try CodeBuiltModel.model(bench.model).entityVersionHashesByName
            #expect(hashes == bench.schema.versionHashes)
        }

        /// Defaults, delete rules and indexes are not part of the version hashes.
        @Test("The compiled model has the properties of the model built in code", arguments: TestedModel.all)
        func properties(_ tested: TestedModel) throws {
            let bench = try TestBench(tested)
            let compiled = ModelText.lines(of: try bench.compiledModel())
            let built = ModelText.lines(of: try CodeBuiltModel.model(bench.model))
            #expect(compiled == built)
        }
    }
#endif
