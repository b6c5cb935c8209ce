import Foundation
import TestSupport
import Testing

/// `granary import` as scripts see it: exit codes, streams, the ledger, the report.
@Suite struct ImportCommandTests {
    private let runs: CommandRun
    private let base = ["import", "--model", "@Model.json", "--store", "@New.sqlite"]

    init() throws {
        runs = try CommandRun()
        try runs.writeModel()
        _ = try runs.folder.write("key,name\n0,Burn\n1,Fracture\n", to: "good.csv")
        _ = try runs.folder.write("key,name\n0,Burn\n-1,\nx,Cut\n", to: "bad.csv")
    }

    private func lastLine(_ result: CommandRun.Result) -> String {
        result.messages.split(separator: "\n").last.map(String.init) ?? ""
    }

    @Test func rowsMakeAStoreAndNothingElseIsPrinted() async throws {
        let result = await runs.run(base + ["@good.csv", "--entity", "Injury"])
        #expect(result.code == 0 && result.output.isEmpty)
        #expect(result.messages == "read 2 = created 2 + updated 0 + unchanged 0 + skipped 0 + rejected 0\n")
        #expect(try runs.names == ["Model.json", "New.sqlite", "bad.csv", "good.csv"])
    }

    @Test func everyProblemIsNamedAndNothingIsMade() async throws {
        let result = await runs.run(base + ["@bad.csv", "--entity", "Injury"])
        let file = runs.path("bad.csv")
        #expect(result.code == 65)
        #expect(
            result.messages == """
                \(file):3:1: error: Injury.key: -1 is smaller than the minimum 0 [value.tooSmall]
                \(file):3:4: error: Injury.name: a value is required [value.missing]
                \(file):4:1: error: Injury.key: "x" is not an Integer 16: not a digit; expected digits alone, such as 1234 [value.syntax]
                granary: error: nothing was imported; \(runs.path("New.sqlite")) was not created
                read 3 = created 0 + updated 0 + unchanged 0 + skipped 1 + rejected 2

                """)
        #expect(!runs.exists("New.sqlite"))
    }

    @Test func theReportHasTheContractsKeys() async throws {
        let result = await runs.run(base + ["@bad.csv", "--entity", "Injury", "--report", "@report.json"])
        #expect(result.code == 65)
        let json = try JSONSerialization.jsonObject(with: Data(runs.text("report.json").utf8))
        let report = try #require(json as? [String: Any])
        let counts = ["read", "created", "updated", "unchanged", "skipped", "rejected", "diagnosticCount"]
        #expect(counts.map { report[$0] as? Int } == [3, 0, 0, 0, 1, 2, 3])
        #expect(report["entity"] as? String == "Injury" && report["dryRun"] as? Bool == false)
        #expect(report["store"] as? String == runs.path("New.sqlite") && report["seconds"] is Double)
        let first = try #require((report["diagnostics"] as? [[String: Any]])?.first)
        #expect(first["severity"] as? String == "error" && first["code"] as? String == "value.tooSmall")
        #expect(first["file"] as? String == runs.path("bad.csv") && first["line"] as? Int == 3)
        #expect(first["column"] as? Int == 1 && first["record"] as? Int == 2 && first["field"] as? String == "key")
        #expect(first["entity"] as? String == "Injury" && first["property"] as? String == "key")
        #expect(first["value"] as? String == "-1" && first["coreDataCode"] as? Int == 1620)
    }

    @Test(arguments: [
        (["--max-diagnostics", "1"], 1, "… and 2 more"), ([], 3, ""),
    ])
    func diagnosticsAreLimitedAndCountedWhole(_ options: [String], _ shown: Int, _ rest: String) async {
        let result = await runs.run(base + ["@bad.csv", "--entity", "Injury"] + options)
        let lines = result.messages.split(separator: "\n").map(String.init)
        #expect(lines.count { $0.contains(": error: Injury.") } == shown)
        #expect(lines.first { $0.hasPrefix("…") } ?? "" == rest)
    }

    @Test func diagnosticsAreJSONWhenAskedFor() async throws {
        for (file, code, lines) in [("@bad.csv", Int32(65), 3), ("@none.csv", 66, 0)] {
            let result = await runs.run(base + [file, "--entity", "Injury", "--diagnostics", "json"])
            #expect(result.code == code)
            let objects = result.messages.split(separator: "\n").filter { $0.hasPrefix("{") }
            #expect(objects.count == lines)
            for line in objects { #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any]) }
            #expect(lastLine(result).hasPrefix("read "))
        }
    }

    @Test(arguments: [
        ["@good.csv", "--entity", "Injuri"], ["@good.csv", "--entity", "Injury", "--report", "@good.csv"],
    ])
    func wrongUsageReadsNothing(_ arguments: [String]) async throws {
        let result = await runs.run(base + arguments)
        #expect(result.code == 64, "\(result.messages)")
        #expect(try runs.names == ["Model.json", "bad.csv", "good.csv"])
        #expect(try runs.text("good.csv") == "key,name\n0,Burn\n1,Fracture\n")
    }

    @Test func aTableOfTermsNeedsNoFile() async throws {
        let options = ["--terms", "Burn%%C-Spine", "--delimiter", "%%", "--attribute", "name", "--ordinal", "key"]
        let result = await runs.run(base + ["--entity", "Injury"] + options + ["--ordinal-start", "5"])
        #expect(result.code == 0)
        #expect(try runs.csv("New.sqlite", "Injury") == "key,name\n5,Burn\n6,C-Spine\n")
    }

    @Test func termsMayHaveSeveralAttributes() async throws {
        let options = ["--delimiter", "%", "--attribute", "key,name", "--field-delimiter", "="]
        let result = await runs.run(base + ["--entity", "Injury", "--terms", "7=Burn%9=C-Spine"] + options)
        #expect(result.code == 0, "\(result.messages)")
        let out = await runs.run(
            ["export", "--model", "@Model.json", "--store", "@New.sqlite", "--entity", "Injury", "--format", "terms"]
                + ["--output", "@out.terms"] + options)
        #expect(out.code == 0, "\(out.messages)")
        #expect(try runs.text("out.terms") == "7=Burn%9=C-Spine\n")
        let short = await runs.run(base + ["--entity", "Injury", "--terms", "1=Burn%Cut"] + options)
        #expect(short.code == 65)
        #expect(short.messages.contains("--terms:1:8: error: "))
        #expect(short.messages.contains("term 2 has only 1, not 2 parts (key, name); \"=\" stands between them"))
    }

    @Test func aDryRunKeepsNothingAndReportsAll() async throws {
        let result = await runs.run(
            base + ["@good.csv", "--entity", "Injury", "--dry-run", "--report", "@report.json"])
        #expect(result.code == 0)
        #expect(lastLine(result) == "read 2 = created 2 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
        #expect(!runs.exists("New.sqlite"))
        #expect(try runs.text("report.json").contains("\"dryRun\" : true"))
    }

    @Test func aReportThatCannotBeWrittenShowsBeforeTheStoreIsMade() async throws {
        let result = await runs.run(base + ["@good.csv", "--entity", "Injury", "--report", "@none/report.json"])
        #expect(result.code == 73)
        #expect(!runs.exists("New.sqlite"))
    }

    @Test(arguments: [
        ("utf16.csv", "", "encoding.invalid"), ("cut.json", "[{\"key\":0", "json.syntax"),
    ])
    func brokenInputIsRefusedWithItsPlace(_ name: String, _ text: String, _ code: String) async throws {
        let data = name == "utf16.csv" ? (text + "key,name\n").data(using: .utf16LittleEndian) : Data(text.utf8)
        _ = try runs.folder.write(try #require(data), to: name)
        let result = await runs.run(base + ["@" + name, "--entity", "Injury"])
        #expect(result.code == 65, "\(result.messages)")
        #expect(
            result.messages.contains("[\(code)]") || result.messages.contains("[limit.exceeded]"), "\(result.messages)")
        #expect(result.messages.hasPrefix(runs.path(name) + ":"))
        #expect(!runs.exists("New.sqlite"))
    }

    @Test func anyEncodingIsRead() async throws {
        let bytes = Array("key,name\n0,Fra".utf8) + [0xE7] + Array("ture\n".utf8)
        _ = try runs.folder.write(Data(bytes), to: "latin.csv")
        let wide = try #require("\u{FEFF}key,name\n1,Zoë\n".data(using: .utf16LittleEndian))
        _ = try runs.folder.write(wide, to: "wide.csv")
        let refused = await runs.run(base + ["@latin.csv", "--entity", "Injury"])
        #expect(
            refused.code == 65 && refused.messages.contains("latin.csv:2:6: error: the byte 0xE7 is not valid UTF-8"))
        let latin = await runs.run(base + ["@latin.csv", "--entity", "Injury", "--encoding", "latin1"])
        #expect(latin.code == 0, "\(latin.messages)")
        let marked = await runs.run(base + ["@wide.csv", "--entity", "Injury"])
        #expect(marked.code == 0, "\(marked.messages)")
        #expect(try runs.csv("New.sqlite", "Injury") == "key,name\n0,Fraçture\n1,Zoë\n")
    }

    @Test func gzipAndPatternsNeedNoShell() async throws {
        let folder = runs.folder.url.appending(path: "in")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try runs.folder.write(Data(Gzip.stored(Array("key,name\n2,Cut\n".utf8))), to: "in/Injury.csv.gz")
        _ = try runs.folder.write("name,age\nAnn,44\n", to: "in/Patient.csv")
        let result = await runs.run(base + ["@in/*"])
        #expect(result.code == 0, "\(result.messages)")
        #expect(lastLine(result).hasPrefix("read 2 = created 2 "))
        let none = await runs.run(base + ["@none/*.csv", "--entity", "Injury"])
        #expect(none.code == 66, "\(none.messages)")
    }

    @Test(arguments: [
        (["@good.csv", "--entity", "Injury", "--encoding", "windows1253"], "windows-1252"),
        (["@list.plist", "--entity", "Injury", "--encoding", "utf-8"], "property lists"),
    ])
    func wrongEncodingsAreUsage(_ words: [String], _ text: String) async throws {
        _ = try runs.folder.write("<plist version=\"1.0\"><array/></plist>", to: "list.plist")
        let result = await runs.run(base + words)
        #expect(result.code == 64 && result.messages.contains(text), "\(result.messages)")
    }
}

@Suite struct ImportCommandLongTests {
    @Test(arguments: [
        (["--max-diagnostics", "1", "--quiet"], 1, "… and 2 more"), (["--max-diagnostics", "0"], 0, "… and 3 more"),
    ])
    func diagnosticsAreLimitedAndCountedWhole(_ options: [String], _ shown: Int, _ rest: String) async throws {
        try await ImportCommandTests().diagnosticsAreLimitedAndCountedWhole(options, shown, rest)
    }

    @Test(arguments: [
        ["@good.csv", "--entity", "Injury", "--map", "key"],
        ["@good.csv"], ["--entity", "Injury"], ["@good.csv", "--entity", "Injury", "--map", "key=nokey"],
        ["--entity", "Injury", "--terms", "a%b", "--delimiter", "%", "--attribute", "nmae"],
        ["@good.csv", "--entity", "Injury", "--skip-rows", "-1"],
        ["@good.csv", "--entity", "Injury", "--lookup", "x=y"],
        ["@good.csv", "--entity", "Injury", "--time-zone", "X"],
        ["@good.csv", "--entity", "Injury", "--delimiter", ";;"], ["-", "-", "--format", "csv", "--entity", "Injury"],
        ["@good.csv", "--entity", "Injury", "--encode"],
        ["@good.csv", "--entity", "Injury", "--report", "@New.sqlite"],
        ["@good.csv", "--entity", "Injury", "--report", "@Model.json"],
        ["--entity", "Injury", "--terms", "a%b", "--delimiter", "%"],
        ["--entity", "Injury", "--terms", "a%b", "--delimiter", "%", "--attribute", "name", "--ordinal", "kee"],
        ["--entity", "Injury", "--terms", "a%b", "--attribute", "name"],
        ["--entity", "Injury", "--terms", "0=a", "--delimiter", "%", "--attribute", "key,name"],
        ["--entity", "Injury", "--terms", "a", "--delimiter", "%", "--attribute", "name", "--field-delimiter", "="],
        [
            "--entity", "Injury", "--terms", "a=b", "--delimiter", "%", "--attribute", "kee,name", "--field-delimiter",
            "=",
        ],
        ["@good.csv", "--entity", "Injury", "--terms", "a"],
    ])
    func wrongUsageReadsNothing(_ arguments: [String]) async throws {
        try await ImportCommandTests().wrongUsageReadsNothing(arguments)
    }

    @Test(arguments: [
        ("nul.csv", "key,name\n0,a\u{0}b\n", "encoding.invalid"), ("ragged.csv", "key,name\n0\n", "csv.ragged"),
        ("deep.json", String(repeating: "[", count: 100_000), "json.syntax"), ("empty.json", "", "json.syntax"),
        ("empty.plist", "", "plist.syntax"), ("empty.csv", "", "header.missing"),
        ("cut.csv", "key,name\n0,\"a\n", "csv.syntax"), ("cut.plist", "<plist><array><dict>", "plist.syntax"),
    ])
    func brokenInputIsRefusedWithItsPlace(_ name: String, _ text: String, _ code: String) async throws {
        try await ImportCommandTests().brokenInputIsRefusedWithItsPlace(name, text, code)
    }
}
