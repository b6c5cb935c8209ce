import Foundation
import Granary
import TestSupport

@testable import SamplePrograms

extension CustomerApp {
    static let model = Samples.url("Customers/Customers.xcdatamodeld")

    /// The app on a store in a test's own folder.
    static func sample(in folder: TemporaryFolder) throws -> CustomerApp {
        try CustomerApp(model: model, store: folder.url.appending(path: "Customers.sqlite"))
    }

    /// A customer that keeps all rules.
    func addAlma() throws -> Customer {
        try addCustomer(name: "Alma Berg", emailid: "alma.berg@example.com", contactno: "0712345678")
    }

    /// Name and number of every customer, as the store has them.
    func stored() async throws -> [[String?]] {
        try await persistentContainer.perform { context in
            try context.fetchAll("Customer").map { object in
                [try object.string(forKey: "name"), try object.string(forKey: "contactno")]
            }
        }
    }
}
