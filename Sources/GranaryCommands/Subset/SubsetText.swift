import GranaryBase
import GranaryImport

/// The report of a subset as text: the objects of each entity, the replaced and kept values of each attribute, and the
/// links that were cut.
enum SubsetText {
    static func lines(_ report: SubsetReport) -> [String] {
        var table = TextTable(indent: "  ")
        for entity in report.entities {
            table.add(entity.name, "\(number(entity.count)) of \(number(entity.total))", reasons(entity))
        }
        var text = report.entities.isEmpty ? "" : "objects:\n" + table.text
        if !report.smallTables.isEmpty {
            var table = TextTable(indent: "  ")
            for small in report.smallTables {
                table.add(small.relationship, "\(number(small.count)) of \(number(small.total)) \(small.entity)")
            }
            text += "small tables (--small-tables):\n" + table.text
        }
        if report.isAnonymised { text += valueText(report) }
        let cut = report.relationships.filter { $0.cut > 0 }
        if !cut.isEmpty {
            var table = TextTable(indent: "  ")
            for relationship in cut {
                table.add(
                    "\(relationship.entity).\(relationship.name)",
                    "\(number(relationship.cut)) of \(number(relationship.cut + relationship.kept))")
            }
            text += "links cut:\n" + table.text
        }
        return text.split(separator: "\n").map(String.init)
    }

    /// Prints the warnings, the lines of the report and the explanations to standard error.
    ///
    /// - Parameter limit: the number of warnings.
    static func log(_ report: SubsetReport, limit: Int) {
        CommandOutput.log(report.warnings, count: report.warningCount, limit: limit)
        for line in lines(report) + explanations(report) { CommandOutput.log(line) }
    }

    /// What happened to values, and the search of the output.
    static func valueLines(_ report: SubsetReport) -> [String] {
        valueText(report).split(separator: "\n").map(String.init)
    }

    private static func valueText(_ report: SubsetReport) -> String { values(report) + found(report) }

    /// Why objects are in the subset.
    static func explanations(_ report: SubsetReport) -> [String] {
        report.explanations.flatMap { explanation in
            explanation.path.isEmpty ? ["\(explanation.object) is not in the subset"] : explanation.path
        }
    }

    private static func number(_ number: Int) -> String { CountText.grouped(number) }

    /// `10 chosen, 2 needed, 5 in step 1`
    private static func reasons(_ entity: SubsetReport.Entity) -> String {
        var parts: [String] = []
        if entity.chosen > 0 { parts.append("\(number(entity.chosen)) chosen") }
        if entity.needed > 0 { parts.append("\(number(entity.needed)) needed") }
        if entity.followed > 0 { parts.append("\(number(entity.followed)) followed") }
        for (index, count) in entity.neighbours.enumerated() where count > 0 {
            parts.append("\(number(count)) in step \(index + 1)")
        }
        return parts.joined(separator: ", ")
    }

    /// The search of the output, with the replaced values that it still has. Those that other values became are in the JSON
    /// only.
    private static func found(_ report: SubsetReport) -> String {
        guard let search = report.search else { return "the output was not searched for replaced values\n" }
        var text =
            "searched \(CountText.count(search.files, "file")) of the output for "
            + "\(CountText.count(search.values, "replaced value")) of \(search.shortest) bytes or more"
        if let sample = search.sample { text += ", a sample of 1 in \(number(Int((1 / sample).rounded())))" }
        let kept = Set(report.attributes.filter { $0.kept > 0 }.map { "\($0.entity).\($0.name)" } + ["the model"])
        let found = search.found.filter { $0.place.map(kept.contains) ?? false }
        guard !found.isEmpty else { return text + "\n" }
        var table = TextTable(indent: "  ")
        for one in found { table.add(one.attribute, number(one.count), "in \(one.place ?? "")") }
        return text + "; found because they are kept elsewhere:\n" + table.text
    }

    private static func values(_ report: SubsetReport) -> String {
        var table = TextTable(indent: "  ")
        for attribute in report.attributes {
            var parts: [String] = []
            if attribute.replaced > 0 {
                let digits = attribute.digitsOnly
                parts.append(
                    "\(number(attribute.replaced)) replaced"
                        + (digits > 0 ? " (\(number(digits)) of them only in their digits)" : ""))
            }
            if attribute.kept > 0 {
                parts.append("\(number(attribute.kept)) kept" + (attribute.reason.map { " (\($0))" } ?? ""))
            }
            if attribute.null > 0 { parts.append("\(number(attribute.null)) NULL") }
            if attribute.empty > 0 { parts.append("\(number(attribute.empty)) empty") }
            table.add("\(attribute.entity).\(attribute.name)", attribute.type, parts.joined(separator: ", "))
        }
        return report.attributes.isEmpty ? "" : "values:\n" + table.text
    }
}
