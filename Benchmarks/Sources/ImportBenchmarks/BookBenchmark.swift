import Foundation
import Measuring

/// Imports with lookups, lists and created objects, beside the sqlite3 shell with a staging table and joins. The shell
/// checks nothing. The ratio is the median of pairs: each import runs right beside its rival.
struct BookBenchmark {
    let fixture: BookFixture
    let binary: String
    let runs: Int
    private let store: String
    /// A store with the objects of all lookups.
    private let stored: String

    init(binary: String, folder: URL, rows: Int, runs: Int) throws {
        self.binary = binary
        self.runs = runs
        fixture = BookFixture(folder: folder, rows: rows)
        store = fixture.path("books.sqlite")
        stored = fixture.path("stored.sqlite")
        try fixture.write()
        _ = try Measured.run(
            [binary, "import"] + ["Author.csv", "Publisher.csv", "Genre.csv"].map(fixture.path)
                + ["--model", fixture.model, "--store", stored, "--quiet"])
    }

    func run() throws {
        let table = MarkdownTable([
            "books", "rows", "seconds", "processor seconds", "peak MB", "processor µs a row",
            "times as fast as the shell's staging and joins",
        ])
        for form in BookFixture.Form.allCases where form != .nested {
            try measure(form, creates: false, in: table)
        }
        for form in BookFixture.Form.allCases where form != .flat { try measure(form, creates: true, in: table) }
        let shell = try (0..<runs).compactMap { _ in try self.shell() }
        if !shell.isEmpty { add("sqlite3, staging and joins", Measured.median(shell), [], to: table) }
    }

    private func measure(_ form: BookFixture.Form, creates: Bool, in table: MarkdownTable) throws {
        let name = "\(form.rawValue), \(creates ? "created" : form == .flat ? "new store" : "stored")"
        guard Selection.includes(name) else { return }
        var found: [Measured] = []
        var ratios: [Double] = []
        for _ in 0..<runs {
            try remove(store)
            if !creates, form != .flat { try FileManager.default.copyItem(atPath: stored, toPath: store) }
            let own = try Measured.run(
                [binary, "import", fixture.path(form.name), "--entity", "Book", "--model", fixture.model]
                    + ["--store", store, "--quiet"] + form.lookups.flatMap { ["--lookup", "\($0)=name"] }
                    + (creates ? ["--on-missing", "create"] : []))
            found.append(own)
            if form.lookups.count == 3 || form == .nested, let other = try shell() {
                ratios.append(other.seconds / own.seconds)
            }
        }
        add(name, Measured.median(found), ratios, to: table)
    }

    private func add(_ name: String, _ measured: Measured, _ ratios: [Double], to table: MarkdownTable) {
        let perRow = (measured.cpuSeconds ?? 0) / Double(fixture.rows) * 1e6
        table.add(
            [name, "\(fixture.rows)"] + measured.cells + [String(format: "%.1f", perRow), Spread(ratios).description])
    }

    private func remove(_ path: String) throws {
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }

    /// The shell with a new file; nil without a shell.
    private func shell() throws -> Measured? {
        guard let shell = Measured.find("sqlite3") else { return nil }
        let database = fixture.path("rival.sqlite")
        try remove(database)
        let script = fixture.path("rival.sql")
        try Data(fixture.statements.utf8).write(to: URL(filePath: script))
        return try Measured.run([shell, database, "-cmd", ".bail on", ".read \(script)"])
    }
}
