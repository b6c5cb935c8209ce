import Foundation
import TestSupport
import Testing

/// `granary store runs`, and the dates of runs.
@Suite struct StoreRunsCommandTests {
    private let bench: ImportBench

    init() throws { bench = try ImportBench() }

    private func change(_ name: String, _ options: [String] = ["--revertible"]) async throws {
        let result = try await bench.run(
            "key,name\n0,\(name)\n", "Injury", ["--key", "key", "--on-conflict", "update"] + options)
        #expect(result.code == 0 && result.ledger.contains("updated 1"), "\(result.messages)")
    }

    private func runs(_ options: String...) async throws -> [[String: Any]] {
        let result = await bench.runs.run(["store", "runs", "@Seed.sqlite", "--format", "json"] + options)
        #expect(result.code == 0, "\(result.messages)")
        let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        return try #require(json?["runs"] as? [[String: Any]])
    }

    @Test("Old data to revert is removed, and the store's file is not changed") func keep() async throws {
        for name in ["A", "B", "C", "D"] { try await change(name) }
        let all = try await runs()
        #expect(all.map { $0["id"] as? String } == ["run-1", "run-2", "run-3", "run-4"])
        #expect(all.allSatisfy { ($0["revertBytes"] as? Int ?? 0) > 0 && $0["revertible"] as? Bool == true })
        let source = (all[0]["sources"] as? [[String: Any]])?.first?["name"] as? String
        #expect(source == bench.runs.path("in.csv"))
        let before = try bench.bytes()
        let kept = try await runs("--keep", "2")
        #expect(kept.map { $0["revertible"] as? Bool } == [false, false, true, true])
        #expect(try bench.bytes() == before)
        let folders = try FileManager.default.contentsOfDirectory(atPath: bench.runs.path("Seed.sqlite.runs")).sorted()
        #expect(folders == ["run-3", "run-4"])
        #expect(await bench.runs.run("store", "revert", "@Seed.sqlite", "--run", "run-1").code == 66)
        #expect(await bench.runs.run("store", "revert", "@Seed.sqlite").code == 0)
        #expect(try bench.injuries.first == "0,C")
        let text = await bench.runs.run("store", "runs", "@Seed.sqlite", "--keep", "0")
        #expect(
            text.output.contains("run-3") && text.messages.contains("removed the data to revert 1 run, "), "\(text)")
        #expect(!bench.runs.exists("Seed.sqlite.runs"))
    }

    @Test("A run has a date, unless the store is shipped") func dates() async throws {
        let start = Date().addingTimeInterval(-1)
        try await change("A", [])
        let found = try #require(try await runs().first?["date"] as? String)
        let date = try #require(ISO8601DateFormatter().date(from: found))
        #expect(date > start.addingTimeInterval(-1) && date <= Date())
        let info = await bench.runs.run("store", "info", "@Seed.sqlite")
        #expect(info.output.contains(found) && info.output.contains("in.csv"), "\(info.output)")
        // Shipping removes the dates of earlier runs too.
        try await change("B", ["--ship"])
        let shipped = try await runs()
        #expect(shipped.count == 2 && shipped.allSatisfy { $0["date"] == nil || $0["date"] is NSNull }, "\(shipped)")
    }

    @Test("Wrong uses") func wrongUses() async {
        #expect(await bench.runs.run("store", "runs", "@Seed.sqlite", "--keep", "-1").code == 64)
        #expect(await bench.runs.run("store", "runs", "@None.sqlite").code == 66)
    }
}
