import Foundation
import GranaryBase
import GranaryGeneration
import GranaryInspection
import GranaryModel
import GranaryModelFiles
import TestSupport
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// Generated stores of random models are sound, and the same each time.
@Suite struct RandomModelTests {
    @Test("5 random models: the stores are sound and equal")
    func models() throws {
        let summary = try RandomModelRun(seeds: 1..<6)
        #expect(summary.refused < 5, "\(summary)")
    }
}

@Suite struct RandomModelLongTests {
    @Test("40 random models: the stores are sound and equal")
    func fewModels() throws {
        let summary = try RandomModelRun(seeds: 1..<41)
        #expect(summary.objects > 400 && summary.refused < 12, "\(summary)")
    }

    @Test("200 random models: the stores are sound and equal")
    func models() throws {
        let summary = try RandomModelRun(seeds: 1001..<1201)
        #expect(summary.objects > 2_000 && summary.refused < 60, "\(summary)")
    }

    @Test(
        "50 objects of each entity of every public model",
        .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func publicModels() throws {
        let files = try SharedFiles.files(below: "coredata/models").filter { $0.lastPathComponent == "contents" }
        var made = 0
        for file in files {
            let model = try ManagedObjectModel(contentsOf: file.deletingLastPathComponent())
            var counts: [String: Int] = [:]
            for entity in model.entities where !entity.isAbstract { counts[entity.name] = 50 }
            do {
                let generated = try Generated.of(model, counts)
                #expect(try generated.findings == [], "\(file.path)")
                made += 1
            } catch let error as GranaryError {
                // Only transformers that Granary does not know, and counts that contradict each other, are refused.
                #expect(error.code == .refused && !error.diagnostics.isEmpty, "\(file.path): \(error)")
                for problem in error.diagnostics {
                    #expect(
                        problem.message.contains("transformer") || problem.message.contains("largest count"),
                        "\(file.path): \(problem)")
                }
            }
        }
        #expect(made > files.count / 2, "\(made) of \(files.count)")
    }
}

/// Generates objects of random models, twice each.
struct RandomModelRun {
    private(set) var objects = 0
    private(set) var refused = 0

    init(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let random = RandomModel(seed: seed)
            do {
                let first = try Generated.of(random.model, random.counts) { $0.randomSeed = seed }
                let second = try Generated.of(random.model, random.counts) { $0.randomSeed = seed }
                #expect(try first.findings == [], "seed \(seed)")
                #expect(try first.document == second.document, "seed \(seed)")
                objects += random.counts.values.reduce(0, +)
            } catch let error as GranaryError {
                refused += 1
                #expect(error.code == .refused && !error.diagnostics.isEmpty, "seed \(seed): \(error)")
                for problem in error.diagnostics {
                    #expect(problem.message.contains("largest count"), "seed \(seed): \(problem)")
                }
            }
        }
    }
}
