import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection

/// The text of `store info`.
enum StoreText {
    static func text(of summary: StoreSummary) -> String {
        let sections = [
            head(summary), differences(summary), entities(summary), relationships(summary), text(ofRuns: summary),
            summary.leftovers.map { "leftover: \($0)\n" }.joined(),
            summary.warnings.map { "warning: \($0)\n" }.joined(),
        ]
        return sections.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func head(_ summary: StoreSummary) -> String {
        var head = TextTable()
        head.add("UUID", summary.identifier)
        let version = summary.frameworkVersion.map { "\($0)" } ?? "unknown"
        head.add("framework version", version + (summary.system.map { " (\($0))" } ?? ""))
        head.add("model", (summary.model ?? .inferred).rawValue)
        if let fits = summary.fits { head.add("the given model fits", fits ? "yes" : "no") }
        if !summary.versionIdentifiers.isEmpty {
            let identifiers = summary.versionIdentifiers.map { "\"\(shown($0))\"" }
            head.add("version identifiers", identifiers.joined(separator: ", "))
        }
        if !summary.userKeys.isEmpty {
            head.add("custom metadata keys", summary.userKeys.map(shown).joined(separator: ", "))
        }
        for (name, value) in summary.pragmas { head.add(name, value) }
        head.add("history", summary.history.map(history) ?? "none")
        if let external = summary.external { head.add("external data", text(of: external)) }
        if !summary.derivedTriggers.isEmpty {
            head.add("triggers", "\(summary.derivedTriggers.count) of Core Data")
        }
        if !summary.cloudTables.isEmpty { head.add("CloudKit", CountText.count(summary.cloudTables.count, "table")) }
        return head.text
    }

    private static func history(_ history: StoreSummary.History) -> String {
        var text =
            CountText.count(history.transactions, "transaction") + ", " + CountText.count(history.changes, "change")
        if let first = history.first, let last = history.last { text += ", \(first) to \(last)" }
        if !history.authors.isEmpty { text += ", by \(history.authors.joined(separator: ", "))" }
        return text
    }

    private static func text(of external: StoreSummary.External) -> String {
        "\(external.columns.joined(separator: ", ")): \(external.inlineValues) inline, \(external.files) in files "
            + "(\(CountText.count(external.bytes, "byte")), \(external.missingFiles) missing), "
            + "\(CountText.count(external.unusedFiles, "unused file"))"
    }

    private static func differences(_ summary: StoreSummary) -> String {
        var table = TextTable()
        for difference in summary.differences {
            table.add(shown(difference.entity), difference.what.rawValue)
            for property in difference.properties { table.add("  " + shown(property.name), property.what) }
        }
        return table.text
    }

    private static func entities(_ summary: StoreSummary) -> String {
        var table = TextTable()
        table.add("number", "entity", "parent", "objects", "attributes", "relationships", "version hash")
        for entity in summary.entities {
            var name = shown(entity.name) + (entity.isAbstract == true ? " (abstract)" : "")
            if let stored = entity.storedName { name += " (formerly \(shown(stored)))" }
            table.add(
                "\(entity.number)", name, shown(entity.parent ?? ""), entity.count.map { "\($0)" } ?? "?",
                entity.attributes.map { "\($0.count)" } ?? "?", entity.relationships.map { "\($0.count)" } ?? "?",
                entity.hash?.base64EncodedString() ?? "")
        }
        return table.text
    }

    private static func relationships(_ summary: StoreSummary) -> String {
        var table = TextTable()
        for entity in summary.entities {
            for relationship in entity.relationships ?? [] {
                let kind = (relationship.ordered ? "ordered " : "") + (relationship.toMany ? "to-many" : "to-one")
                let inverse = relationship.inverse.map { "inverse \(shown($0))" } ?? "no inverse"
                table.add(
                    "\(shown(entity.name)).\(shown(relationship.name))", kind, shown(relationship.destination), inverse)
            }
        }
        return table.text
    }

    /// A name from the store, escaped and cut to the length of a line.
    private static func shown(_ name: String) -> String { Diagnostic.shortened(name) }

    private static func text(ofRuns summary: StoreSummary) -> String {
        guard !summary.runs.isEmpty || summary.droppedRuns > 0 else { return "" }
        var table = TextTable()
        table.add(
            "run", "date", "read", "created", "updated", "unchanged", "skipped", "rejected", "pruned", "made",
            "revertible", "sources")
        for run in summary.runs {
            let counts = run.counts
            table.add(
                run.id, run.dateText, "\(counts.read)", "\(counts.created)", "\(counts.updated)", "\(counts.unchanged)",
                "\(counts.skipped)", "\(counts.rejected)", "\(counts.pruned)", "\(counts.madeByLookup)",
                run.isRevertible ? "yes" : "no", run.sourcesText)
        }
        let dropped = summary.droppedRuns
        let note = dropped > 0 ? "\(CountText.count(dropped, "older run")) removed from the ledger\n" : ""
        return table.text + note
    }
}
