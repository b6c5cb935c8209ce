import GranaryBase
import GranaryFormats
import GranarySeedPlans
import GranarySurvey

/// What a survey of a file says, and the command or the seed plan that imports the file so.
struct ImportAdvice {
    private let survey: FileSurvey
    private let models: [String]
    private let store: String
    private let entity: String

    /// - Parameter entity: nil for the name of the file.
    init(_ survey: FileSurvey, models: [String], store: String, entity: String?) {
        self.survey = survey
        self.models = models
        self.store = store
        self.entity = entity ?? DataFormat.baseName(of: survey.path)
    }

    // MARK: - Text

    var text: String {
        var lines: [String] = []
        for finding in survey.findings {
            let name = finding.aspect.rawValue + ":"
            let padding = String(repeating: " ", count: max(1, 11 - name.count))
            lines.append(
                "\(name)\(padding)\(finding.value)\(finding.evidence.isEmpty ? "" : "  (\(finding.evidence))")")
        }
        var records = CountText.count(survey.records, "record")
        if survey.malformed > 0 { records += ", \(CountText.grouped(survey.malformed)) of them malformed" }
        lines.append("read:      \(records), \(CountText.count(survey.columns.count, "column"))")
        if let problem = survey.firstProblem { lines.append("           first: \(problem.description)") }
        if let malformed { lines.append("           " + malformed) }
        lines.append("")
        for doubt in survey.doubts {
            lines.append("undecided: \(doubt.text)")
            for (index, reading) in doubt.readings.enumerated() {
                lines.append("           \(index == 0 ? "here" : "or  "): \(reading)")
            }
        }
        if !survey.doubts.isEmpty { lines.append("") }
        if let command {
            lines.append(command)
        } else {
            lines.append("# Some columns need options of their own, which only a seed plan has (--plan):")
            lines.append(String(plan.dropLast()))
        }
        if command != nil, models.isEmpty { lines.append(Self.modelAdvice(survey.path)) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What an import does about malformed records; nil if there are none.
    private var malformed: String? {
        guard survey.malformed > 0 else { return nil }
        return survey.malformed == survey.records
            ? "An import refuses the file: no record is well-formed."
            : "An import refuses the file; correct these records, or see --mode keep-good, which leaves them out."
    }

    /// A comment about a file for which there is no model.
    static func modelAdvice(_ path: String) -> String {
        "# Without a model: granary model init \(OptionHelp.quoted(path) ?? "FILE") --output Model.granary.yaml"
    }

    /// The command that imports the file; nil if it needs options for single columns.
    private var command: String? {
        guard !survey.needsPlan else { return nil }
        let modelText = models.isEmpty ? ["MODEL"] : models
        let places =
            [OptionHelp.quoted(survey.path.hasPrefix("-") ? "./" + survey.path : survey.path)]
            + modelText.map { OptionHelp.option("model", $0) }
            + [OptionHelp.option("store", store)]
            + (survey.namesEntities ? [] : [OptionHelp.option("entity", entity)])
        let options = survey.options.map(\.text)
        guard let all = OptionHelp.all(["granary import"] + places + options) else { return nil }
        return all
    }

    // MARK: - Plan

    static func planHeader(models: [String], store: String) -> [String] {
        [
            "model: "
                + (models.count == 1 ? PlanText.quoted(models[0]) : PlanText.list(models.isEmpty ? ["MODEL"] : models)),
            "store: " + PlanText.quoted(store), "imports:",
        ]
    }

    static let planModelAdvice = "# Put your model instead of MODEL."

    var plan: String {
        var lines = [
            "# What granary inspect found in \(survey.path): \(CountText.count(survey.records, "record")), "
                + CountText.count(survey.columns.count, "column")
        ]
        lines += Self.planHeader(models: models, store: store)
        lines +=
            survey.namesEntities
            ? ["  - file: " + PlanText.quoted(survey.path)]
            : ["  - entity: " + PlanText.quoted(entity), "    file: " + PlanText.quoted(survey.path)]
        var columnOptions: [(column: String, option: SurveyOption)] = []
        var maps: [(String, String)] = []
        var lookups: [(String, String)] = []
        var ignored: [String] = []
        for finding in survey.findings where !finding.options.isEmpty {
            let comment = "\(finding.aspect.rawValue): \(finding.value) (\(finding.evidence))"
            var values: [(name: String, values: [String?])] = []
            for option in finding.options {
                if let column = option.column {
                    columnOptions.append((column, option))
                } else if option.name == "map", let pair = Self.pair(option.value) {
                    maps.append(pair)
                } else if option.name == "lookup", let pair = Self.pair(option.value) {
                    lookups.append(pair)
                } else if option.name == "ignore" {
                    ignored.append(option.value ?? "")
                } else if let index = values.firstIndex(where: { $0.name == option.name }) {
                    values[index].values.append(option.value)
                } else {
                    values.append((option.name, [option.value]))
                }
            }
            guard !values.isEmpty else { continue }
            lines.append("    # " + VisibleText.escaped(comment))
            for (name, texts) in values {
                let present = texts.compactMap { $0 }
                let isNumber = name == "skip-rows"
                let value =
                    present.isEmpty
                    ? "true"
                    : present.count > 1 ? PlanText.list(present) : isNumber ? present[0] : PlanText.quoted(present[0])
                lines.append("    \(name): \(value)")
            }
        }
        if let finding = survey.findings.last(where: { $0.aspect == .columns }), !finding.evidence.isEmpty {
            lines.append("    # " + VisibleText.escaped("columns: \(finding.value) (\(finding.evidence))"))
        }
        if !maps.isEmpty { lines.append("    map: " + PlanText.mapping(maps)) }
        if !lookups.isEmpty { lines.append("    lookup: " + PlanText.mapping(lookups)) }
        if !ignored.isEmpty { lines.append("    ignore: " + PlanText.list(ignored)) }
        if !columnOptions.isEmpty { lines += Self.lines(columnOptions) }
        return lines.joined(separator: "\n") + (models.isEmpty ? "\n" + Self.planModelAdvice : "") + "\n"
    }

    private static func lines(_ options: [(column: String, option: SurveyOption)]) -> [String] {
        var lines = ["    column-options:"]
        var seen: [String] = []
        for (column, _) in options where !seen.contains(column) { seen.append(column) }
        for column in seen {
            lines.append("      \(PlanText.quoted(column)):")
            let own = options.filter { $0.column == column }.map(\.option)
            var names: [String] = []
            for option in own where !names.contains(option.name) { names.append(option.name) }
            for name in names {
                let values = own.filter { $0.name == name }.compactMap(\.value)
                lines.append(
                    "        \(name): \(values.isEmpty ? "true" : values.count > 1 ? PlanText.list(values) : PlanText.quoted(values[0]))"
                )
            }
        }
        return lines
    }

    private static func pair(_ text: String?) -> (String, String)? {
        guard let text, let equals = text.firstIndex(of: "=") else { return nil }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    // MARK: - JSON

    var json: JSONObject {
        [
            "file": survey.path, "format": survey.format.rawValue, "records": survey.records,
            "malformed": survey.malformed, "columns": survey.columns.map(\.name),
            "findings": survey.findings.map { finding -> JSONObject in
                [
                    "aspect": finding.aspect.rawValue, "value": finding.value, "evidence": finding.evidence,
                    "options": finding.options.map { option -> JSONObject in
                        JSONObject(present: ["name": option.name, "value": option.value, "column": option.column])
                    },
                ]
            },
            "undecided": survey.doubts.map { doubt -> JSONObject in
                ["text": doubt.text, "readings": doubt.readings]
            },
            "command": command, "plan": plan,
        ]
    }

    /// Writes the doubts to standard error, where a plan goes to a file.
    func logDoubts() {
        if let malformed {
            CommandOutput.log(
                "\(CountText.grouped(survey.malformed)) of \(CountText.count(survey.records, "record")) are malformed. "
                    + malformed)
        }
        for doubt in survey.doubts {
            CommandOutput.log("undecided: \(doubt.text): \(doubt.readings.joined(separator: " or "))")
        }
    }
}
