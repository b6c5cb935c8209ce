import Foundation
import Measuring

// 100,000 objects of 8 attributes through contexts: Granary with validation and inverses, against GRDB's records and
// prepared statements in C. All on files of the same layout in the same folder in the same run; what counts is the
// ratio. `PersistenceBenchmarks [COUNT]`

let arguments = Array(CommandLine.arguments.dropFirst())
if try MemoryRun.serve(arguments) { exit(0) }
let count = max(1, arguments.first.flatMap(Int.init) ?? 100_000)

let folder = FileManager.default.temporaryDirectory.appending(path: "granary-bench-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

// First: a child's peak is told right only while this process is small.
let memory = MemoryRun(peopleCount: count, folder: folder)
let visit = try memory.measure()

let course = BenchmarkSuite(people: People(count: count), folder: folder)
print("\(count) people of \(People.departmentCount) departments, each with an address; best of 3 rounds")
print("rollback journal, synchronous = FULL for all; GRDB and C check nothing")
let table = Table(titles: course.contestants.map { $0.title }, times: try course.run())
for line in table.lines { print(line) }
print("visit of \(memory.objectCount) objects, 500 rows at a time: \(visit) (aim: \(MemoryRun.aim / 1_000_000) MB)")
print(try await SaveModes.line(in: folder))
