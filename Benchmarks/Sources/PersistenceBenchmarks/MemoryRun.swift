import Foundation
import Measuring

/// The memory that a visit of very many objects takes, in processes of their own: this program, started again.
struct MemoryRun {
    /// What the visit may take.
    static let aim = 100_000_000
    /// The store is filled with the same people this many times.
    private static let repeats = 10

    /// How many people are made; the store has ten times as many.
    let peopleCount: Int
    let folder: URL

    var objectCount: Int { peopleCount * Self.repeats }

    func measure() throws -> Measured {
        let store = folder.appending(path: "many.sqlite")
        defer { try? FileManager.default.removeItem(at: store) }
        guard let program = Bundle.main.executablePath else {
            throw BenchmarkError(message: "the program does not know where it lies")
        }
        _ = try Measured.run([program, "fill", store.path, "\(peopleCount)"])
        return try Measured.run([program, "visit", store.path, "\(objectCount)"])
    }

    /// Does what another process of this program asks for; gives back false where that is not the case.
    static func serve(_ arguments: [String]) throws -> Bool {
        guard arguments.count == 3, let count = Int(arguments[2]) else { return false }
        let path = arguments[1]
        switch arguments[0] {
        case "fill":
            let people = People(count: count)
            try GranaryContestant.makeEmptyStore(at: path)
            for part in 0..<repeats { try FloorContestant.insert(people, into: path, firstKey: part * count + 1) }
        case "visit":
            let found = try GranaryContestant.visit(path)
            guard found == count else { throw BenchmarkError(message: "\(found) objects were visited, not \(count)") }
        default: return false
        }
        return true
    }
}
