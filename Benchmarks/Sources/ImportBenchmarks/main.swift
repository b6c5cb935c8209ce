import Foundation

// Import of 1,000,000 items of 10 columns into a store that has their 1,000 categories and 1,000 suppliers: a unique key,
// and two relationships that are looked up by unique keys. Once more the same file, whose rows are all there: nothing
// changes. Then a file with every tenth row bad, and a rejects file. Beside them sqlite3's own .import of the first file,
// which checks nothing, in the same run; what counts is the ratio. `ImportBenchmarks [ROWS]`

let count = max(1, CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 1_000_000)
guard let binary = ProcessInfo.processInfo.environment["GRANARY_BIN"] else {
    print("GRANARY_BIN names no binary; run this with `make bench`")
    exit(64)
}

let folder = FileManager.default.temporaryDirectory.appending(path: "granary-bench-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

let course = try Course(binary: binary, items: Items(folder: folder, count: count))
for line in try course.run() { print(line) }
