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
        let warnings = summary.warnings.map { "warning: \($0)\n" }.joined()
        return head.text + "\n" + table.text + (warnings.isEmpty ? "" : "\n" + warnings)
    }
}
