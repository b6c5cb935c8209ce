import Foundation
import Measuring

// Imports with Granary, every value checked against a model, beside rivals that check nothing, on the same files and in the same
// run. `ImportBenchmarks [ROWS ...]`; without arguments 10,000, 100,000 and 1,000,000 rows. BENCH_RUNS: how often each is
// measured (3), BENCH_CASES: which, by words of their names.

guard let binary = ProcessInfo.processInfo.environment["GRANARY_BIN"] else {
    print("GRANARY_BIN names no binary; run this with `make bench`")
    exit(64)
}
let named = CommandLine.arguments.dropFirst().compactMap(Int.init).filter { $0 >= 100 }
let sizes = named.isEmpty ? [10_000, 100_000, 1_000_000] : named

print(Table.header)
for rows in sizes {
    let folder = FileManager.default.temporaryDirectory.appending(path: "granary-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let suite = try BenchmarkSuite(binary: binary, folder: folder, rows: rows, runs: Selection.runs)
    try suite.run()
}
// Imports with lookups, lists and created objects.
for rows in sizes {
    let folder = FileManager.default.temporaryDirectory.appending(path: "granary-books-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try BookBenchmark(binary: binary, folder: folder, rows: rows, runs: Selection.runs).run()
}
