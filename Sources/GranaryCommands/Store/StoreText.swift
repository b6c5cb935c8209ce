import Foundation
import GranaryPersistence

/// A store as `store info` prints it.
enum StoreText {
    static func text(of summary: StoreSummary) -> String {
        var head = TextTable()
        head.add("UUID", summary.identifier)
        head.add("framework version", summary.frameworkVersion.map { "\($0)" } ?? "unknown")
        for (name, value) in summary.pragmas { head.add(name, value) }
        head.add("history", summary.historyTransactions.map { "\($0) transactions" } ?? "none")

        var table = TextTable()
        table.add("number", "entity", "kind of", "objects", "version hash")
        for entity in summary.entities {
            let name = entity.isAbstract == true ? "\(entity.name) (abstract)" : entity.name
            table.add(
                "\(entity.number)", name, entity.parent ?? "", entity.count.map { "\($0)" } ?? "?",
                entity.hash?.base64EncodedString() ?? "")
        }
        let runs = text(ofRuns: summary)
        let warnings = summary.warnings.map { "warning: \($0)\n" }.joined()
        return head.text + "\n" + table.text + (runs.isEmpty ? "" : "\n" + runs)
            + (warnings.isEmpty ? "" : "\n" + warnings)
    }

    private static func text(ofRuns summary: StoreSummary) -> String {
        guard !summary.runs.isEmpty || summary.droppedRuns > 0 else { return "" }
        var table = TextTable()
        table.add(
            "run", "read", "created", "updated", "unchanged", "skipped", "rejected", "pruned", "made", "revertible")
        for run in summary.runs {
            let counts = run.counts
            table.add(
                run.id, "\(counts.read)", "\(counts.created)", "\(counts.updated)", "\(counts.unchanged)",
                "\(counts.skipped)", "\(counts.rejected)", "\(counts.pruned)", "\(counts.madeByLookup)",
                run.isRevertible ? "yes" : "no")
        }
        let dropped = summary.droppedRuns
        return table.text + (dropped > 0 ? "and \(dropped) older, which the ledger had no room for\n" : "")
    }
}
