import GranaryBase
import GranaryComparison

/// The text of `store diff`: a line for each object that differs, then the differences of the models and the counts.
final class StoreDiffText {
    private let limit: Int
    private var count = 0
    private let output = BufferedOutput()

    /// - Parameter limit: the number of objects to list.
    init(limit: Int) { self.limit = limit }

    func add(_ difference: ObjectDifference) throws(GranaryError) {
        count += 1
        guard count <= limit else { return }
        try output.append(VisibleText.escaped(difference.description) + "\n")
    }

    func finish(_ summary: StoreDiffSummary) throws(GranaryError) {
        var text = ""
        if count > limit { text += "… and \(CountText.grouped(count - limit)) more\n" }
        for difference in summary.schema { text += "model: \(difference)\n" }
        for links in summary.links { text += "\(links)\n" }
        var table = TextTable()
        let shown = summary.entities.filter { $0.same + $0.differences > 0 }
        if !shown.isEmpty { table.add("entity", "same", "changed", "only in A", "only in B") }
        for entity in shown {
            table.add(
                entity.name, CountText.grouped(entity.same), CountText.grouped(entity.changed),
                CountText.grouped(entity.onlyInA), CountText.grouped(entity.onlyInB))
        }
        let empty = summary.entities.count - shown.count
        let rest =
            empty == 0 ? "" : "\(CountText.grouped(empty)) \(empty == 1 ? "entity has" : "entities have") no objects\n"
        let counts = table.text + rest
        text += (text.isEmpty && count == 0 ? "" : "\n") + counts + (counts.isEmpty ? "" : "\n")
        text += summary.verdict + "\n"
        try output.append(VisibleText.escapedLines(text))
        try output.flush()
    }
}
