import Foundation
import Measuring

// Imports into PostgreSQL stores and exports from them, beside `\copy` of psql with the same file, in the same run.
// `PostgreSQLBenchmarks [ROWS ...]`; without arguments 1,000,000 rows. BENCH_RUNS: how often each is measured (3),
// BENCH_CASES: which, by words of their names.

let environment = ProcessInfo.processInfo.environment
guard let binary = environment["GRANARY_BIN"], let server = environment["GRANARY_POSTGRESQL"],
    let psql = Measured.find("psql")
else {
    print(
        """
        GRANARY_BIN names a binary that was built with --traits PostgreSQL, GRANARY_POSTGRESQL a server and a database in
        which schemas can be created, as postgresql://user@host/database; psql must be in PATH.
        """)
    exit(64)
}
let named = CommandLine.arguments.dropFirst().compactMap(Int.init).filter { $0 >= 100 }
let table = MarkdownTable([
    "case", "rows", "seconds", "peak MB", "times as long as \\copy, untyped", "times as long as \\copy, typed",
])
for rows in named.isEmpty ? [1_000_000] : named {
    let folder = FileManager.default.temporaryDirectory.appending(path: "granary-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let suite = try PostgreSQLSuite(
        binary: binary, psql: psql, server: server, folder: folder, rows: rows, table: table)
    try suite.run()
}
