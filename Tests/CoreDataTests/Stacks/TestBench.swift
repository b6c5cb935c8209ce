#if canImport(CoreData)
    import CoreData
    import Foundation
    import Granary
    import GranaryInspection
    import TestSupport
    import Testing

    /// A temporary folder for one test, with the test's model and the location of its store.
    struct TestBench {
        let model: ManagedObjectModel
        let schema: Schema
        /// The store's file. The test creates it.
        let store: URL
        private let folder: TemporaryFolder

        init(_ tested: TestedModel) throws {
            folder = try TemporaryFolder()
            model = try tested.make()
            schema = try model.resolved()
            store = folder.url.appending(path: "Store.sqlite")
        }

        /// Returns the model as Core Data reads it from a `.momd` folder written by Granary.
        func compiledModel() throws -> NSManagedObjectModel {
            let file = folder.url.appending(path: "Model.momd")
            try model.write(to: file, as: .momd, replacing: true)
            return try #require(
                NSManagedObjectModel(contentsOf: file), "Core Data does not open \(file.lastPathComponent)")
        }

        /// Returns the findings of Granary's store check, each as one line.
        func findings() throws -> [String] {
            let path = store.path(percentEncoded: false)
            let report = try StoreChecker.check(path: path, given: model)
            return report.findings.map { finding in "\(finding.described)" }
        }
    }
#endif
