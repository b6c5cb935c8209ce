import CFloor
import Foundation
import Measuring

/// `granary store diff` of two stores that are equal, and of two that differ in one of a hundred objects.
struct DiffSuite {
    let employees: Employees

    static var isSelected: Bool { Selection.includes("granary store diff") }

    /// What a comparison may take, in bytes.
    private static let aim = 64_000_000

    static func makeTable() -> MarkdownTable {
        print("\nAim of the comparisons: \(aim / 1_000_000) MB")
        return MarkdownTable([
            "granary store diff", "objects", "different", "seconds", "user+sys", "peak MB", "objects/s",
        ])
    }

    func run(_ table: MarkdownTable) throws {
        let first = try employees.newStore("first")
        let second = try employees.newStore("second")
        _ = try employees.generate(first)
        try FileManager.default.copyItem(atPath: first, toPath: second)
        try measure("equal", first, second, 0, table)
        // Every level changes: NULL is none of 1 to 20.
        let changed = floor_execute(
            second, "UPDATE ZEMPLOYEE SET ZLEVEL = coalesce(ZLEVEL, 0) % 20 + 1 WHERE Z_PK % 100 = 0")
        guard changed > 0 else { throw BenchmarkFailure("SQLite did not change \(second)") }
        try measure("1 % of the employees", first, second, changed, table)
    }

    private func measure(
        _ title: String, _ first: String, _ second: String, _ different: Int, _ table: MarkdownTable
    ) throws {
        let command = ["store", "diff", first, second, "--format", "json", "--max-differences", "0"]
        let found = try (0..<Selection.runs).map { _ -> Measured in
            let measured = try employees.granary(command, expecting: different == 0 ? 0 : 1)
            let printed = try Data(contentsOf: URL(filePath: employees.log))
            let count = try JSONDecoder().decode(Document.self, from: printed).differenceCount
            guard count == different else {
                throw BenchmarkFailure("store diff found \(count) differences, not \(different)")
            }
            return measured
        }
        let median = Measured.median(found)
        table.add(
            [title, "\(employees.objects)", "\(different)"] + median.cells + [
                "\(Int(Double(employees.objects) / max(median.seconds, 1e-9)))"
            ])
    }

    private struct Document: Decodable {
        let differenceCount: Int
    }
}
