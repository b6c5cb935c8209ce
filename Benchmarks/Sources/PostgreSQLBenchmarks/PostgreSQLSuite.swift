import Fixtures
import Foundation
import Measuring

/// All measurements with one number of rows. Each is the median of several runs, and beside each run psql does the same with an
/// untyped and with a typed table: the ratios are the medians of the pairs.
struct PostgreSQLSuite {
    private let binary: String
    private let psql: String
    private let server: String
    private let fixture: Fixture
    private let file: Fixture.File
    private let output: MarkdownTable
    /// The schema of the tables, which the benchmark creates and drops.
    private let schema = "granary_bench_\(ProcessInfo.processInfo.processIdentifier)"

    private static let columns = "number, small, price, flag, day, email, name, note"
    /// A table with the types and rules of the model, except for the regular expression.
    private static let typed = """
        id bigserial PRIMARY KEY, number bigint NOT NULL CHECK (number >= 0),
        small smallint NOT NULL CHECK (small BETWEEN 0 AND 32000),
        price double precision NOT NULL CHECK (price BETWEEN 0 AND 1000000), flag boolean NOT NULL,
        day timestamptz NOT NULL, email text NOT NULL, name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 64),
        note text NOT NULL CHECK (char_length(note) BETWEEN 1 AND 200)
        """

    init(binary: String, psql: String, server: String, folder: URL, rows: Int, table: MarkdownTable) throws {
        self.binary = binary
        self.psql = psql
        self.server = server
        output = table
        fixture = Fixture(folder: folder, rows: rows)
        try fixture.writeModel()
        file = try fixture.write(.plain, to: "rows.csv", isFaulty: false)
    }

    func run() throws {
        defer { _ = try? sql("SET client_min_messages = warning", "DROP SCHEMA IF EXISTS \(schema) CASCADE") }
        try measure("import into a new store", prepare: { try reset() }) { try load() }
        try measure(
            "import into a store with as many rows",
            prepare: {
                try reset()
                _ = try load()
            }
        ) { try load() }
        try measureExport()
    }

    private var store: String { server + (server.contains("?") ? "&" : "?") + "schema=\(schema)" }

    private func sql(_ commands: String...) throws -> Measured {
        try Measured.run([psql, "-X", "-q", "-v", "ON_ERROR_STOP=1"] + commands.flatMap { ["-c", $0] } + [server])
    }

    /// Empty tables without a store.
    private func reset() throws {
        _ = try sql(
            "SET client_min_messages = warning", "DROP SCHEMA IF EXISTS \(schema) CASCADE", "CREATE SCHEMA \(schema)",
            "CREATE TABLE \(schema).untyped (a text, b text, c text, d text, e text, f text, g text, h text)",
            "CREATE TABLE \(schema).typed (\(Self.typed))")
    }

    private func load() throws -> Measured {
        try Measured.run([
            binary, "import", file.path, "--entity", "Row", "--model", fixture.model, "--store", store, "--quiet",
        ])
    }

    private func copy(into target: String) throws -> Measured {
        try sql("\\copy \(schema).\(target) from '\(file.path)' csv header")
    }

    private func measure(_ name: String, prepare: () throws -> Void, _ own: () throws -> Measured) throws {
        guard Selection.includes(name) else { return }
        var (found, untyped, typed): ([Measured], [Double], [Double]) = ([], [], [])
        for _ in 0..<Selection.runs {
            try prepare()
            let measured = try own()
            found.append(measured)
            untyped.append(measured.seconds / (try copy(into: "untyped")).seconds)
            typed.append(measured.seconds / (try copy(into: "typed(\(Self.columns))")).seconds)
        }
        add(name, found, untyped, typed)
    }

    /// An export to CSV beside `\copy … to` of the typed table with the same rows.
    private func measureExport() throws {
        let name = "export to CSV"
        guard Selection.includes(name) else { return }
        try reset()
        _ = try load()
        _ = try copy(into: "untyped")
        _ = try copy(into: "typed(\(Self.columns))")
        var (found, untyped, typed): ([Measured], [Double], [Double]) = ([], [], [])
        for _ in 0..<Selection.runs {
            let measured = try Measured.run([
                binary, "export", store, "--entity", "Row", "--format", "csv", "--output", fixture.path("own.csv"),
                "--force",
            ])
            found.append(measured)
            let query = "select \(Self.columns) from \(schema).typed order by id"
            untyped.append(
                measured.seconds
                    / (try sql("\\copy \(schema).untyped to '\(fixture.path("other.csv"))' csv header")).seconds)
            typed.append(
                measured.seconds / (try sql("\\copy (\(query)) to '\(fixture.path("other.csv"))' csv header")).seconds)
        }
        add(name, found, untyped, typed)
    }

    private func add(_ name: String, _ found: [Measured], _ untyped: [Double], _ typed: [Double]) {
        let own = Measured.median(found)
        output.add([
            name, "\(fixture.rows)", String(format: "%.2f", own.seconds),
            own.peakBytes.map { "\($0 / 1_000_000)" } ?? "", "\(Spread(untyped))", "\(Spread(typed))",
        ])
    }
}
