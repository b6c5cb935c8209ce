import CFloor
import Foundation
import Measuring

// Import of 1,000,000 rows of 8 columns: Granary with all its checks, against sqlite3's own .import and a bare C loop
// over the same two libraries. All on the same file in the same run; what counts is the ratio.

let rows = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 1_000_000
guard let binary = ProcessInfo.processInfo.environment["GRANARY_BIN"] else {
    print("GRANARY_BIN names no binary; run this with `make bench`")
    exit(64)
}

let folder = FileManager.default.temporaryDirectory.appending(path: "granary-bench-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

let csv = folder.appending(path: "rows.csv").path
let model = folder.appending(path: "Bench.xcdatamodel")
try Sample.writeModel(to: model)
let bytes = try Sample.writeRows(rows, to: csv)
print("\(rows) rows, 8 columns, \(bytes / 1_000_000) MB")

let granary = try Measured.best(of: 3) { run in
    let store = folder.appending(path: "granary-\(run).sqlite").path
    return try Measured.run([
        binary, "import", csv, "--model", model.path, "--store", store, "--entity", "Row", "--quiet",
    ])
}
let floor = Measured.best(of: 3) { run in
    Measured.time {
        let count = floor_import(csv, folder.appending(path: "floor-\(run).sqlite").path)
        if count != rows { print("the C loop read \(count) rows") }
    }
}
print("granary import   \(granary)")
print("bare C loop      \(floor)   ratio \(granary.ratio(to: floor))")
if let shell = Measured.find("sqlite3") {
    let rival = try Measured.best(of: 3) { run in
        try Measured.run([
            shell, folder.appending(path: "rival-\(run).sqlite").path, "-cmd", ".mode csv", ".import \(csv) rows",
        ])
    }
    print("sqlite3 .import  \(rival)   ratio \(granary.ratio(to: rival))")
} else {
    print("sqlite3 .import  not measured: there is no sqlite3 shell")
}
