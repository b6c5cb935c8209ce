import Foundation
import Measuring

// Exports with Granary beside other programs that write the same rows of the same store, in the same run.
// `ExportBenchmarks [ROWS ...]`; without arguments 10,000 and 1,000,000 rows. BENCH_RUNS: how often each is measured (3),
// BENCH_CASES: which, by words of their names, BENCH_BLOB_MB: the size of the value with external storage (900; 0: none).

let arguments = Array(CommandLine.arguments.dropFirst())
guard let binary = ProcessInfo.processInfo.environment["GRANARY_BIN"] else {
    print("GRANARY_BIN names no binary; run this with `make bench`")
    exit(64)
}
if try ExportStores.serve(arguments, binary: binary) { exit(0) }
let named = arguments.compactMap(Int.init).filter { $0 >= 100 }
let sizes = named.isEmpty ? [10_000, 1_000_000] : named

let table = BenchmarkSuite.makeTable()
for rows in sizes {
    let folder = FileManager.default.temporaryDirectory.appending(path: "granary-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try ExportStores.makeInAnotherProcess(folder: folder, rows: rows)
    try BenchmarkSuite(binary: binary, folder: folder, rows: rows).run(table)
}

let megabytes = ProcessInfo.processInfo.environment["BENCH_BLOB_MB"].flatMap(Int.init) ?? 900
if megabytes > 0, BlobSuite.isSelected {
    let folder = FileManager.default.temporaryDirectory.appending(path: "granary-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try BlobSuite(binary: binary, folder: folder, megabytes: megabytes).run()
}
