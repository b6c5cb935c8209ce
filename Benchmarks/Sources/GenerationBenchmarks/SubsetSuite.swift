import Foundation
import Measuring

/// `granary subset` of the employees of one level, about one of twenty, with their departments and offices.
struct SubsetSuite {
    let employees: Employees

    static var isSelected: Bool { Selection.includes("granary subset") }

    static func makeTable() -> MarkdownTable {
        MarkdownTable(["granary subset", "objects of the store", "seconds", "user+sys", "peak MB"])
    }

    func run(_ table: MarkdownTable) throws {
        let store = try employees.newStore("whole")
        _ = try employees.generate(store)
        var found: [Measured] = []
        for _ in 0..<Selection.runs {
            let part = try employees.newStore("part")
            let command = [
                employees.binary, "subset", "--store", store, "--from", "Employee WHERE level == 20", "--output", part,
            ]
            // A command that does not exist is wrong usage.
            guard let measured = try Measured.run(command, output: employees.log, missing: 64) else { break }
            found.append(measured)
        }
        let title = "employees of one level of twenty"
        guard !found.isEmpty else {
            table.add([title, "\(employees.objects)", "granary has no command subset yet"])
            return
        }
        table.add([title, "\(employees.objects)"] + Measured.median(found).cells)
    }
}
