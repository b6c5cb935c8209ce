import Foundation
import GranarySQLite
import TestSupport
import Testing

/// `--key`, `--on-conflict` and `--prune`: rows whose objects the store has already.
@Suite struct ImportUpsertTests {
    private let bench: ImportBench

    init() throws { bench = try ImportBench() }

    static let policies: [(String, String, [String])] = [
        (
            "update", ImportBench.ledger(3, created: 1, updated: 1, unchanged: 1),
            ["Ann,45,Fracture", "Bob,,", "Cid,7,"]
        ),
        ("skip", ImportBench.ledger(3, created: 1, skipped: 2), ["Ann,44,Fracture", "Bob,,", "Cid,7,"]),
        // What no column says takes its default.
        ("replace", ImportBench.ledger(3, created: 1, updated: 1, unchanged: 1), ["Ann,45,", "Bob,,", "Cid,7,"]),
    ]

    @Test(arguments: policies)
    func rowsOfStoredObjects(_ policy: String, _ ledger: String, _ patients: [String]) async throws {
        let result = try await bench.run(
            "name,age\nAnn,45\nBob,\nCid,7\n", "Patient", ["--key", "name", "--on-conflict", policy])
        #expect(result.code == 0, "\(result.messages)")
        #expect(result.ledger == ledger)
        #expect(try bench.patients == patients)
    }

    @Test func withoutAPolicyTheyAreRejected() async throws {
        let before = try bench.bytes()
        let result = try await bench.run("name,age\nAnn,45\nBob,\nCid,7\n", "Patient", ["--key", "name"])
        #expect(result.code == 65)
        let file = bench.runs.path("in.csv")
        #expect(
            result.lines == [
                "\(file):2:1: error: Patient.name: an object with this name is in the store already [unique.exists]",
                "  help: --on-conflict update",
                "\(file):3:1: error: Patient.name: an object with this name is in the store already [unique.exists]",
                "  help: --on-conflict update",
                "granary: error: nothing was imported; \(bench.runs.path("Seed.sqlite")) is unchanged",
                ImportBench.ledger(3, skipped: 1, rejected: 2),
            ])
        #expect(try bench.bytes() == before)
    }

    /// An entity with a uniqueness constraint needs no `--key`.
    @Test func theConstraintIsTheKey() async throws {
        let result = try await bench.run(
            "key,name\n7,Burn\n1,Fracture\n2,Cut\n", "Injury", ["--on-conflict", "update"])
        #expect(result.code == 0, "\(result.messages)")
        #expect(result.ledger == ImportBench.ledger(3, created: 1, updated: 1, unchanged: 1))
        #expect(try bench.injuries == ["7,Burn", "1,Fracture", "2,Cut"])
    }

    @Test func aRunThatChangesNothingWritesNothing() async throws {
        let csv = "name,age,injury\nAnn,45,Burn\nBob,,\nCid,7,Fracture\n"
        let options = ["--key", "name", "--on-conflict", "update", "--prune"]
        #expect(try await bench.run(csv, "Patient", options).code == 0)
        let before = try bench.bytes()
        for more in [[], ["--revertible"], ["--mode", "keep-good", "--rejects", "@bad.csv"]] as [[String]] {
            let again = try await bench.run(csv, "Patient", options + more)
            #expect(again.code == 0, "\(again.messages)")
            let store = bench.runs.path("Seed.sqlite")
            #expect(
                again.lines == [
                    "granary: nothing has changed; \(store) was not written", ImportBench.ledger(3, unchanged: 3),
                ], "\(more)")
            let isSame = try bench.bytes() == before
            #expect(isSame, "\(more)")
            #expect(try bench.files == ["Seed.sqlite"], "\(more)")
        }
    }

    @Test("A store to ship that a run does not change keeps its bytes, unless it has a write-ahead log")
    func shippingWithoutChanges() async throws {
        let csv = "name,age,injury\nAnn,45,Burn\nBob,,\nCid,7,Fracture\n"
        let options = ["--key", "name", "--on-conflict", "update", "--ship"]
        let store = bench.runs.path("Seed.sqlite")
        #expect(try await bench.run(csv, "Patient", options).code == 0)
        let before = try bench.bytes()
        let again = try await bench.run(csv, "Patient", options)
        #expect(again.lines.first == "granary: nothing has changed; \(store) was not written")
        let isSame = try bench.bytes() == before
        #expect(isSame)
        // Another UUID is a change.
        let uuid = "0F8FAD5B-D9CB-469F-A165-70867728950E"
        let renamed = try await bench.run(csv, "Patient", options + ["--store-uuid", uuid])
        #expect(renamed.lines.first == "granary: nothing has changed; \(store) was only prepared for shipping")
        let connection = try Connection(path: store, mode: .readWrite)
        #expect(try connection.text(pragma: "journal_mode = WAL") == "wal")
        try connection.close()
        let wal = try await bench.run(csv, "Patient", options)
        #expect(wal.lines.first == "granary: nothing has changed; \(store) was only prepared for shipping")
        let bytes = try bench.bytes()
        // Bytes 18 and 19 are 2 in WAL mode.
        #expect(bytes[18] == 1 && bytes[19] == 1)
        #expect(try bench.files == ["Seed.sqlite"])
    }

    @Test func duplicatesInTheSourceAreNamedWithBothLines() async throws {
        let result = try await bench.run(
            "name,age\nAnn,45\nCid,1\nAnn,46\nCid,2\n", "Patient", ["--key", "name", "--on-conflict", "update"])
        let file = bench.runs.path("in.csv")
        #expect(result.code == 65)
        #expect(
            result.lines.prefix(2) == [
                "\(file):4:1: error: Patient.name: \(file):2 has the same name [unique.duplicate]",
                "\(file):5:1: error: Patient.name: \(file):3 has the same name [unique.duplicate]",
            ])
        #expect(result.ledger == ImportBench.ledger(4, skipped: 2, rejected: 2))
    }

    @Test func aRecordWithoutAKeyIsRejected() async throws {
        let options = ["--key", "name,age", "--on-conflict", "update"]
        let result = try await bench.run("name,age\nAnn,44\nBob,\n", "Patient", options)
        #expect(result.code == 65)
        #expect(result.messages.contains(":3:5: error: Patient.age: "), "\(result.messages)")
        #expect(result.messages.contains("[value.missing]"), "\(result.messages)")
        let column = try await bench.run("name\nAnn\n", "Patient", options)
        #expect(column.code == 65 && column.messages.contains("[header.missing]"), "\(column.messages)")
    }

    // MARK: --prune

    private let pruning = ["--key", "name", "--on-conflict", "update", "--prune"]

    @Test func whatNoRowHasIsPruned() async throws {
        let before = try bench.bytes()
        let tried = try await bench.run("name\nAnn\n", "Patient", pruning + ["--dry-run"])
        #expect(
            tried.lines == [
                "dry run: 0 new, 0 changed, 1 deleted, 0 rejected", "  delete Patient/p2",
                "granary: dry run: nothing was stored", ImportBench.ledger(1, unchanged: 1),
            ])
        #expect(try bench.bytes() == before)
        let result = try await bench.run("name\nAnn\n", "Patient", pruning + ["--report", "@report.json"])
        #expect(result.code == 0)
        #expect(
            result.lines == [
                "granary: deleting 1 Patient missing from the files: p2", "pruned 1 Patient: p2",
                ImportBench.ledger(1, unchanged: 1),
            ])
        #expect(try bench.patients == ["Ann,44,Fracture"])
        let report = try bench.report
        #expect(report["pruned"] as? Int == 1 && report["changeCount"] as? Int == 1)
        let change = try #require((report["changes"] as? [[String: Any]])?.first)
        #expect(change["action"] as? String == "delete" && change["id"] as? String == "Patient/p2")
    }

    /// By its delete rules: patients lose the injury that goes.
    @Test func whatRefersToAPrunedObjectLosesIt() async throws {
        let result = try await bench.run("key,name\n0,Burn\n", "Injury", ["--on-conflict", "update", "--prune"])
        #expect(
            result.lines == [
                "granary: deleting 1 Injury missing from the files: \"Fracture\"", "pruned 1 Injury: p2",
                ImportBench.ledger(1, unchanged: 1),
            ])
        #expect(try bench.injuries == ["0,Burn"])
        #expect(try bench.patients == ["Ann,44,", "Bob,,"])
    }

    @Test func nothingIsPrunedWhereRowsAreRejected() async throws {
        let result = try await bench.run("name,age\nAnn,x\n", "Patient", pruning + ["--mode", "keep-good"])
        #expect(result.code == 1)
        #expect(result.messages.contains("warning: "), "\(result.messages)")
        #expect(result.messages.contains("[prune.skipped]"), "\(result.messages)")
        #expect(result.ledger == ImportBench.ledger(1, rejected: 1))
        #expect(try bench.patients == ["Ann,44,Fracture", "Bob,,"])
    }

    // MARK: Usage

    @Test(arguments: [
        ["--key", "nme"], ["--mode", "keep-good", "--rejects", "@in.csv"],
    ])
    func wrongUsageReadsNothing(_ options: [String]) async throws {
        let before = try bench.bytes()
        let result = try await bench.run("name,age\nAnn,45\n", "Patient", options)
        #expect(result.code == 64, "\(result.messages)")
        #expect(try bench.bytes() == before)
        #expect(try bench.files == ["Seed.sqlite"])
        #expect(try bench.runs.text("in.csv") == "name,age\nAnn,45\n")
    }
}

@Suite struct ImportUpsertLongTests {
    @Test(arguments: [
        ["--on-conflict", "update"], ["--key", "name", "--prune"], ["--on-missing", "injry=null"],
        ["--links", "injury"], ["--rejects", "@bad.csv"], ["--ship", "--revertible"],
        ["--key", "nme", "--on-conflict", "update"], ["--prune"], ["--key", "name", "--on-conflict", "merge"],
        ["--on-missing", "maybe"], ["--on-missing", "injury=maybe"], ["--on-missing", "=null"], ["--links", "none"],
        ["--max-rejects", "1"], ["--mode", "keep-good", "--max-rejects=-1"],
        ["--mode", "keep-good", "--rejects", "@Seed.sqlite"], ["--mode", "keep-good", "--rejects", "@Model.json"],
        ["--mode", "keep-good", "--rejects", "-"], ["--mode", "keep-good", "--rejects", "@bad.csv.gz"],
        ["--mode", "keep-good", "--rejects", "@bad.csv", "--report", "@bad.csv"], ["--store-uuid", "x"],
        ["--mode", "some"],
    ])
    func wrongUsageReadsNothing(_ options: [String]) async throws {
        try await ImportUpsertTests().wrongUsageReadsNothing(options)
    }
}
