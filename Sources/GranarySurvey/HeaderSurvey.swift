import GranaryBase
import GranaryFormats
import GranaryImport
import GranaryModel

/// Whether the first row of a delimited file names its columns.
struct HeaderSurvey {
    private(set) var options: CSVReader.Options
    private(set) var finding: SurveyFinding

    private static let mostRows = 500

    /// - Parameter sample: the beginning of the file.
    init(_ sample: [UInt8], _ dialect: CSVReader.Options, entity: Schema.Entity?) throws(GranaryError) {
        options = dialect
        options.hasHeader = true
        var trial = dialect
        trial.hasHeader = false
        let reader = try CSVReader(ByteSource(bytes: sample, name: ""), options: trial)
        var record = Record()
        var rows: [[String]] = []
        reading: while rows.count < Self.mostRows {
            switch try reader.next(into: &record) {
            case .record: rows.append(record.fields.map { String(decoding: record.bytes[$0.range], as: UTF8.self) })
            case .malformed: continue
            case .end: break reading
            }
        }
        guard let first = rows.first else {
            finding = SurveyFinding(.header, "none", "the file has no row")
            return
        }
        let names = first.map { $0.trimmingSpaces }
        if let entity {
            let known = Set((entity.attributes.map(\.name) + entity.relationships.map(\.name)).map(ColumnNames.folded))
            let matching = names.count { known.contains(ColumnNames.folded($0)) }
            if matching > 0 {
                finding = SurveyFinding(
                    .header, "the first row", "\(matching) of \(names.count) names are properties of \(entity.name)")
                note(names)
                return
            }
        }
        let areTyped = names.map { Self.isTyped($0) }
        let typed = areTyped.count { $0 }
        let rest = rows.dropFirst()
        let differing = names.indices.filter { column in
            !areTyped[column] && !names[column].isEmpty && !rest.isEmpty
                && rest.allSatisfy { column < $0.count && ($0[column].isEmpty || Self.isTyped($0[column])) }
                && rest.contains { column < $0.count && !$0[column].isEmpty }
        }
        // The name of a column can be a number, such as a year, if other names show that they are names.
        let areNames =
            Set(names).count == names.count && (typed == 0 || !differing.isEmpty && typed * 2 < names.count)
        let repeated = names.indices.contains { column in
            rest.contains { column < $0.count && $0[column] == first[column] }
        }
        if areNames, !differing.isEmpty || !repeated, !names.allSatisfy(\.isEmpty) {
            finding = SurveyFinding(
                .header, "the first row",
                differing.isEmpty
                    ? "its texts stand in no other row"
                    : "\(differing.count) of \(names.count) columns have other values below")
            note(names)
            return
        }
        options.hasHeader = false
        finding = SurveyFinding(
            .header, "none",
            typed > 0
                ? "the first row has \(typed) of \(names.count) fields that are numbers or dates"
                : "the first row has texts of other rows", [SurveyOption("no-header")])
        guard let entity else { return }
        let attributes = entity.attributes.filter { $0.isPersistent && $0.description.derivationExpression == nil }
        let columns = attributes.prefix(names.count).map(\.name)
        let others = (columns.count..<max(columns.count, names.count)).map { "column\($0 + 1)" }
        options.columns = columns + others
        finding.options.append(SurveyOption("columns", (columns + others).joined(separator: ",")))
        finding.doubt = SurveyDoubt(
            "the columns have no names; these are the attributes of \(entity.name) in the model's order",
            ["--columns " + (columns + others).joined(separator: ",")])
    }

    /// Columns without a name are ignored.
    private mutating func note(_ names: [String]) {
        guard names.contains("") else { return }
        options.allowsUnnamedColumns = true
        finding.options.append(SurveyOption("ignore", ""))
    }

    private static func isTyped(_ text: String) -> Bool {
        var numbers = NumberReadings()
        var dates = DateReadings()
        let bytes = Array(text.trimmingSpaces.utf8)
        guard !bytes.isEmpty else { return false }
        bytes.withUnsafeBufferPointer {
            numbers.add($0)
            dates.add($0)
        }
        return numbers.others == 0 || dates.others == 0
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var text = self[...]
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
