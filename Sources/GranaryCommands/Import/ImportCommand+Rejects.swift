import GranaryFormats
import GranaryImport

extension ImportCommand {
    /// How the command that imports the corrected rejects file differs from this one besides the files; nil if it does
    /// not.
    func rejectsHint(_ inputs: [String]) throws -> String? {
        guard let rejects = runArguments.rejects else { return nil }
        var formats = Set(try database.areSet ? [] : inputs.map { try source.format(of: $0) })
        if terms.terms != nil { formats = [.terms] }
        let isTable = runArguments.rejectsFormat == .csv
        let becomesCSV = formats.contains(.terms) || isTable && !formats.allSatisfy(\.isDelimited)
        var added: [String] = []
        if let format = Self.format(
            of: formats, isTable: isTable, becomesCSV: becomesCSV || isTable && database.areSet),
            (source.format ?? DataFormat(fileName: rejects)) != format
        {
            added = ["--format \(format.rawValue)"]
        }
        // A name such as bad.csv is no entity's, and a table has the records of one.
        if basic.entity == nil, isTable || database.areSet || formats.contains(where: \.isNamedAfterEntity) {
            added.append("--entity NAME")
        }
        var removed: [String] = []
        func remove(_ option: String, if isSet: Bool) { if isSet { removed.append("--" + option) } }
        remove("table", if: database.table != nil)
        remove("sql", if: database.sql != nil)
        if formats.contains(.terms) {
            remove("terms", if: terms.terms != nil)
            remove("delimiter", if: source.delimiter != nil)
            remove("field-delimiter", if: terms.fieldDelimiter != nil)
            remove("attribute", if: terms.attribute != nil)
            remove("ordinal", if: terms.ordinal != nil)
            remove("ordinal-start", if: terms.ordinalStart != 0)
        }
        if becomesCSV {
            remove("records", if: !source.records.isEmpty)
            remove("record-key", if: source.recordKey != nil)
            remove("encoding", if: source.encoding != nil)
        }
        if isTable {
            remove("no-header", if: source.noHeader)
            remove("columns", if: source.columns != nil)
        }
        guard !added.isEmpty || !removed.isEmpty else { return nil }
        let with = added.isEmpty ? "" : " with " + added.joined(separator: " ")
        let without = removed.isEmpty ? "" : " without " + removed.joined(separator: ", ")
        return "import them\(with)\(with.isEmpty || without.isEmpty ? "" : ",")\(without)"
    }

    /// The format of the rejects file; nil if there can be several files of different formats.
    private static func format(of formats: Set<DataFormat>, isTable: Bool, becomesCSV: Bool) -> DataFormat? {
        if becomesCSV { return formats.count > 1 ? nil : .csv }
        if formats.isEmpty { return .ndjson }
        return formats.count == 1 ? formats.first : nil
    }
}
