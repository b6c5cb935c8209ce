import Foundation
import GranaryContexts
import GranaryFixtures
import GranaryModel
import GranaryPredicates

enum FixtureBenchmark {
    private static let clones = 1000

    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Department",
            [.attribute("name", .string, .required), .toMany("people", "Person", inverse: "department")],
            unique: [["name"]]),
        EntityDescription(
            "Person",
            [
                .attribute("name", .string, .required), .attribute("email", .string), .attribute("born", .date),
                .attribute("salary", .decimal), .attribute("isActive", .boolean, .required),
                .toOne("department", "Department", inverse: "people"),
            ], unique: [["email"]]),
    ])

    /// What a test does with its store.
    private enum Work: String, CaseIterable {
        case nothing = "open and close"
        case fetch = "fetch 10 objects"
        case save = "change one object and save"
        case build = "describe 10 further objects"

        func run(_ container: PersistentContainer) async throws {
            switch self {
            case .nothing: break
            case .build: try await container.add(.objects("Person", 10, ["name": .sequence("P%03d")]))
            case .fetch, .save: try await container.perform { try run($0) }
            }
        }

        private func run(_ context: ManagedObjectContext) throws {
            switch self {
            case .nothing, .build: break
            case .fetch: for person in try context.fetch("Person", limit: 10) { _ = try person.string(forKey: "name") }
            case .save:
                try context.first("Person")?.setValue(.string("Ann"), forKey: "name")
                try context.save()
            }
        }
    }

    static func run() async throws {
        let rows = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 10_000
        let runs = max(1, ProcessInfo.processInfo.environment["BENCH_RUNS"].flatMap(Int.init) ?? 3)
        print("| storage | a test that does | clones/s | ms per test |\n|---|---|--:|--:|")
        for storage in FixtureStorage.allCases {
            let departments = min(40, rows)
            let fixture = Fixture(
                model: .value(model),
                origin: .seeds([
                    .generated(["Department": departments, "Person": max(0, rows - departments)], randomSeed: 7)
                ]), classes: [:], transformers: nil, storage: storage)
            let start = ContinuousClock.now
            try await fixture.makeClone().end(hasFailed: false)
            let built = (ContinuousClock.now - start) / .seconds(1)
            for work in Work.allCases {
                var seconds: [Double] = []
                for _ in 0..<runs { seconds.append(try await measure(fixture, work)) }
                let median = seconds.sorted()[seconds.count / 2]
                let line = String(
                    format: "%.0f | %.2f", Double(clones) / median, median / Double(clones) * 1000)
                print("| \(storage) | \(work.rawValue) | \(line) |")
            }
            print(String(format: "\(storage): %d rows, built once in %.2f s; %d clones each", rows, built, clones))
        }
        try await measureBuilds()
    }

    /// Prints what tests cost that each describe 10 objects, all the same ones or each others.
    private static func measureBuilds() async throws {
        for (text, differ) in [("the same", false), ("other", true)] {
            let start = ContinuousClock.now
            for number in 0..<clones {
                let name = differ ? "P\(number)-%d" : "P-%d"
                let fixture = Fixture(
                    model: .value(model), origin: .seeds([.objects("Person", 10, ["name": .sequence(name)])]),
                    classes: [:], transformers: nil, storage: .inMemory)
                try await fixture.makeClone().end(hasFailed: false)
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            print(String(format: "\(clones) tests that describe \(text) 10 objects: %.2f s", seconds))
        }
    }

    /// The seconds for all clones.
    private static func measure(_ fixture: Fixture, _ work: Work) async throws -> Double {
        let start = ContinuousClock.now
        for _ in 0..<clones {
            let clone = try await fixture.makeClone()
            try await work.run(clone.container)
            clone.end(hasFailed: false)
        }
        return (ContinuousClock.now - start) / .seconds(1)
    }
}
