/// One way to keep the people, in a file that Granary made empty: the tables and indexes are the same for all, and so
/// is what SQLite does for durability (its defaults: a rollback journal, `synchronous = FULL`, one commit a task).
protocol Contestant {
    static var title: String { get }

    /// Opens the file; that is not measured.
    init(path: String, people: People) throws

    /// Adds the departments and the people, each with its department.
    func insert() throws

    /// Reads all people, and raises the level of each by 1 and the salary by 100.
    func update() throws

    /// Goes from each of the people to the address, and adds up level, post code and bytes of the street.
    ///
    /// - Parameter prefetching: whether the addresses are asked for together with the people.
    func follow(prefetching: Bool) throws -> Int64
}

/// A contestant did not do what it was asked to.
struct BenchmarkError: Error {
    let message: String
}
