import Foundation
import Granary
import TestSupport
import Testing

@testable import SamplePrograms

/// A bundle with the model Customers as `DataModel.momd`, and the place of a store.
@MainActor
struct DataModelBundle {
    let bundle: Bundle
    let store: URL
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        store = folder.url.appending(path: "DataModel.sqlite")
        let url = folder.url.appending(path: "App_App.resources")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        bundle = try #require(Bundle(path: url.path))
        try ManagedObjectModel(contentsOf: Samples.url("Customers/Customers.xcdatamodeld"))
            .write(to: url.appending(path: "DataModel.momd"))
    }

    /// A file that is no store, in its place.
    func writeNoStore() throws { _ = try folder.write("This is no store.", to: "DataModel.sqlite") }

    /// The name and number of every customer in the store.
    func stored() throws -> [[String]] {
        let container = try PersistentContainer(
            model: ManagedObjectModel(named: "DataModel", in: bundle), store: .sqlite(store),
            classes: CustomersClasses.all)
        let context = container.makeContext()
        // Objects do not retain their context.
        return try withExtendedLifetime(context) {
            try context.fetch(Customer.self, sort: "name").map { [$0.name ?? "", $0.contactno] }
        }
    }
}
