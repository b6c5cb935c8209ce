import GranaryBase
import GranaryImport

/// The changes of an import that the ledger does not count, and the list of changes of a dry run.
enum ChangeSummary {
    /// The number of keys that a line lists.
    private static let keyLimit = 10
    /// The number of changes that a dry run lists by default.
    static let changeLimit = 20

    /// The lines of a dry run: its counts, then the first changes.
    ///
    /// - Parameter limit: the number of changes to list.
    static func plan(_ report: ImportReport, limit: Int) -> [String] {
        let replaced = report.replaced > 0 ? " (\(CountText.grouped(report.replaced)) replaced)" : ""
        var parts = [
            "\(CountText.grouped(report.created)) new", "\(CountText.grouped(report.updated)) changed\(replaced)",
            "\(CountText.grouped(report.pruned)) deleted", "\(CountText.grouped(report.rejected)) rejected",
        ]
        if report.madeByLookup > 0 { parts.append("\(CountText.grouped(report.madeByLookup)) created on demand") }
        if report.nested > 0 { parts.append("\(CountText.grouped(report.nested)) nested") }
        var lines = ["dry run: " + parts.joined(separator: ", ")]
        // Deletions come first, because they must be seen before the run.
        let deleted = report.changes.filter { $0.action == .delete }
        let listed = (deleted + report.changes.filter { $0.action != .delete }).prefix(max(limit, 0))
        lines += listed.map(line)
        let rest = max(report.changeCount, report.changes.count) - listed.count
        if rest > 0 { lines.append("  … and \(CountText.count(rest, "more change")); --report FILE has more") }
        return lines
    }

    /// The counts and the time for people: `488 rows: 486 created, 2 rejected (0.4 s)`. Scripts read the ledger.
    static func sentence(_ report: ImportReport) -> String {
        let counts = [
            (report.created, "created"), (report.updated, "updated"), (report.unchanged, "unchanged"),
            (report.skipped, "skipped"), (report.rejected, "rejected"),
        ]
        let parts = counts.filter { $0.0 > 0 }.map { "\(CountText.grouped($0.0)) \($0.1)" }
        let list = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
        let seconds = (report.seconds * 10).rounded() / 10
        return "\(CountText.count(report.read, "row"))\(list) (\(seconds) s)"
    }

    /// The lines for objects that are not records: pruned ones, and those created by lookups or nested in records.
    static func done(_ report: ImportReport) -> [String] {
        var lines = deeds("pruned", .delete, report.pruned, report, listsKeys: true)
        lines += deeds("created", .create, report.madeByLookup, report, listsKeys: false, adjective: "missing ")
        if report.nested > 0 { lines.append("nested \(CountText.grouped(report.nested))") }
        return lines
    }

    /// `  update Patient/p3 "ann@example.org" (patients.csv:5): age 44 -> 45, injuries`
    private static func line(_ change: ImportChange) -> String {
        var text = "  \(change.action.rawValue) \(change.id)"
        if let key = change.key { text += " \(key)" }
        if let file = change.file { text += " (\(file)\(change.line.map { ":\($0)" } ?? ""))" }
        let values = Dictionary((change.values ?? []).map { ($0.property, $0) }, uniquingKeysWith: { $1 })
        let properties = change.properties.map { name in
            values[name].map { "\(name) \($0.old) -> \($0.new)" } ?? name
        }
        if !properties.isEmpty { text += ": " + properties.joined(separator: ", ") }
        return text
    }

    /// One line for each entity, or a single line if the report does not contain every change.
    private static func deeds(
        _ verb: String, _ action: ImportChange.Action, _ count: Int, _ report: ImportReport, listsKeys: Bool,
        adjective: String = ""
    ) -> [String] {
        guard count > 0 else { return [] }
        let changes = report.changes.filter { $0.action == action }
        guard changes.count == count else {
            return [
                "\(verb) \(CountText.grouped(count))" + (adjective.isEmpty ? "" : " missing objects")
                    + (listsKeys ? keys(changes.map(\.id), of: count) : "")
            ]
        }
        var entities: [String] = []
        var found: [String: [String]] = [:]
        for change in changes {
            if found[change.entity] == nil { entities.append(change.entity) }
            // The line already contains the entity.
            let key = change.id.split(separator: "/").last.map(String.init) ?? change.id
            found[change.entity, default: []].append(key)
        }
        return entities.map { entity in
            let all = found[entity] ?? []
            return "\(verb) \(CountText.grouped(all.count)) \(adjective)\(entity)"
                + (listsKeys ? keys(all, of: all.count) : "")
        }
    }

    private static func keys(_ keys: [String], of count: Int) -> String {
        if keys.isEmpty { return "" }
        let listed = keys.prefix(keyLimit)
        return ": " + listed.joined(separator: ", ") + (count > listed.count ? ", …" : "")
    }
}
