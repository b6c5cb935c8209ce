import CFloor
import Fixtures
import Foundation
import Measuring

/// All measurements with one number of rows. Each of Granary's is the median of several runs, and beside each run its rival runs
/// too: the ratio is the median of the pairs.
struct BenchmarkSuite {
    let fixture: Fixture
    let binary: String
    let runs: Int
    private let plain: Fixture.File
    private let plainBad: Fixture.File
    private let keyed: Fixture.File
    private let more: Fixture.File
    /// The same as ``keyed``, named after its entity.
    private let named: Fixture.File
    private let base: String
    private let full: String
    private let store: String
    private let seeds: PlanFixture

    /// Makes the files, a store with what items refer to, and one that also has as many items and rows as are imported.
    init(binary: String, folder: URL, rows: Int, runs: Int) throws {
        self.binary = binary
        self.runs = runs
        fixture = Fixture(folder: folder, rows: rows)
        base = fixture.path("base.sqlite")
        full = fixture.path("full.sqlite")
        store = fixture.path("store.sqlite")
        seeds = PlanFixture(folder: folder, rows: rows)
        try seeds.write()
        try fixture.writeModel()
        try fixture.writeTables()
        plain = try fixture.write(.plain, to: "rows.csv")
        plainBad = try fixture.write(.plain, to: "bad.csv", badEvery: 10)
        keyed = try fixture.write(.keyed, to: "items.csv")
        named = try fixture.write(.keyed, to: "Item.csv")
        more = try fixture.write(.keyed, to: "more.csv", first: rows + 1)
        _ = try Measured.run([
            binary, "import", fixture.path("Category.csv"), fixture.path("Supplier.csv"), "--model", fixture.model,
            "--store", base, "--quiet",
        ])
        try copy(base)
        _ = try granary(keyed, .keyed)
        _ = try granary(plain, .plain)
        try FileManager.default.moveItem(atPath: store, toPath: full)
    }

    func run() throws {
        let bare = { try shell(plain, "CREATE TABLE items (a, b, c, d, e, f, g, h)") }
        try measure("plain, new store", plain, .plain, from: nil, against: bare)
        try measure("plain, new store, --loader sql", plain, .plain, from: nil, ["--loader", "sql"], against: bare)
        try measure(
            "plain, new store, --tokenizer libcsv", plain, .plain, from: nil, ["--tokenizer", "libcsv"], against: bare)
        try measure(
            "plain, 10 % bad rows, rejects file", plainBad, .plain, from: nil,
            ["--rejects", fixture.path("rejects.csv"), "--force"], against: bare, without: [])
        // Such a run does not load pages.
        try measure(
            "plain, revertible", plain, .plain, from: nil, ["--revertible"], against: bare,
            without: ["--loader", "sql"])
        try measure("plain, as many rows in the store already", plain, .plain, from: full, against: bare)
        let unique = { try shell(keyed, "CREATE TABLE items (code TEXT UNIQUE, a, b, c, d, e, f, g, h, i)") }
        try measure("unique key, two look-ups, new store", named, .keyed, from: nil, against: unique)
        try measure("unique key, two look-ups, existing store", keyed, .keyed, from: base, against: unique)
        try measure("the same, as many rows in the store already", more, .keyed, from: full, against: unique)
        try measure(
            "the same rows again as update, none changed", keyed, .keyed, from: full, ["--on-conflict", "update"],
            against: unique)
        try measurePlan()
        try rivals()
    }

    /// The same plan with both loaders.
    private func measurePlan() throws {
        let name = "plan of ten entities, against --loader sql"
        guard Selection.includes(name) else { return }
        var found: [Measured] = []
        var ratios: [Double] = []
        for _ in 0..<runs {
            var measured: [Measured] = []
            for loader in ["pages", "sql"] {
                if FileManager.default.fileExists(atPath: seeds.store) {
                    try FileManager.default.removeItem(atPath: seeds.store)
                }
                measured.append(try Measured.run([binary, "seed", seeds.plan(loader), "--quiet"]))
            }
            found.append(measured[0])
            ratios.append(measured[1].seconds / measured[0].seconds)
        }
        Table.add(name, fixture.rows, seeds.bytes, Measured.median(found), ratios, [], [])
    }

    private func measure(
        _ name: String, _ file: Fixture.File, _ kind: Fixture.Kind, from start: String?, _ options: [String] = [],
        against rival: () throws -> Measured?, without clean: [String]? = nil
    ) throws {
        guard Selection.includes(name) else { return }
        var found: [Measured] = []
        var ratios: [Double] = []
        var floors: [Double] = []
        var factors: [Double] = []
        for _ in 0..<runs {
            try copy(start)
            let own = try granary(file, kind, options)
            found.append(own)
            if let other = try rival() { ratios.append(other.seconds / own.seconds) }
            if let clean {
                try copy(start)
                factors.append(own.seconds / (try granary(plain, kind, clean)).seconds)
            }
            if kind.entity == "Row" { floors.append(floor(file).seconds / own.seconds) }
        }
        let own = Measured.median(found)
        Table.add(name, fixture.rows, file.bytes, own, ratios, floors, factors)
    }

    /// Imports a file with Granary, and checks that it reports each planted fault.
    private func granary(_ file: Fixture.File, _ kind: Fixture.Kind, _ options: [String] = []) throws -> Measured {
        let report = fixture.path("report.json")
        let measured = try Measured.run(
            [binary, "import"]
                + (file.path == named.path
                    ? [fixture.path("Category.csv"), fixture.path("Supplier.csv"), file.path]
                    : [file.path, "--entity", kind.entity])
                + [
                    "--model", fixture.model, "--store", store, "--quiet", "--mode", "keep-good", "--report", report,
                    "--max-diagnostics", "0",
                ] + (options.contains("--force") ? [] : ["--force"]) + options, expecting: 1)
        let found = try Report(contentsOf: report)
        let rejects = fixture.path("rejects.csv.reasons.jsonl")
        let faults = try options.contains("--rejects") ? Report.faults(inReasons: rejects) : found.faults
        let missing = file.faults.subtracting(faults)
        if !missing.isEmpty || found.rejected != file.badRows {
            print("\(file.path): \(found.rejected) of \(file.badRows) bad rows were rejected; not reported: \(missing)")
        }
        return measured
    }

    private func copy(_ start: String?) throws {
        for name in [store, store + ".runs"] where FileManager.default.fileExists(atPath: name) {
            try FileManager.default.removeItem(atPath: name)
        }
        if let start { try FileManager.default.copyItem(atPath: start, toPath: store) }
    }

    // MARK: Rivals

    /// `sqlite3 .import` into a new file; nil without a shell.
    private func shell(_ file: Fixture.File, _ table: String) throws -> Measured? {
        guard let shell = Measured.find("sqlite3") else { return nil }
        let database = try emptyDatabase()
        return try Measured.run([
            shell, database, "-cmd", table, "-cmd", ".mode csv", ".import --skip 1 \(file.path) items",
        ])
    }

    private func floor(_ file: Fixture.File) -> Measured {
        let database = (try? emptyDatabase()) ?? fixture.path("floor.sqlite")
        return Measured.time { _ = floor_import(file.path, database) }
    }

    private func emptyDatabase() throws -> String {
        let database = fixture.path("rival.sqlite")
        if FileManager.default.fileExists(atPath: database) { try FileManager.default.removeItem(atPath: database) }
        return database
    }

    /// What others take for the plain file, in the same run: they check nothing.
    private func rivals() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "rivals.py").path
        var others: [(name: String, run: () throws -> Measured?)] = [
            ("sqlite3 .import", { try shell(plain, "CREATE TABLE items (a, b, c, d, e, f, g, h)") }),
            ("C loop: libcsv, one insert a row", { floor(plain) }),
            (
                "sqlite3 .import, unique key",
                { try shell(keyed, "CREATE TABLE items (code TEXT UNIQUE, a, b, c, d, e, f, g, h, i)") }
            ),
        ]
        if let python = Measured.find("python3") {
            for name in ["csv", "pandas", "duckdb"] {
                let title = name == "csv" ? "Python csv and sqlite3" : name
                others.append(
                    (title, { try Measured.ifThere([python, script, name, plain.path, try emptyDatabase()]) }))
            }
        }
        for other in others where Selection.includes(other.name) {
            guard let first = try other.run() else {
                print("| \(other.name) | not installed |")
                continue
            }
            let all = try [first] + (1..<max(1, runs)).compactMap { _ in try other.run() }
            Table.add(other.name, fixture.rows, plain.bytes, Measured.median(all), [], [], [])
        }
    }
}
