import Foundation

/// One way to fetch people from the store. All use the same file, which stays open between fetches.
protocol Fetcher {
    static var title: String { get }

    /// Opens the file; that is not measured.
    init(path: String) throws

    /// Carries out a fetch from the beginning: a request or a statement is made each time.
    ///
    /// - Returns: the ``Checksum`` of what was read.
    func run(_ fetch: Fetch) throws -> UInt64
}

/// A fetcher did not do what it was asked to.
struct BenchmarkError: Error {
    let message: String
}

/// A sum over the rows of a result, in which their order counts. All fetchers must get the same.
struct Checksum {
    private(set) var value: UInt64 = 0

    /// Adds the number of a row.
    mutating func add(_ number: Int64) { value = value &* 31 &+ UInt64(bitPattern: number) }
}

/// The values of a person, in the Swift types in which they are read.
struct PersonValues {
    let name: String
    let age: Int64
    let salary: Double
    let email: String
    let city: String
    let hired: Date
    let isActive: Bool
    let score: Int64

    /// The number of a row of which all values are read.
    var number: Int64 {
        let texts = name.utf8.count + email.utf8.count + city.utf8.count
        let numbers = age + Int64(salary) + Int64(hired.timeIntervalSinceReferenceDate) + score
        return numbers + Int64(texts) + (isActive ? 1 : 0)
    }
}
