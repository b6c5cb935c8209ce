import GranaryBase
import GranaryFormats
import GranaryImport
import GranaryModel
import GranaryRecords

/// Whether the first row of a delimited file names its columns.
struct HeaderSurvey {
    private(set) var options: CSVReader.Options
    private(set) var finding: SurveyFinding

    private static let mostRows = 500

    /// - Parameters:
    ///   - sample: the beginning of the file.
    ///   - given: whether there is a header, and the columns, if the caller has said so.
    init(
        _ sample: [UInt8], _ dialect: CSVReader.Options, given: SourceOptions, entity: Schema.Entity?
    ) throws(GranaryError) {
        options = dialect
        options.hasHeader = given.hasHeader
        options.columns = given.columns
        if let columns = given.columns {
            finding = SurveyFinding(.header, "none", "\(CountText.count(columns.count, "column")) were named")
            return
        }
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
        guard given.hasHeader else {
            finding = SurveyFinding(.header, "none", "as given")
            nameColumns(names.count, entity, isGiven: true)
            return
        }
        let areTyped = names.map { Self.isTyped($0) }
        let typed = areTyped.count { $0 }
        if let entity {
            let known = Set((entity.attributes.map(\.name) + entity.relationships.map(\.name)).map(ColumnNames.folded))
            let matching = names.count { known.contains(ColumnNames.folded($0)) }
            // A property can have the name of a value in the first row.
            if matching > 0, typed == 0 || matching * 2 > names.count {
                finding = SurveyFinding(
                    .header, "the first row", "\(matching) of \(names.count) names are properties of \(entity.name)")
                note(names)
                return
            }
        }
        let rest = rows.dropFirst()
        let differing = names.indices.filter { column in
            !areTyped[column] && !names[column].isEmpty && !rest.isEmpty
                && rest.allSatisfy { column < $0.count && ($0[column].isEmpty || Self.isTyped($0[column])) }
                && rest.contains { column < $0.count && !$0[column].isEmpty }
        }
        // The name of a column can be a number, such as a year, if other names show that they are names.
        let areNames =
            Set(names).count == names.count
            && (typed == 0 || entity == nil && !differing.isEmpty && typed * 2 < names.count)
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
        finding = SurveyFinding(
            .header, "none",
            typed > 0
                ? "the first row has \(typed) of \(names.count) fields that are numbers or dates"
                : "the first row has texts of other rows", [SurveyOption("no-header")])
        nameColumns(names.count, entity, isGiven: false)
    }

    /// Gives the columns of a file without a header names, because an import needs them.
    private mutating func nameColumns(_ count: Int, _ entity: Schema.Entity?, isGiven: Bool) {
        options.hasHeader = false
        let attributes =
            entity?.attributes.filter { $0.isPersistent && $0.description.derivationExpression == nil } ?? []
        let known = attributes.prefix(count).map(\.name)
        let columns = known + (known.count..<max(known.count, count)).map { "column\($0 + 1)" }
        options.columns = columns
        let text = columns.joined(separator: ",")
        finding.options.append(SurveyOption("columns", text))
        let source = entity.map { "these are the attributes of \($0.name) in the model's order" } ?? "put yours instead"
        finding.doubt = SurveyDoubt(
            "the columns have no names; \(source)",
            [OptionHelp.option("columns", text) ?? text]
                + (isGiven ? [] : ["without --no-header and --columns, if the first row has the names"]))
    }

    /// Columns without a name are ignored.
    private mutating func note(_ names: [String]) {
        guard names.contains("") else { return }
        options.allowsUnnamedColumns = true
        finding.options.append(SurveyOption("ignore", ""))
    }

    private static func isTyped(_ text: String) -> Bool {
        let bytes = Array(text.trimmingSpaces.utf8)
        guard !bytes.isEmpty else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            var numbers = NumberReadings()
            numbers.add(bytes)
            // Q1 is a name, also where Q is a currency.
            if numbers.others == 0, numbers.affixes.isEmpty { return true }
            var dates = DateReadings()
            dates.add(bytes)
            return dates.others == 0
        }
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
