import ArgumentParser
import Foundation
import GranaryModel
import TestSupport
import Testing

@testable import GranaryCommands
@testable import GranarySeedPlans

/// `granary seed` as scripts see it.
@Suite struct SeedCommandTests {
    private let runs: CommandRun

    init() throws {
        runs = try CommandRun()
        try runs.writeModel()
        _ = try runs.folder.write("key,name\n0,Burn\n1,Fracture\n", to: "good.csv")
        _ = try runs.folder.write("key,name\n0,Burn\n-1,\nx,Cut\n", to: "bad.csv")
        _ = try runs.folder.write("name,age,injury\nAnn,44,Fracture\nBob,,\n", to: "patients.csv")
    }

    private func lastLine(_ result: CommandRun.Result) -> String {
        result.messages.split(separator: "\n").last.map(String.init) ?? ""
    }

    private static let plan = """
        model: Model.json
        store: ${STORE}
        variables: {STORE: New.sqlite}
        defaults: {on-conflict: update}
        imports:
          - {entity: Patient, file: patients.csv, lookup: {injury: name}, key: name}
          - {entity: Injury, file: good.csv}
        """

    @Test("--check advises prune for objects that no source has") func checkOfVanishedObjects() async throws {
        try FileManager.default.removeItem(atPath: runs.path("Model.json"))
        try runs.writeStore()
        _ = try runs.folder.write("key,name\n1,Fracture\n", to: "in.csv")
        func plan(_ more: String) throws {
            _ = try runs.folder.write(
                "store: Seed.sqlite\nimports:\n  - {entity: Injury, file: in.csv, on-conflict: update\(more)}\n",
                to: "p.yaml")
        }
        try plan("")
        let kept = await runs.run("seed", "@p.yaml", "--check")
        #expect(kept.code == 1 && kept.output.contains("add prune: true to the imports of Injury"), "\(kept.output)")
        try plan(", prune: true, max-prune: 100%")
        let pruned = await runs.run("seed", "@p.yaml", "--check")
        #expect(pruned.code == 1 && !pruned.output.contains("imports of Injury"), "\(pruned.output)")
    }

    @Test("--check lists what differs, changes nothing, and exits with 1") func check() async throws {
        _ = try runs.folder.write(Self.plan, to: "seed.yaml")
        let missing = await runs.run("seed", "@seed.yaml", "--check")
        #expect(missing.code == 1 && missing.output.hasSuffix("New.sqlite does not exist\n"), "\(missing.messages)")
        #expect(await runs.run("seed", "@seed.yaml").code == 0)
        let names = try runs.names
        func bytes() throws -> Data { try Data(contentsOf: URL(filePath: runs.path("New.sqlite"))) }
        let before = try bytes()
        let current = await runs.run("seed", "@seed.yaml", "--check")
        #expect(current.code == 0 && current.output.contains("New.sqlite is what "), "\(current.messages)")
        // A row that is gone, a changed one and a new one. A dry run does not notice the first.
        _ = try runs.folder.write("key,name\n0,Burn\n2,Cut\n", to: "good.csv")
        _ = try runs.folder.write("name,age,injury\nAnn,45,Burn\nBob,,\n", to: "patients.csv")
        let old = await runs.run("seed", "@seed.yaml", "--check")
        #expect(old.code == 1, "\(old.messages)")
        for text in ["Fracture", "Cut", "age", "B is what ", "add prune: true to the imports of Injury"] {
            #expect(old.output.contains(text), "\(text): \(old.output)")
        }
        #expect(try bytes() == before && runs.names == names)
        // A plan that makes no store.
        _ = try runs.folder.write("key,name\n-1,Burn\n", to: "good.csv")
        let refused = await runs.run("seed", "@seed.yaml", "--check")
        #expect(refused.code == 65 && refused.messages.contains("[value.tooSmall]"), "\(refused.messages)")
        #expect(await runs.run("seed", "@seed.yaml", "--check", "--dry-run").code == 64)
        #expect(try bytes() == before && runs.names == names)
    }

    @Test("--check says why the file of an equal store is not ready to ship") func checkOfShipping() async throws {
        let cover = Data(repeating: 7, count: 200_000).base64EncodedString()
        try runs.writeModel(
            ManagedObjectModel(entities: [
                EntityDescription(
                    "Book", [.attribute("isbn", .string, .required), .attribute("cover", .binary, .externalStorage)],
                    unique: [["isbn"]])
            ]), to: "Book.json")
        _ = try runs.folder.write("isbn,cover\n1,\(cover)\n", to: "books.csv")
        func plan(_ lines: String) throws {
            let text = "model: Book.json\nstore: B.sqlite\n\(lines)\ndefaults: {on-conflict: update}\n"
            _ = try runs.folder.write(text + "imports: [{entity: Book, file: books.csv}]\n", to: "seed.yaml")
        }
        func check() async -> CommandRun.Result { await runs.run("seed", "@seed.yaml", "--check") }
        try plan("")
        #expect(await runs.run("seed", "@seed.yaml").code == 0)
        #expect(await check().code == 0)
        try runs.execute("PRAGMA journal_mode = WAL", in: "B.sqlite")
        #expect(await check().code == 0)
        try plan("ship: true\nexternal: inline")
        let names = try runs.names
        let all = await check()
        #expect(all.code == 1, "\(all.messages)")
        #expect(
            all.output.contains(
                "B.sqlite is not ready to ship: its journal mode is WAL, its ledger has the dates of runs, 1 value is in "
                    + "external files; granary seed "), "\(all.output)")
        #expect(try runs.names == names)
        // External files alone, and none of it after a run.
        try plan("ship: true")
        #expect(await runs.run("seed", "@seed.yaml").code == 0)
        #expect(await check().code == 0)
        try plan("ship: true\nexternal: inline")
        let files = await check()
        #expect(
            files.code == 1 && files.output.contains("not ready to ship: 1 value is in external files;"),
            "\(files.output)")
        #expect(await runs.run("seed", "@seed.yaml").code == 0)
        #expect(await check().code == 0)
    }

    @Test func aPlanFillsAStoreAndIsUnchangedTheSecondTime() async throws {
        _ = try runs.folder.write(Self.plan, to: "seed.yaml")
        let first = await runs.run("seed", "@seed.yaml")
        #expect(first.code == 0 && first.output.isEmpty, "\(first.messages)")
        #expect(lastLine(first) == "read 4 = created 4 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
        let second = await runs.run("seed", "@seed.yaml")
        #expect(second.code == 0, "\(second.messages)")
        #expect(lastLine(second) == "read 4 = created 0 + updated 0 + unchanged 4 + skipped 0 + rejected 0")
    }

    @Test func variablesOfTheCommandLineGoFirst() async throws {
        _ = try runs.folder.write(Self.plan, to: "seed.yaml")
        let result = await runs.run("seed", "@seed.yaml", "--set", "STORE=Other.sqlite", "--report", "@report.json")
        #expect(result.code == 0, "\(result.messages)")
        #expect(runs.exists("Other.sqlite") && !runs.exists("New.sqlite"))
        let json = try JSONSerialization.jsonObject(with: Data(runs.text("report.json").utf8))
        #expect((json as? [String: Any])?["created"] as? Int == 4)
    }

    @Test func aDryRunKeepsNothing() async throws {
        _ = try runs.folder.write(Self.plan, to: "seed.yaml")
        let result = await runs.run("seed", "@seed.yaml", "--dry-run")
        #expect(result.code == 0, "\(result.messages)")
        #expect(lastLine(result) == "read 4 = created 4 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
        #expect(!runs.exists("New.sqlite"))
    }

    private static func twoStores(_ first: String, _ second: String) -> String {
        """
        model: Model.json
        stores:
          - {store: A.sqlite, imports: [{entity: Injury, file: \(first)}]}
          - {store: B.sqlite, imports: [{entity: Injury, file: \(second)}]}
        """
    }

    @Test func severalStoresAreOneReport() async throws {
        _ = try runs.folder.write(Self.twoStores("good.csv", "good.csv"), to: "seed.yaml")
        let result = await runs.run("seed", "@seed.yaml", "--report", "@report.json")
        #expect(result.code == 0, "\(result.messages)")
        #expect(lastLine(result) == "read 4 = created 4 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
        #expect(runs.exists("A.sqlite") && runs.exists("B.sqlite"))
        let json = try JSONSerialization.jsonObject(with: Data(runs.text("report.json").utf8)) as? [String: Any]
        let stores = try #require(json?["stores"] as? [[String: Any]])
        #expect(stores.map { $0["created"] as? Int } == [2, 2])
        #expect(stores.map { $0["store"] as? String } == [runs.path("A.sqlite"), runs.path("B.sqlite")])
    }

    @Test(arguments: [("good.csv", "bad.csv"), ("bad.csv", "good.csv")])
    func oneStoreThatIsRefusedRefusesAll(_ first: String, _ second: String) async throws {
        _ = try runs.folder.write(Self.twoStores(first, second), to: "seed.yaml")
        let result = await runs.run("seed", "@seed.yaml")
        #expect(result.code == 65, "\(result.messages)")
        #expect(lastLine(result) == "read 5 = created 0 + updated 0 + unchanged 0 + skipped 3 + rejected 2")
        #expect(result.messages.contains("bad.csv:3:1: error: Injury.key: -1"))
        let names = try runs.names
        #expect(names == ["Model.json", "bad.csv", "good.csv", "patients.csv", "seed.yaml"], "\(names)")
    }

    @Test func whatTheModelDoesNotHaveIsNamedInThePlan() async throws {
        let text =
            "model: Model.json\nstore: S.sqlite\nimports:\n  - {entity: Injuri, file: good.csv}\n  - {file: good.csv}\n"
        _ = try runs.folder.write(text, to: "seed.yaml")
        let result = await runs.run("seed", "@seed.yaml")
        #expect(result.code == 65)
        #expect(result.messages.contains("seed.yaml:4:5: error: "), "\(result.messages)")
        #expect(result.messages.contains("seed.yaml:5:12: error: "), "\(result.messages)")
        #expect(lastLine(result) == "read 0 = created 0 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
        #expect(!runs.exists("S.sqlite"))
    }

    static let wrong: [([String], Int32)] = [
        (["@seed.yaml", "--set", "X"], 64), (["@seed.yaml", "--report", "@good.csv"], 64),
        (["@seed.yaml", "--report", "@none/report.json"], 73), (["@gone.yaml"], 66),
        (["@none.yaml"], 66), (["@seed.yaml", "--set", "X=1"], 64),
        (["@seed.yaml", "--set", "STORE=a", "--set", "STORE=b"], 64), (["@seed.yaml", "--report", "@seed.yaml"], 64),
        (["@seed.yaml", "--busy-timeout", "-1"], 64), ([], 64),
    ]

    @Test(arguments: wrong.prefix(4))
    func wrongUseHasItsExitCode(_ arguments: [String], _ code: Int32) async throws {
        _ = try runs.folder.write(Self.plan, to: "seed.yaml")
        _ = try runs.folder.write(Self.plan.replacing("good.csv", with: "gone.csv"), to: "gone.yaml")
        let result = await runs.run(["seed"] + arguments)
        #expect(result.code == code, "\(result.messages)")
        #expect(!runs.exists("New.sqlite"))
        #expect(try runs.text("good.csv") == "key,name\n0,Burn\n1,Fracture\n")
    }

    /// The same words on the command line and in a plan are the same options.
    static let same: [([String], String)] = [
        (["--delimiter", ";"], "delimiter: ;"), (["--delimiter", "\\t"], "delimiter: \\t"),
        (["--quote", "'"], "quote: \"'\""), (["--comment", "#"], "comment: '#'"),
        (["--skip-rows", "3"], "skip-rows: 3"),
        (["--no-header", "--columns", "a,b"], "no-header: true\n    columns: a,b"),
        (["--encoding", "utf-16"], "encoding: utf-16"), (["--format", "tsv"], "format: tsv"),
        (["--allow-nul"], "allow-nul: true"), (["--map", "A=a"], "map: {A: a}"), (["--ignore", "c"], "ignore: c"),
        (["--constant", "a=NO"], "constant: {a: NO}"), (["--lookup", "r=a"], "lookup: {r: a}"),
        (["--lookup", "r=$id"], "lookup: {r: $id}"), (["--lookup", "r=a,b"], "lookup: {r: [a, b]}"),
        (["--list-separator", "|"], "list-separator: '|'"), (["--null", "-", "--null", ""], "null: ['-', '']"),
        (["--null-is-default"], "null-is-default: true"), (["--allow-rounding"], "allow-rounding: true"),
        (["--as-is"], "as-is: true"),
        (["--date-format", "seconds"], "date-format: seconds"),
        (["--date-format", "dd.MM.yyyy"], "date-format: dd.MM.yyyy"),
        (
            ["--date-format", "unix", "--date-format", "d.M.yyyy"], "date-format: [unix, d.M.yyyy]"
        ), (["--locale", "de"], "locale: de"), (["--dst", "later"], "dst: later"), (["--trim"], "trim: true"),
        (["--distinct"], "distinct: true"),
        (["--empty-is-null"], "empty-is-null: true"), (["--null-quoted"], "null-quoted: true"),
        (["--true", "ja", "--false", "nein"], "'true': ja\n    'false': nein"),
        (["--blank-lines", "null"], "blank-lines: 'null'"), (["--tokenizer", "libcsv"], "tokenizer: libcsv"),
        (["--ignore", ""], "ignore: ''"), (["--key", "a,b", "--key", "r=c,d"], "key: [a, b, 'r=c,d']"),
        (["--prune", "--max-prune", "5%"], "prune: true\n    max-prune: 5%"),
        (["--time-zone", "UTC"], "time-zone: UTC"), (["--binary", "hex"], "binary: hex"),
        (["--format", "json", "--records", "data.items"], "format: json\n    records: data.items"),
        (
            ["--format", "plist", "--records", "A=a", "--records", "B=b.c"],
            "format: plist\n    records: {A: a, B: b.c}"
        ),
        (
            ["--format", "json", "--records", "a", "--records", "b", "--record-key", "id"],
            "format: json\n    records: [a, b]\n    record-key: id"
        ),
        (["--table", "t"], "table: t"), (["--sql", "SELECT 1"], "sql: SELECT 1"),
        (["--ignore", "*", "--ignore", "a"], "ignore: ['*', a]"), (["--map", "a.b=c"], "map: {a.b: c}"),
        (["--spreadsheet"], "spreadsheet: true"), (["--missing-files", "null"], "missing-files: 'null'"),
        (["--null", "-", "--date-format", "unix"], "null: '-'\n    date-format: unix"),
        (["--decimal-separator", ","], "decimal-separator: ','"), (["--group-separator", ","], "group-separator: ','"),
    ]

    @Test(arguments: stride(from: 0, to: same.count, by: 12).map { same[$0] })
    func aPlanAndTheCommandLineMeanTheSame(_ arguments: [String], _ lines: String) throws {
        let command = try ImportCommand.parse(
            ["in.csv", "--model", "M", "--store", "S", "--entity", "E"] + arguments)
        let text = "model: M\nstore: S\nimports:\n  - entity: E\n    file: in.csv\n    \(lines)\n"
        let plan = try SeedPlan(bytes: Array(text.utf8), file: "plan.yaml", folder: "")
        let item = try #require(plan.stores.first?.imports.first)
        #expect(String(describing: item.options) == String(describing: try command.options()))
        #expect(String(describing: item.source) == String(describing: try command.sourceOptions()))
    }

    private static func options(of command: any ParsableCommand.Type) throws -> Set<String> {
        let dump = command._dumpHelp()
        let help = try #require(try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any])
        let command = try #require(help["command"] as? [String: Any])
        let arguments = try #require(command["arguments"] as? [[String: Any]])
        return Set(arguments.compactMap { ($0["preferredName"] as? [String: Any])?["name"] as? String })
            .subtracting(["help", "version", "h"])
            // These belong to the model: `granary seed` has them too, and `granary-swiftdata.yaml` keeps them.
            .subtracting(["schema", "model-class", "type", "D", "inverse", "expect"])
    }

    /// The options of `granary subset` that are not those of a new store or of the output are keys of a subset.
    @Test func everyOptionOfASubsetHasItsKey() throws {
        let ofTheRun: Set<String> = [
            "output", "into", "report", "html", "force", "ship", "external", "store-uuid", "quiet", "max-diagnostics",
            "busy-timeout",
        ]
        let options = try Self.options(of: SubsetCommand.self)
        #expect(options.isSuperset(of: ofTheRun))
        #expect(options.subtracting(ofTheRun) == Set(PlanSubsetKey.allCases.map(\.rawValue)))
    }

    /// Every option of an import has its key in a plan, of the same name.
    @Test func everyOptionHasItsKey() throws {
        let options = try Self.options(of: ImportCommand.self).subtracting(["trim-columns"])
        #expect(options.count > 50, "\(options)")
        let keys = Set(PlanStoreKey.allCases.map(\.rawValue) + PlanImportKey.allCases.map(\.rawValue))
        #expect(options.subtracting(keys).isEmpty)
        // `file` is the argument; the other keys exist only in plans.
        let onlyInPlans: Set<String> = [
            "file", "imports", "stores", "defaults", "variables", "rows", "column-options", "like",
            "generate", "subsets",
        ]
        #expect(keys.subtracting(options) == onlyInPlans)
    }

    @Test("The plan's settings of the run apply, and the command line overrides them")
    func settings() async throws {
        try FileManager.default.removeItem(atPath: runs.path("Model.json"))
        try runs.writeStore()
        _ = try runs.folder.write("key,name\n9,Sprain\nx,y\n", to: "in.csv")
        func plan(_ lines: String) throws {
            _ = try runs.folder.write(
                "model: Model.json\nstore: Seed.sqlite\n\(lines)\nimports:\n  - entity: Injury\n    file: in.csv\n",
                to: "p.yaml")
        }
        try plan("mode: keep-good\nreport: r.json\ndry-run: true\ndiagnostics: json\nreport-all: true")
        let dry = await runs.run("seed", "@p.yaml")
        #expect(dry.code == 1 && dry.messages.contains("dry run") && dry.lines[0].hasPrefix("{"), "\(dry.messages)")
        #expect(try runs.text("r.json").contains("\"dryRun\" : true"))
        #expect(await runs.run("seed", "@p.yaml").code == 73)
        try plan("mode: keep-good\nreport: r.json\nforce: true\nquiet: true\nmax-diagnostics: 0\nprogress: never")
        let quiet = await runs.run("seed", "@p.yaml", "--max-diagnostics", "1", "--report", "@other.json")
        #expect(quiet.code == 1 && quiet.lines.count == 2 && runs.exists("other.json"), "\(quiet.messages)")
        try plan("diagnostics: loud")
        let wrong = await runs.run("seed", "@p.yaml")
        #expect(
            wrong.code == 65 && wrong.messages.contains("p.yaml:3:") && wrong.messages.contains("text, json, sarif"))
    }

    @Test func theSampleSeedsTriage() async throws {
        let result = await runs.run(
            "seed", Samples.url("Triage/seed.yaml").path, "--set", "STORE=\(runs.path("Triage.sqlite"))")
        #expect(result.code == 0, "\(result.messages)")
        #expect(lastLine(result) == "read 348 = created 348 + updated 0 + unchanged 0 + skipped 0 + rejected 0")
    }
}

@Suite struct SeedCommandLongTests {
    @Test(arguments: SeedCommandTests.wrong.dropFirst(4))
    func wrongUseHasItsExitCode(_ arguments: [String], _ code: Int32) async throws {
        try await SeedCommandTests().wrongUseHasItsExitCode(arguments, code)
    }

    @Test(arguments: SeedCommandTests.same)
    func aPlanAndTheCommandLineMeanTheSame(_ arguments: [String], _ lines: String) throws {
        try SeedCommandTests().aPlanAndTheCommandLineMeanTheSame(arguments, lines)
    }
}
