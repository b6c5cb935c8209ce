import Foundation
import GranarySwiftData
import TestSupport

/// The Swift sources of samples/Trips.
enum SwiftDataSample {
    static let models = Samples.root.appending(path: "Trips/Models").path(percentEncoded: false)
    /// Whether `granary-swiftdata` is built; `make test` builds it before the tests.
    static let isToolThere = (try? SwiftDataSources(paths: [models])) != nil
    static let absence = "granary-swiftdata is not built: make swiftdata"
}
