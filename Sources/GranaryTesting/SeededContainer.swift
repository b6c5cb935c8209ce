public import Granary

/// The container of the current test.
public enum SeededContainer {
    @TaskLocal static var held: PersistentContainer?

    /// The container of the current test. Its store is closed when the test ends.
    ///
    /// It is a task-local value: tasks that the test starts have it too, except detached ones.
    ///
    /// - Throws: ``GranaryError`` with code `usage` outside a test with the trait `.seeded`.
    public static var current: PersistentContainer {
        get throws {
            guard let held else {
                throw GranaryError(.usage, "there is no container: the test does not have the trait .seeded")
            }
            return held
        }
    }
}
