import Foundation
import TestSupport
import Testing

/// `--mode keep-good`: good rows go in, bad ones into a file that completes the import once it is mended.
@Suite struct ImportKeepGoodTests {
    private let bench: ImportBench

    init() throws { bench = try ImportBench() }

    private let keepGood = ["--mode", "keep-good", "--rejects", "@bad.csv"]
    /// Two valid records. The others have an invalid value, break a rule, repeat a key, and have a key of the store.
    private let mixed = "key,name\n2,Cut\nx,Cold\n-1,Heat\n3,Cut\n4,Burn\n5,Bite\n"
    private let mended = "key,name\n6,Cold\n1,Heat\n3,Cut 2\n4,Burn 2\n"

    @Test func mendedRejectsCompleteTheImport() async throws {
        let result = try await bench.run(mixed, "Injury", keepGood)
        let file = bench.runs.path("in.csv")
        #expect(result.code == 1)
        #expect(
            result.lines.dropFirst(4) == [
                "  help: --on-conflict update",
                "rejected records are in \(bench.runs.path("bad.csv")), \(bench.runs.path("bad.csv.reasons.jsonl"))",
                ImportBench.ledger(6, created: 2, rejected: 4),
            ])
        for (line, place) in zip(result.lines, ["3:1", "4:1", "5:3", "6:3"]) {
            #expect(line.hasPrefix("\(file):\(place): error: Injury."), "\(line)")
        }
        #expect(result.messages.contains("\(file):2 has the same name [unique.duplicate]"))
        #expect(try bench.runs.text("bad.csv") == "key,name\nx,Cold\n-1,Heat\n3,Cut\n4,Burn\n")
        let reasons = try bench.runs.text("bad.csv.reasons.jsonl").split(separator: "\n").map { line in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return "\(object["line"] as? Int ?? 0) \(object["code"] as? String ?? "")"
        }
        #expect(
            reasons.sorted() == ["3 value.syntax", "4 value.tooSmall", "5 unique.duplicate", "6 unique.exists"])
        #expect(try bench.injuries == ["0,Burn", "1,Fracture", "2,Cut", "5,Bite"])

        _ = try bench.runs.folder.write(mended, to: "bad.csv")
        let rest = await bench.run(["@bad.csv", "--entity", "Injury"])
        #expect(rest.code == 0, "\(rest.messages)")
        #expect(rest.ledger == ImportBench.ledger(4, created: 4))
        #expect(
            try bench.injuries == [
                "0,Burn", "1,Fracture", "2,Cut", "5,Bite", "6,Cold", "1,Heat", "3,Cut 2", "4,Burn 2",
            ])
    }

    @Test(arguments: [("3", Int32(65)), ("4", 1)])
    func pastTheLimitNothingIsImported(_ limit: String, _ code: Int32) async throws {
        let before = try bench.bytes()
        let result = try await bench.run(mixed, "Injury", keepGood + ["--max-rejects", limit])
        #expect(result.code == code, "\(result.messages)")
        guard code == 65 else {
            #expect(try bench.files.count == 3)
            return
        }
        #expect(result.messages.contains("4 records are rejected; the limit is \(limit)"))
        #expect(result.messages.contains("[limit.exceeded]"))
        #expect(result.messages.contains("granary: error: nothing was imported; "))
        #expect(result.ledger == ImportBench.ledger(6, skipped: 2, rejected: 4))
        #expect(try bench.bytes() == before)
        #expect(try bench.files == ["Seed.sqlite"])
    }

    @Test func withoutRejectsThereIsNoFile() async throws {
        _ = try bench.runs.folder.write("old", to: "bad.csv")
        let result = try await bench.run("key,name\n2,Cut\n", "Injury", keepGood + ["--force"])
        #expect(result.code == 0)
        #expect(result.messages == ImportBench.ledger(1, created: 1) + "\n")
        #expect(try bench.files == ["Seed.sqlite"])
    }

    /// A broken row is no reason to refuse all, a header that nobody understands is.
    @Test(arguments: [
        ("key,name\n2,Cut\n3\n", Int32(1)), ("key,nane\n2,Cut\n", 65),
    ])
    func brokenSyntaxIsRejectedByTheRow(_ csv: String, _ code: Int32) async throws {
        let result = try await bench.run(csv, "Injury", keepGood)
        #expect(result.code == code, "\(result.messages)")
        if code == 1 {
            #expect(result.ledger == ImportBench.ledger(2, created: 1, rejected: 1))
            #expect(try bench.runs.text("bad.csv") == csv.replacing("2,Cut\n", with: ""))
        } else {
            #expect(try bench.files == ["Seed.sqlite"])
        }
    }

    @Test func aDryRunWritesNoRejects() async throws {
        let before = try bench.bytes()
        let result = try await bench.run(mixed, "Injury", keepGood + ["--dry-run"])
        #expect(result.code == 1)
        #expect(
            result.lines.dropFirst(4) == [
                "  help: --on-conflict update",
                "dry run: 2 new, 0 changed, 0 deleted, 4 rejected", "granary: dry run: nothing was stored",
                ImportBench.ledger(6, created: 2, rejected: 4),
            ])
        #expect(try bench.bytes() == before)
        #expect(try bench.files == ["Seed.sqlite"])
    }

    /// To the last row of a chain, in any order of the files.
    @Test(arguments: [["@in/Patient.csv", "@in/Injury.csv"]])
    func whatRefersToARejectedRowIsRejectedToo(_ files: [String]) async throws {
        let folder = bench.runs.folder.url.appending(path: "in")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try bench.runs.folder.write("key,name\n2,Cut\nx,Cold\n", to: "in/Injury.csv")
        _ = try bench.runs.folder.write("name,injury\nCid,Cut\nDee,Cold\nEve,\n", to: "in/Patient.csv")
        let result = await bench.run(files + keepGood)
        #expect(result.code == 1)
        #expect(result.ledger == ImportBench.ledger(5, created: 3, rejected: 2))
        let injuries = bench.runs.path("in/Injury.csv")
        #expect(
            result.messages.contains(
                "in/Patient.csv:3:5: error: Patient.injury: refers to the record at \(injuries):3, which is rejected"),
            "\(result.messages)")
        #expect(try bench.patients == ["Ann,44,Fracture", "Bob,,", "Cid,,Cut", "Eve,,"])
        let texts = [try bench.runs.text("bad.csv"), try bench.runs.text("bad.2.csv")]
        #expect(texts.sorted() == ["key,name\nx,Cold\n", "name,injury\nDee,Cold\n"])
    }

    /// A row that would change an object and is bad leaves the object as it was.
    @Test func badChangesAreRejectedAndOthersMade() async throws {
        let result = try await bench.run(
            "name,age,injury\nAnn,200,Burn\nBob,30,Burn\nCid,1,None\n", "Patient",
            keepGood + ["--key", "name", "--on-conflict", "update"])
        #expect(result.code == 1)
        #expect(result.ledger == ImportBench.ledger(3, updated: 1, rejected: 2))
        #expect(try bench.patients == ["Ann,44,Fracture", "Bob,30,Burn"])
        #expect(try bench.runs.text("bad.csv") == "name,age,injury\nAnn,200,Burn\nCid,1,None\n")
    }

    @Test func rejectsHaveTheBytesOfTheirEncoding() async throws {
        let rejected = Array("key,name\nx,Fra".utf8) + [0xE7] + Array("ture\n".utf8)
        let bytes = rejected + Array("2,Pr".utf8) + [0xE9] + Array("s\n".utf8)
        _ = try bench.runs.folder.write(Data(bytes), to: "in.csv")
        let arguments = ["--entity", "Injury", "--encoding", "latin1"]
        let result = await bench.run(["@in.csv"] + arguments + keepGood)
        #expect(result.code == 1, "\(result.messages)")
        #expect(try bench.bytes("bad.csv") == Data(rejected))
        #expect(try bench.injuries == ["0,Burn", "1,Fracture", "2,Prés"])
    }

    @Test func manyProblemsAreSummedUp() async throws {
        let rows = (0..<30).map { "x\($0),Injury \($0)\n-1,Other \($0)\n" }.joined()
        let result = try await bench.run("key,name\n" + rows, "Injury", keepGood)
        let file = bench.runs.path("in.csv")
        #expect(result.lines.count { $0.contains(": error: Injury.key: ") } == 10)
        #expect(
            result.lines.suffix(7) == [
                "… and 25 more of value.syntax Injury.key", "… and 25 more of value.tooSmall Injury.key",
                "60 in all: 60 errors; by rule:",
                "  30 × value.syntax Injury.key: \(file):2, 4, 6, 8, 10, …",
                "  30 × value.tooSmall Injury.key: \(file):3, 5, 7, 9, 11, …",
                "rejected records are in \(bench.runs.path("bad.csv")), \(bench.runs.path("bad.csv.reasons.jsonl"))",
                ImportBench.ledger(60, rejected: 60),
            ])
        #expect(try bench.runs.text("bad.csv") == "key,name\n" + rows)
    }
}

@Suite struct ImportKeepGoodLongTests {
    @Test(arguments: [("0", Int32(65)), ("5", 1)])
    func pastTheLimitNothingIsImported(_ limit: String, _ code: Int32) async throws {
        try await ImportKeepGoodTests().pastTheLimitNothingIsImported(limit, code)
    }

    @Test(arguments: [
        ("key,name\n2,Cut\n3,\"Cold\n", Int32(1)), ("key,name\n2,Cut\n3,\"a\"b\n", 1), ("", 65),
    ])
    func brokenSyntaxIsRejectedByTheRow(_ csv: String, _ code: Int32) async throws {
        try await ImportKeepGoodTests().brokenSyntaxIsRejectedByTheRow(csv, code)
    }

    @Test func whatRefersToARejectedRowIsRejectedToo() async throws {
        try await ImportKeepGoodTests().whatRefersToARejectedRowIsRejectedToo(["@in/Injury.csv", "@in/Patient.csv"])
    }
}
