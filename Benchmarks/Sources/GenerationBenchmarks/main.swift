import Foundation
import Measuring

// Generation of objects beside an import of the same objects and beside Python libraries that make up the same columns, and the
// comparison of two stores. `GenerationBenchmarks [ROWS ...]`; without arguments 10,000, 100,000 and 1,000,000 employees.
// BENCH_RUNS: how often each is measured (3), BENCH_CASES: which, by words of their names.

guard let binary = ProcessInfo.processInfo.environment["GRANARY_BIN"] else {
    print("GRANARY_BIN names no binary; run this with `make bench`")
    exit(64)
}
let named = CommandLine.arguments.dropFirst().compactMap(Int.init).filter { $0 >= 1000 }
let each = EachSize(binary: binary, sizes: named.isEmpty ? [10_000, 100_000, 1_000_000] : named)

if GenerationCourse.isSelected {
    let table = GenerationCourse.makeTable()
    try each.run { try GenerationCourse(employees: $0).run(table) }
}
if DiffCourse.isSelected {
    let table = DiffCourse.makeTable()
    try each.run { try DiffCourse(employees: $0).run(table) }
}
if SubsetCourse.isSelected {
    let table = SubsetCourse.makeTable()
    try each.run { try SubsetCourse(employees: $0).run(table) }
}
