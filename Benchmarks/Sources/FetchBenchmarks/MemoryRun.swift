import Foundation
import Measuring

/// The peak memory of whole tables, in processes of their own: this program, started again.
enum MemoryRun: String, CaseIterable {
    case visit, visitConditional, visitSorted, granaryObjects, grdbObjects

    /// What a visit in batches may take, in bytes.
    static let aim = 100_000_000

    var title: String {
        switch self {
        case .visit: "Granary, visited in batches of 500"
        case .visitConditional: "Granary, visited in batches of 500, predicate"
        case .visitSorted: "Granary, visited in batches of 500, sorted by an unindexed column"
        case .granaryObjects: "Granary, all objects in memory"
        case .grdbObjects: "GRDB, all records in memory"
        }
    }

    /// Measures the whole process, with its start and the opening of the store.
    func measure(_ store: String, count: Int) throws -> Measured {
        let program = try Self.program()
        return try Measured.median(of: Selection.runs) { try Measured.run([program, rawValue, store, "\(count)"]) }
    }

    /// Makes the store in another process, which may grow.
    static func makeStore(at path: String, count: Int) throws {
        _ = try Measured.run([try program(), "make", path, "\(count)"])
        guard FileManager.default.fileExists(atPath: path) else {
            throw BenchmarkError(message: "\(path) was not made")
        }
    }

    /// Does what another process of this program asks for; gives back false where that is not the case.
    static func serve(_ arguments: [String]) async throws -> Bool {
        guard arguments.count == 3, let count = Int(arguments[2]) else { return false }
        let store = arguments[1]
        if arguments[0] == "make" {
            try await PeopleStore.make(at: store, count: count)
            return true
        }
        guard let run = MemoryRun(rawValue: arguments[0]) else { return false }
        let found = try run.countPeople(of: store)
        guard found == count else { throw BenchmarkError(message: "\(found) people were visited, not \(count)") }
        return true
    }

    private func countPeople(of store: String) throws -> Int {
        switch self {
        case .visit: try GranaryFetcher(path: store).visit(by: nil, isConditional: false)
        case .visitConditional: try GranaryFetcher(path: store).visit(by: nil, isConditional: true)
        case .visitSorted: try GranaryFetcher(path: store).visit(by: "salary", isConditional: false)
        case .granaryObjects: try GranaryFetcher(path: store).readAll()
        case .grdbObjects: try GRDBFetcher(path: store).readAll()
        }
    }

    private static func program() throws -> String {
        guard let program = Bundle.main.executablePath else {
            throw BenchmarkError(message: "the program does not know where it lies")
        }
        return program
    }
}
