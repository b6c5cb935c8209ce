import Foundation
import GranarySQLite
import TestSupport
import Testing

/// What becomes of an import as a whole: tried, recorded, taken back, shipped.
@Suite struct ImportRunTests {
    private let bench: ImportBench

    init() throws { bench = try ImportBench() }

    private let change = "name,age,injury\nAnn,45,Burn\nBob,,\nCid,7,Fracture\n"
    private let update = ["--key", "name", "--on-conflict", "update"]

    // MARK: --dry-run and --report

    @Test func aDryRunSaysWhatTheRunDoes() async throws {
        let before = try bench.bytes()
        let file = bench.runs.path("in.csv")
        let tried = try await bench.run(change, "Patient", update + ["--dry-run", "--report", "@report.json"])
        #expect(tried.code == 0)
        #expect(
            tried.lines == [
                "dry run: 1 new, 1 changed, 0 deleted, 0 rejected",
                "  update Patient/p1 (\(file):2): age 44 -> 45, injury Injury/p2 -> Injury/p1",
                "granary: dry run: nothing was stored", ImportBench.ledger(3, created: 1, updated: 1, unchanged: 1),
            ])
        #expect(try bench.bytes() == before)
        let plan = try bench.report
        #expect(plan["dryRun"] as? Bool == true && plan["run"] == nil)
        let planned = try #require(plan["changes"] as? [[String: Any]])

        let result = try await bench.run(change, "Patient", update + ["--report", "@report.json", "--force"])
        #expect(result.messages == tried.ledger + "\n")
        let report = try bench.report
        let counts = ["read", "created", "updated", "unchanged", "skipped", "rejected"]
        #expect(counts.map { report[$0] as? Int } == [3, 1, 1, 1, 0, 0])
        #expect(report["diagnosticCount"] as? Int == 0 && report["changeCount"] as? Int == 1)
        let others = ["replaced", "madeByLookup", "nested", "pruned"]
        #expect(others.allSatisfy { report[$0] as? Int == 0 })
        #expect(report["dryRun"] as? Bool == false && report["refused"] as? Bool == false)
        #expect(report["run"] as? String == "run-1" && report["entity"] as? String == "Patient")
        #expect(report["store"] as? String == bench.runs.path("Seed.sqlite"))
        let made = try #require(report["changes"] as? [[String: Any]])
        for change in [planned, made] {
            let first = try #require(change.first)
            #expect(change.count == 1 && first["action"] as? String == "update")
            #expect(first["id"] as? String == "Patient/p1" && first["entity"] as? String == "Patient")
            #expect(first["file"] as? String == file && first["line"] as? Int == 2)
            #expect(first["properties"] as? [String] == ["age", "injury"])
        }
    }

    @Test func theReportSaysWhatWasReplacedAndRejected() async throws {
        let options = ["--key", "name", "--on-conflict", "replace", "--mode", "keep-good", "--rejects", "@bad.csv"]
        let result = try await bench.run(
            "name,age\nAnn,45\nBob,x\nCid,y\n", "Patient", options + ["--report", "@report.json", "--quiet"])
        #expect(result.code == 1)
        #expect(result.lines.count == 3 && result.ledger == ImportBench.ledger(3, updated: 1, rejected: 2))
        let report = try bench.report
        #expect(report["replaced"] as? Int == 1 && report["diagnosticCount"] as? Int == 2)
        #expect(
            report["rejects"] as? [String] == [
                bench.runs.path("bad.csv"), bench.runs.path("bad.csv.reasons.jsonl"),
            ])
        let rule = try #require((report["rules"] as? [[String: Any]])?.first)
        #expect(rule["code"] as? String == "value.syntax" && rule["count"] as? Int == 2)
        #expect(rule["entity"] as? String == "Patient" && rule["property"] as? String == "age")
        #expect((rule["first"] as? [[String: Any]])?.map { $0["line"] as? Int } == [3, 4])
        let change = try #require((report["changes"] as? [[String: Any]])?.first)
        #expect(change["action"] as? String == "replace" && change["properties"] as? [String] == ["age", "injury"])
    }

    // MARK: The ledger of runs

    func withoutALedgerAStoreHasNoTraceOfAnImport() async throws {
        let runs = bench.runs
        let create = await runs.run("store", "create", "--model", "@Model.json", "--store", "@Empty.sqlite")
        #expect(create.code == 0)
        _ = try runs.folder.write("key,name\n0,Burn\n", to: "in.csv")
        for (store, options) in [("A.sqlite", ["--no-ledger"]), ("B.sqlite", [])] as [(String, [String])] {
            let result = await runs.run(
                ["import", "@in.csv", "--model", "@Model.json", "--store", "@" + store, "--entity", "Injury"] + options)
            #expect(result.code == 0, "\(result.messages)")
        }
        let metadata = "SELECT Z_VERSION || ' ' || hex(Z_PLIST) FROM Z_METADATA"
        let schema = "SELECT group_concat(sql, char(10)) FROM (SELECT sql FROM sqlite_master ORDER BY type, name)"
        let empty = try bench.text(metadata, in: "Empty.sqlite")
        #expect(try bench.text(metadata, in: "A.sqlite") == empty)
        #expect(try bench.text(metadata, in: "B.sqlite") != empty)
        #expect(try bench.text(schema, in: "A.sqlite") == bench.text(schema, in: "Empty.sqlite"))
        // Nothing else in the file tells the two apart but their UUIDs.
        let rows = try ["A.sqlite", "B.sqlite"].map { try bench.dump($0).filter { !$0.hasPrefix("Z_METADATA|") } }
        #expect(rows[0] == rows[1])
        // An import into a store with a ledger leaves the ledger alone.
        let before = try bench.text(metadata, in: "B.sqlite")
        _ = try runs.folder.write("key,name\n1,Cut\n", to: "in.csv")
        let arguments = ["import", "@in.csv", "--model", "@Model.json", "--store", "@B.sqlite", "--entity", "Injury"]
        #expect(await runs.run(arguments + ["--no-ledger"]).code == 0)
        #expect(try bench.text(metadata, in: "B.sqlite") == before)
    }

    func runsAreListedWithTheirCountsAndSources() async throws {
        #expect(try await bench.run(change, "Patient", update).code == 0)
        // It changes nothing, so it is no run.
        #expect(try await bench.run(change, "Patient", update).code == 0)
        #expect(try await bench.run("key,name\n2,Cut\nx,Cold\n", "Injury", ["--mode", "keep-good"]).code == 1)
        let info = await bench.runs.run("store", "info", "@Seed.sqlite", "--format", "json")
        let answer = try JSONSerialization.jsonObject(with: Data(info.output.utf8)) as? [String: Any]
        let runs = try #require(answer?["runs"] as? [[String: Any]])
        #expect(runs.map { $0["id"] as? String } == ["run-1", "run-2"])
        #expect(runs.map { $0["created"] as? Int } == [1, 1] && runs.map { $0["rejected"] as? Int } == [0, 1])
        let source = try #require((runs[1]["sources"] as? [[String: Any]])?.first)
        #expect(source["name"] as? String == bench.runs.path("in.csv"))
        #expect((source["digest"] as? String)?.isEmpty == false)
    }

    // MARK: --revertible

    @Test func aRunIsTakenBackInEveryTable() async throws {
        let before = try bench.dump()
        let csv = "name,age,injury\nAnn,45,Burn\nCid,7,Fracture\n"
        let result = try await bench.run(csv, "Patient", update + ["--prune", "--revertible"])
        #expect(result.code == 0)
        let store = bench.runs.path("Seed.sqlite")
        #expect(
            result.lines == [
                "granary: deleting 1 Patient missing from the files: p2", "pruned 1 Patient: p2",
                "run run-1; to undo it: granary store revert \(store) --run run-1",
                ImportBench.ledger(2, created: 1, updated: 1),
            ])
        #expect(try bench.files == ["Seed.sqlite", "Seed.sqlite.runs"])
        let isChanged = try bench.dump() != before
        #expect(isChanged)
        let revert = await bench.runs.run("store", "revert", "@Seed.sqlite", "--run", "run-1")
        #expect(revert.code == 0, "\(revert.messages)")
        let isBack = try bench.dump() == before
        #expect(isBack)
        #expect(try bench.files == ["Seed.sqlite"])
    }

    @Test(arguments: ["pages", "sql"]) func theRunThatCreatedAStoreIsTakenBack(_ loader: String) async throws {
        let lines = (0..<2000).map { "P\($0),\($0 % 90)" }.joined(separator: "\n")
        _ = try bench.runs.folder.write("name,age\n\(lines)\n", to: "in.csv")
        let result = await bench.runs.run(
            "import", "@in.csv", "--model", "@Model.json", "--store", "@New.sqlite", "--entity", "Patient",
            "--revertible", "--loader", loader, "--report", "@report.json")
        #expect(result.code == 0, "\(result.messages)")
        let report = try Data(contentsOf: bench.runs.folder.url.appending(path: "report.json"))
        let counts = try JSONSerialization.jsonObject(with: report) as? [String: Any]
        #expect(counts?["loader"] as? String == loader)
        let revert = await bench.runs.run("store", "revert", "@New.sqlite", "--run", "run-1")
        #expect(revert.code == 0, "\(revert.messages)")
        let info = await bench.runs.run("store", "info", "@New.sqlite", "--format", "json")
        let answer = try JSONSerialization.jsonObject(with: Data(info.output.utf8)) as? [String: Any]
        let entities = try #require(answer?["entities"] as? [[String: Any]])
        #expect(!entities.isEmpty && entities.allSatisfy { $0["count"] as? Int == 0 }, "\(info.output)")
        #expect(await bench.runs.run("store", "check", "@New.sqlite").code == 0)
    }

    @Test func aRunWhoseObjectsHaveChangedStays() async throws {
        #expect(try await bench.run(change, "Patient", update + ["--revertible"]).code == 0)
        try bench.runs.execute("UPDATE ZPATIENT SET ZAGE = 99 WHERE Z_PK = 1")
        let before = try bench.dump()
        let revert = await bench.runs.run("store", "revert", "@Seed.sqlite", "--run", "run-1")
        #expect(revert.code == 65, "\(revert.messages)")
        #expect(revert.messages.contains("Patient: p1 "), "\(revert.messages)")
        #expect(revert.messages.contains("the store has changed since in 1 place"), "\(revert.messages)")
        let isSame = try bench.dump() == before
        #expect(isSame)
    }

    func keptRejectsAndLinksAreTakenBackToo() async throws {
        let before = try bench.dump()
        let links = try await bench.run(
            "name,patients\nBurn,Bob\nCut,Ann\n", "Injury",
            ["--links", "patients", "--lookup", "patients=name", "--mode", "keep-good", "--revertible"])
        #expect(links.code == 1)
        #expect(links.ledger == ImportBench.ledger(2, updated: 1, rejected: 1))
        #expect(try bench.patients == ["Ann,44,Fracture", "Bob,,Burn"])
        #expect(await bench.runs.run("store", "revert", "@Seed.sqlite").code == 0)
        let isBack = try bench.dump() == before
        #expect(isBack)
    }

    // MARK: --ship and --store-uuid

    private let identifier = "0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D"

    private func make(_ store: String, _ options: [String]) async throws -> Data {
        _ = try bench.runs.folder.write("key,name\n0,Burn\n1,Cut\n", to: "in.csv")
        let result = await bench.runs.run(
            ["import", "@in.csv", "--model", "@Model.json", "--store", "@" + store, "--entity", "Injury"] + options)
        #expect(result.code == 0, "\(result.messages)")
        #expect(result.ledger == ImportBench.ledger(2, created: 2))
        return try bench.bytes(store)
    }

    @Test func theSameInputShipsTheSameBytes() async throws {
        let first = try await make("A.sqlite", ["--ship"])
        let second = try await make("B.sqlite", ["--ship"])
        let areSame = first == second
        #expect(areSame)
        #expect(try bench.files == ["A.sqlite", "B.sqlite", "Seed.sqlite"])
        #expect(try bench.text("PRAGMA journal_mode", in: "A.sqlite") == "delete")
        #expect(try bench.text("PRAGMA freelist_count", in: "A.sqlite") == "0")
        #expect(try bench.text("PRAGMA integrity_check", in: "A.sqlite") == "ok")
        let derived = try bench.text("SELECT Z_UUID FROM Z_METADATA", in: "A.sqlite")
        #expect(derived != nil && derived != identifier)
        let named = try await make("C.sqlite", ["--ship", "--store-uuid", identifier.lowercased()])
        #expect(try bench.text("SELECT Z_UUID FROM Z_METADATA", in: "C.sqlite") == identifier)
        let isOther = named != first
        #expect(isOther)
    }

    @Test func aNewStoreHasTheUUIDThatIsAskedFor() async throws {
        _ = try await make("A.sqlite", ["--store-uuid", identifier])
        #expect(try bench.text("SELECT Z_UUID FROM Z_METADATA", in: "A.sqlite") == identifier)
    }

    /// A store with a write-ahead log becomes one file.
    @Test func anOldStoreIsShippedWithWhatIsNew() async throws {
        let uuid = try bench.text("SELECT Z_UUID FROM Z_METADATA")
        let connection = try Connection(path: bench.runs.path("Seed.sqlite"), mode: .readWrite)
        let mode = try connection.text(pragma: "journal_mode = wal")
        #expect(mode == "wal")
        try connection.close()
        let result = try await bench.run(change, "Patient", update + ["--ship"])
        #expect(result.code == 0, "\(result.messages)")
        #expect(try bench.files == ["Seed.sqlite"])
        #expect(try bench.text("PRAGMA journal_mode") == "delete")
        #expect(try bench.text("SELECT Z_UUID FROM Z_METADATA") == uuid)
        #expect(try bench.patients == ["Ann,45,Burn", "Bob,,", "Cid,7,Fracture"])
    }

    @Test func aStoreThatIsRefusedIsNotShipped() async throws {
        let before = try bench.bytes()
        let result = try await bench.run("name,age\nCid,x\n", "Patient", ["--ship", "--store-uuid", identifier])
        #expect(result.code == 65)
        #expect(try bench.bytes() == before)
        let tried = try await bench.run("name,age\nCid,1\n", "Patient", ["--ship", "--dry-run"])
        #expect(tried.code == 0)
        #expect(try bench.bytes() == before)
    }
}
