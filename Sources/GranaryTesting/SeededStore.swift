public import Foundation
import Granary
import GranaryFixtures

/// The store file of the current test, for a test that opens it itself, such as with Apple's `NSPersistentContainer` or
/// `ModelContainer`.
public struct SeededStore: Sendable {
    @TaskLocal static var held: FixtureFile?

    /// The SQLite file. It is the test's own, closed, and alone in its folder except for its external files. It is
    /// removed when the test ends.
    public let url: URL

    /// The store of the current test.
    ///
    /// It is a task-local value: tasks that the test starts have it too, except detached ones.
    ///
    /// - Throws: ``GranaryError`` with code `usage` outside a test with the trait `.seededStore`.
    public static var current: SeededStore {
        get throws {
            guard let held else {
                throw GranaryError(.usage, "there is no store: the test does not have the trait .seededStore")
            }
            return SeededStore(url: held.url)
        }
    }
}
