import Foundation
import Measuring

/// `granary subset` of the employees of one level, about one of twenty, with their departments and offices; of all
/// employees; and of all employees with a rule for each attribute.
struct SubsetSuite {
    let employees: Employees

    static var isSelected: Bool { Selection.includes("granary subset") }

    static func makeTable() -> MarkdownTable {
        MarkdownTable([
            "granary subset", "objects of the store", "seconds", "user+sys", "peak MB",
            "times as long as without rules",
        ])
    }

    /// The rules of the last subset: texts are replaced by others of their shape, or by words where they have words.
    private static let rules = """
        Employee.code: replace
        Employee.name: replace
        Employee.email: replace
        Employee.phone: mask keep last 2
        Employee.city: replace
        Employee.level: keep
        Employee.salary: noise 10%
        Employee.birthday: shift 30 days
        Department.code: keep
        Department.title: keep
        Office.code: keep
        Office.city: keep

        """

    func run(_ table: MarkdownTable) throws {
        let store = try employees.newStore("whole")
        _ = try employees.generate(store)
        try measure("employees of one level of twenty", ["--from", "Employee WHERE level == 20"], of: store, table)
        let rules = employees.path("rules.yaml")
        try Data(Self.rules.utf8).write(to: URL(filePath: rules))
        let all = ["--from", "Employee"]
        var found: (plain: [Measured], anonymised: [Measured]) = ([], [])
        // They take turns, so that a ratio is that of two times of one round.
        for _ in 0..<Selection.runs {
            found.plain.append(try subset(all, of: store))
            found.anonymised.append(try subset(all + ["--rules", rules], of: store))
        }
        let ratios = zip(found.plain, found.anonymised).map { $1.seconds / max($0.seconds, 1e-9) }
        table.add(["all employees", "\(employees.objects)"] + Measured.median(found.plain).cells + [""])
        table.add(
            ["all employees, with a rule for each attribute", "\(employees.objects)"]
                + Measured.median(found.anonymised).cells + [Spread(ratios).description])
    }

    private func measure(_ title: String, _ arguments: [String], of store: String, _ table: MarkdownTable) throws {
        let found = try (0..<Selection.runs).map { _ in try subset(arguments, of: store) }
        table.add([title, "\(employees.objects)"] + Measured.median(found).cells + [""])
    }

    private func subset(_ arguments: [String], of store: String) throws -> Measured {
        let part = try employees.newStore("part")
        return try employees.granary(["subset", "--store", store, "--output", part, "--quiet"] + arguments)
    }
}
