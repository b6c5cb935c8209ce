import Foundation
import GRDB
import Granary
import Measuring

/// Scans of the same store by several tasks at once, with a write-ahead log.
enum Parallel {
    private static let tasks = 4
    private static let scans = 5

    /// Prints how many times as long several tasks take as one. On two cores, no less than half their number is possible.
    static func run(path: String, rows: Int) async throws {
        let copy = path + ".parallel"
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) } }
        var description = PersistentStoreDescription(.sqlite(URL(filePath: copy)))
        description.journalMode = .wal
        let container = try PersistentContainer(name: "people", model: PeopleModel.model, descriptions: [description])
        try await container.loadPersistentStores()
        let pool = try DatabasePool(path: copy)
        let ways: [(String, @Sendable () async throws -> Int)] = [
            ("objects of Granary", { try await container.read { try ages($0.fetch(FetchRequest("Person"))) } }),
            (
                "counts of Granary",
                {
                    let condition = try ObjectPredicate("%K == %@", PeopleModel.unindexed, Fetch.wantedValue)
                    return try await container.read { try $0.count(for: FetchRequest("Person", where: condition)) }
                }
            ),
            (
                "records of GRDB",
                { try await pool.read { try PersonRecord.fetchAll($0).reduce(0) { $0 + Int($1.values.age) } } }
            ),
        ]
        print("\n| \(tasks) tasks with \(scans) scans each | rows | one task, s | all, s | ratio |")
        print("|---|---|---|---|---|")
        for (title, scan) in ways where Selection.includes(title) {
            _ = try await scan()
            var ones: [Double] = []
            var alls: [Double] = []
            for _ in 0..<Selection.runs {
                ones.append(try await time(1, scan))
                alls.append(try await time(tasks, scan))
            }
            let ratio = Spread(zip(alls, ones).map { $0 / $1 })
            let times = [ones, alls].map { String(format: "%.2f", Spread($0).median ?? 0) }
            print("| \(title) | \(rows) | \(times[0]) | \(times[1]) | \(ratio) |")
        }
    }

    private static func ages(_ people: [ManagedObject]) throws -> Int {
        try people.reduce(0) { $0 + Int(try $1.integer(forKey: "age") ?? 0) }
    }

    private static func time(_ count: Int, _ scan: @escaping @Sendable () async throws -> Int) async throws -> Double {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask { for _ in 0..<scans { _ = try await scan() } }
            }
            try await group.waitForAll()
        }
        return (ContinuousClock.now - start) / .seconds(1)
    }
}
