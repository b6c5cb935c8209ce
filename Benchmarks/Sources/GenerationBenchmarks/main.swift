import Foundation
import Measuring

// Generation of objects beside an import of the same objects and beside Python libraries that make up the same columns, the
// comparison of two stores, subsets, and migrations beside SQL. `GenerationBenchmarks [ROWS ...]`; without arguments 10,000,
// 100,000 and 1,000,000 employees.
// BENCH_RUNS: how often each is measured (3), BENCH_CASES: which, by words of their names.

guard let binary = ProcessInfo.processInfo.environment["GRANARY_BIN"] else {
    print("GRANARY_BIN names no binary; run this with `make bench`")
    exit(64)
}
let named = CommandLine.arguments.dropFirst().compactMap(Int.init).filter { $0 >= 1000 }
let each = EachSize(binary: binary, sizes: named.isEmpty ? [10_000, 100_000, 1_000_000] : named)

if GenerationSuite.isSelected {
    let table = GenerationSuite.makeTable()
    try each.run { try GenerationSuite(employees: $0).run(table) }
}
if DiffSuite.isSelected {
    let table = DiffSuite.makeTable()
    try each.run { try DiffSuite(employees: $0).run(table) }
}
if SubsetSuite.isSelected {
    let table = SubsetSuite.makeTable()
    try each.run { try SubsetSuite(employees: $0).run(table) }
}
if MigrationSuite.isSelected {
    let table = MigrationSuite.makeTable()
    try each.run { try MigrationSuite(employees: $0).run(table) }
}
