import GranaryBase
import GranaryMigration

/// The report of a migration as text.
enum StoreMigrateText {
    /// The versions, the objects of each entity, and what was lost or kept invalid.
    static func lines(_ report: StoreMigrationReport) -> [String] {
        if report.isCurrent { return [] }
        var table = TextTable(indent: "  ")
        for entity in report.entities {
            var parts = ["\(number(entity.kept)) kept"]
            if entity.changed > 0 { parts.append("\(number(entity.changed)) of them changed") }
            if entity.renumbered > 0 { parts.append("\(number(entity.renumbered)) of them with new primary keys") }
            if entity.dropped > 0 { parts.append("\(number(entity.dropped)) dropped") }
            table.add(entity.name + (entity.oldName.map { " (was \($0))" } ?? ""), parts.joined(separator: ", "))
        }
        var text = report.path.joined(separator: " → ") + "\n"
        if !report.entities.isEmpty { text += "objects:\n" + table.text }
        if !report.problems.isEmpty {
            text += report.dryRun ? "would be allowed:\n" : "allowed:\n"
            for problem in report.problems {
                let place = [problem.entity, problem.property].compactMap(\.self).joined(separator: ".")
                let step = report.path.count > 2 ? " (in the step to \"\(problem.version)\")" : ""
                text += "  \(place): \(problem.message)\(step)\n"
            }
        }
        return text.split(separator: "\n").map(String.init)
    }

    /// The last line.
    static func summary(_ report: StoreMigrationReport) -> String {
        let version = report.path.last ?? ""
        if report.isCurrent { return "\(report.store) has the version \"\(version)\" already; nothing was changed" }
        let kept = CountText.count(report.entities.map(\.kept).reduce(0, +), "object")
        if report.dryRun { return "\(report.store) can be migrated to \"\(version)\": \(kept); nothing was changed" }
        let backup = report.backup.map { "; the old store is \($0)" } ?? ""
        let place = report.output == report.store ? "" : " as \(report.output)"
        return "migrated \(report.store)\(place) to \"\(version)\": \(kept)\(backup)"
    }

    private static func number(_ number: Int) -> String { CountText.grouped(number) }
}
