import Foundation
import GranaryBase
import GranaryFormats
import GranaryRecords
import TestSupport
import Testing
@testable import GranaryImport
@testable import GranarySeedPlans

/// What plans mean.
@Suite struct SeedPlanTests {
    @Test func everyKeyOfAnImportFillsItsOption() throws {
        let found = try PlanSample.onlyImport(
            "entity: E", "file: [a.csv, sub/b.csv]", "delimiter: ';'", "quote: \"'\"", "comment: '#'",
            "encoding: windows-1252", "skip-rows: 2", "no-header: true", "columns: [a, b]", "allow-nul: true",
            "map: {A: a}", "ignore: [c]", "constant: {d: NO}", "lookup: {r: x, s: [y, z], t: $id, u: 'v,w'}",
            "list-separator: '|'", "key: [a, b]", "on-conflict: replace", "on-missing: {r: create, s: 'null'}",
            "prune: true", "null: [n/a, '']", "null-is-default: true", "allow-rounding: true", "date-format: seconds",
            "time-zone: UTC", "binary: hex", "decimal-separator: ','", "group-separator: '.'", "as-is: true")
        let item = try #require(found)
        let source = item.source
        #expect(source.delimiter == ";" && source.quote == UInt8(ascii: "'") && source.comment == UInt8(ascii: "#"))
        #expect(source.encoding == .windows1252 && source.skipRows == 2 && !source.hasHeader && source.allowsNUL)
        #expect(source.columns == ["a", "b"])
        let options = item.options
        #expect(options.columnMap == ["A": "a"] && options.ignoredColumns == ["c"] && options.constants == ["d": "NO"])
        let lookups: [String: ImportOptions.Lookup] = [
            "r": .attribute("x"), "s": .attributes(["y", "z"]), "t": .identifier, "u": .attributes(["v", "w"]),
        ]
        #expect(options.lookups == lookups && options.listSeparator == UInt8(ascii: "|"))
        #expect(options.key == ["a", "b"] && options.onConflict == .replace && options.prunes)
        #expect(options.missingPolicies == ["r": .create, "s": .null] && options.onMissing == .error)
        #expect(options.nullTexts == ["n/a", ""] && options.nullIsDefault && options.allowsRounding)
        #expect(options.dateFormats == [.seconds] && options.timeZone == TimeZone(identifier: "UTC"))
        #expect(options.binaryFormat == .hex && options.restoresAsIs)
        #expect(options.decimalSeparator == "," && options.groupSeparator == ".")
    }

    @Test func everyKeyOfAColumnFillsItsOption() throws {
        let found = try PlanSample.onlyImport(
            "entity: E", "file: a.csv", "column-options:", "  Price:",
            "    {property: price, null: ['-'], binary: hex, decimal-separator: ',', group-separator: '.', trim: true,",
            "     scale: 0.01, true: [ja, 1], false: nein, enumeration: {gold: 1}, date-format: yyyy-MM-dd, time-zone: UTC}"
        )
        let item = try #require(found)
        let column = try #require(item.options.columnOptions["Price"])
        #expect(item.options.columnMap == ["Price": "price"])
        #expect(column.nullTexts == ["-"] && column.binaryFormat == .hex && column.trims == true)
        #expect(column.decimalSeparator == "," && column.groupSeparator == ".")
        #expect(
            column.scale?.description == "0.01" && column.trueTexts == ["ja", "1"] && column.falseTexts == ["nein"])
        #expect(column.enumeration == ["gold": "1"] && column.dateFormats == [.pattern("yyyy-MM-dd")])
        #expect(column.timeZone == TimeZone(identifier: "UTC"))
    }

    @Test(arguments: [
        ("NO", "NO"), ("007", "007"), ("1e3", "1e3"), ("~", "~"), ("null", "null"), ("2026-03-01", "2026-03-01"),
        ("'%'", "%"), ("\"a\\tb\"", "a\tb"), ("0x10", "0x10"), ("''", ""), ("yes", "yes"), ("1_000", "1_000"),
    ])
    func aTextIsWhatStandsThere(_ written: String, _ meant: String) throws {
        let item = try PlanSample.onlyImport("entity: E", "file: a.csv", "constant:", "  a: \(written)")
        #expect(item?.options.constants == ["a": meant])
    }

    @Test func variablesStandInAnyText() throws {
        let text = """
            variables: {A: one, B: "${A}-two", C: three}
            model: ${A}.json
            store: $${A}.sqlite
            imports:
              - entity: ${C}
                file: ["${B}.csv", "${env:HOME_OF_TEST}.csv"]
                constant: {x: "$5 {}", y: "${A}${A}"}
            """
        let plan = try PlanSample.plan(text, variables: ["C": "${A}"], environment: ["HOME_OF_TEST": "env"])
        let store = try #require(plan.stores.first)
        #expect(store.models.map(\.path) == ["one.json"] && store.target.store == "${A}.sqlite")
        let item = try #require(store.imports.first)
        #expect(item.entity == "${A}")
        #expect(item.options.constants == ["x": "$5 {}", "y": "oneone"])
        guard case .files(let files) = item.input else {
            Issue.record("no files")
            return
        }
        #expect(files.map(\.path) == ["one-two.csv", "env.csv"])
    }

    @Test func defaultsHoldWhereAnImportSaysNothing() throws {
        let text = """
            on-missing: create
            defaults: {on-conflict: update, null: [x], map: {A: a, B: b}, quote: "'"}
            model: M
            store: S
            imports:
              - {entity: E, file: e.csv}
              - {entity: F, file: f.json, on-conflict: skip, map: {B: c}, on-missing: error}
            """
        let imports = try PlanSample.plan(text).stores[0].imports
        #expect(imports.map(\.options.onConflict) == [.update, .skip])
        #expect(imports.map(\.options.onMissing) == [.create, .error])
        #expect(imports.map(\.options.columnMap) == [["A": "a", "B": "b"], ["A": "a", "B": "c"]])
        #expect(imports.allSatisfy { $0.options.nullTexts == ["x"] })
    }

    @Test func storesTakeWhatTheTopSays() throws {
        let text = """
            model: M.json
            mode: keep-good
            defaults: {on-conflict: update}
            stores:
              - {store: a.sqlite, rejects: out/a.csv, max-rejects: 3, imports: [{entity: E, file: e.csv}]}
              - store: /b.sqlite
                model: [N.json, O.json]
                mode: all-or-nothing
                ship: true
                store-uuid: 6F9619FF-8B86-D011-B42D-00C04FC964FF
                no-ledger: true
                busy-timeout: 0.5
                defaults: {on-conflict: skip}
                imports: [{entity: E, file: e.csv}]
            """
        let stores = try PlanSample.plan(text, folder: "plans/").stores
        #expect(stores.map(\.target.store) == ["plans/a.sqlite", "/b.sqlite"])
        #expect(stores.map { $0.models.map(\.path) } == [["plans/M.json"], ["plans/N.json", "plans/O.json"]])
        #expect(stores.map(\.target.run.mode) == [.keepGood, .allOrNothing])
        #expect(stores[0].target.run.rejectsPath == "plans/out/a.csv" && stores[0].target.run.maximumRejects == 3)
        #expect(stores[0].imports[0].options.onConflict == .update && stores[0].target.run.keepsLedger)
        #expect(stores[1].imports[0].options.onConflict == .skip && !stores[1].target.run.keepsLedger)
        #expect(stores[1].target.ships && !stores[1].target.run.isRevertible && stores[1].target.busyTimeout == 0.5)
        #expect(stores[1].target.identifier == UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF"))
    }

    @Test func jobsNameFilesAndEntitiesAndPlaces() throws {
        let folder = try TemporaryFolder()
        for name in ["M.json", "data[1]/b.csv", "data[1]/a.csv", "data[1]/c.txt", "E.csv"] {
            let file = folder.url.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: file)
        }
        let inner = "model: ../M.json\nstore: S\nimports:\n  - {entity: E, file: '*.csv'}\n  - {file: ../E.csv}\n"
        let path = try folder.write(inner, to: "data[1]/plan.yaml").path
        let jobs = try SeedPlan(path: path).storeImports()
        let root = folder.url.path
        #expect(jobs.map(\.models) == [["\(root)/data[1]/../M.json"]])
        let names = jobs[0].jobs.map { $0.sources.map(\.name) }
        #expect(names == [["\(root)/data[1]/a.csv", "\(root)/data[1]/b.csv"], ["\(root)/data[1]/../E.csv"]])
        #expect(jobs[0].jobs.map(\.entity) == ["E", nil])
        #expect(jobs[0].jobs.map { $0.origin?.line } == [4, 5] && jobs[0].namedEntities.map(\.source.entity) == ["E"])
    }

    @Test func filesThatAreMissingAreNamedAllAtOnce() throws {
        let folder = try TemporaryFolder()
        let text = PlanSample.start + "  - {entity: E, file: e.csv}\n  - {entity: F, file: 'f*.csv'}\n"
        let path = try folder.write(text, to: "plan.yaml").path
        let plan = try SeedPlan(path: path)
        let error = #expect(throws: GranaryError.self) { try plan.storeImports() }
        #expect(error?.code == .unreadable)
        let places = (error?.diagnostics ?? []).map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0)" }
        #expect(places == ["1:8", "4:23", "5:23"])
    }

    @Test func standardInputIsReadOnce() throws {
        let text =
            "store: S\nimports:\n  - {entity: E, file: '-', format: csv}\n  - {entity: F, file: ['-'], format: csv}\n"
        let plan = try PlanSample.plan(text)
        let error = #expect(throws: GranaryError.self) { try plan.storeImports() }
        #expect(error?.code == .refused && error?.message.contains("only once") ?? false)
    }

    @Test func theSampleIsSound() throws {
        let plan = try SeedPlan(path: Samples.url("Triage/seed.yaml").path)
        let jobs = try plan.storeImports()
        #expect(jobs.count == 1 && jobs[0].jobs.map(\.entity) == ["Patient", "Injury", "Responder"])
        #expect(plan.storePaths.map { $0.hasSuffix("Triage/Seed.sqlite") } == [true])
    }
}
