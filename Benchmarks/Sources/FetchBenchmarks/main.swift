import Foundation
import Measuring

// Fetches of people with eight attributes: Granary's objects, dictionaries and counts, against GRDB's records and plain
// SQL in a C loop, all on the same file and in the same run. `FetchBenchmarks [ROWS ...]`; without arguments 1,000,000
// rows. BENCH_RUNS: how often each is measured (3), BENCH_CASES: which, by words of their names.

let arguments = Array(CommandLine.arguments.dropFirst())
if try await MemoryRun.serve(arguments) { exit(0) }
let named = arguments.compactMap(Int.init).filter { $0 >= 1000 }
let sizes = named.isEmpty ? [1_000_000] : named

let folder = FileManager.default.temporaryDirectory.appending(path: "granary-bench-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let stores = sizes.map { (path: folder.appending(path: "people-\($0).sqlite").path, rows: $0) }
for store in stores { try MemoryRun.makeStore(at: store.path, count: store.rows) }

// First: a child's peak is told right only while this process is small.
print("aim of the visits: \(MemoryRun.aim / 1_000_000) MB\n")
print(Table.memoryHeader)
for store in stores {
    for run in MemoryRun.allCases where Selection.includes(run.title) {
        Table.add(run.title, store.rows, memory: try run.measure(store.path, count: store.rows))
    }
}
print("\n" + Table.header)
for store in stores { try BenchmarkSuite(store: store.path, rows: store.rows).run() }
for store in stores where Selection.includes("parallel") {
    try await Parallel.run(path: store.path, rows: store.rows)
}
