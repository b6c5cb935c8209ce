import Foundation
import Synchronization

/// Which stores are kept after their tests, from the environment variable `GRANARY_KEEP_STORES`.
package enum KeptStores: Sendable {
    case none
    /// `failed`, or any other value such as `1`: the stores of failed tests.
    case failed
    /// `all`: the stores of all tests.
    case all

    init(_ text: String?) {
        switch text {
        case nil, "", "0": self = .none
        case "all": self = .all
        default: self = .failed
        }
    }

    static let requested = KeptStores(ProcessInfo.processInfo.environment["GRANARY_KEEP_STORES"])

    private static let count = Atomic<Int>(0)
    private static let root = FileManager.default.temporaryDirectory
        .appending(path: "granary-kept-stores-\(UUID().uuidString)").path(percentEncoded: false)

    /// The folder of the next store to keep. It is not created.
    static func nextFolder() -> String { "\(root)/\(count.add(1, ordering: .relaxed).newValue)" }

    /// Prints a line to standard error.
    package static func note(_ text: String) {
        // A closed standard error is no reason to end the tests, which `write(_:)` would do.
        try? FileHandle.standardError.write(contentsOf: Data("granary: \(text)\n".utf8))
    }
}
