import GranaryFormats
import Foundation
import GranaryBase

extension PlanReader {
    /// Which column is for which property.
    func readColumns(_ layers: Layers, _ options: inout ImportOptions) {
        for node in layers.all(.map) {
            for (column, value) in pairs(node, "columns and their properties") {
                options.columnMap[column] = text(value)
            }
        }
        if let ignored = layers[.ignore].flatMap(texts) { options.ignoredColumns = Set(ignored) }
        // Columns that the plan's defaults ignore need not be in the files of every import.
        if layers[.ignore] != nil, layers.mappings.last?[.ignore] == nil { options.checksIgnoredColumns = false }
        for node in layers.all(.constant) {
            for (property, value) in pairs(node, "properties and their values") {
                options.constants[property] = text(value)
            }
        }
        for node in layers.all(.lookup) {
            for (relationship, value) in pairs(node, "relationships and the attributes to find objects by") {
                options.lookups[relationship] = lookup(value)
            }
        }
        if let byte = layers[.listSeparator].flatMap({ option($0, OptionText.byte) }) { options.listSeparator = byte }
        for node in layers.all(.columnOptions) {
            for (column, value) in pairs(node, "columns and their options") {
                options.columnOptions[column] = columnOptions(value, column, &options)
            }
        }
    }

    private func lookup(_ node: Int) -> ImportOptions.Lookup? {
        guard case .list = tree.content(node) else { return text(node).map(OptionText.lookup) }
        return texts(node).map { $0.count == 1 ? OptionText.lookup($0[0]) : .attributes($0) }
    }

    private func columnOptions(_ node: Int, _ column: String, _ all: inout ImportOptions) -> ColumnOptions {
        let said = mapping(node, "a column's options", PlanColumnKey.self)
        var options = ColumnOptions()
        if let property = said[.property].flatMap(text) {
            if let other = all.columnMap[column], other != property, let place = said.keyNode(.property) {
                report("map says \"\(other)\" for this column", at: place)
            }
            all.columnMap[column] = property
        }
        options.nullTexts = said[.null].flatMap(texts)
        options.dateFormats = said[.dateFormat].flatMap(dateFormats)
        options.timeZone = said[.timeZone].flatMap { option($0, OptionText.timeZone) }
        options.binaryFormat = said[.binary].flatMap { choice($0, BinaryStyle.self) }
        options.decimalSeparator = said[.decimalSeparator].flatMap { option($0, OptionText.byte) }
        options.groupSeparator = said[.groupSeparator].flatMap { option($0, OptionText.byte) }
        options.trueTexts = said[.trueTexts].flatMap(texts)
        options.falseTexts = said[.falseTexts].flatMap(texts)
        options.trims = said[.trim].flatMap(flag)
        options.scale = said[.scale].flatMap(decimal)
        if let node = said[.enumeration] {
            var words: [String: String] = [:]
            for (word, value) in pairs(node, "texts of the file and what is read in their place") {
                words[word] = text(value)
            }
            options.enumeration = words
        }
        let both = Set(options.trueTexts ?? []).intersection(options.falseTexts ?? [])
        if let word = both.sorted().first, let place = said[.falseTexts] {
            report("\"\(Diagnostic.shortened(word))\" is true and false", at: place)
        }
        return options
    }

    /// Reads one date format or a list of them.
    private func dateFormats(_ node: Int) -> [ImportOptions.DateFormat]? {
        let formats = elements(node).compactMap { option($0, OptionText.dateFormat) }
        return formats.isEmpty ? nil : formats
    }

    /// How fields are read as values.
    func readValues(_ layers: Layers, _ options: inout ImportOptions) {
        if let found = layers[.null].flatMap(texts) { options.nullTexts = found }
        options.nullIsDefault = layers[.nullIsDefault].flatMap(flag) ?? false
        options.allowsRounding = layers[.allowRounding].flatMap(flag) ?? false
        options.emptyIsNull = layers[.emptyIsNull].flatMap(flag) ?? false
        options.nullQuoted = layers[.nullQuoted].flatMap(flag) ?? false
        options.trims = layers[.trim].flatMap(flag) ?? false
        options.trueTexts = layers[.trueTexts].flatMap(texts)
        options.falseTexts = layers[.falseTexts].flatMap(texts)
        if let formats = layers[.dateFormat].flatMap(dateFormats) { options.dateFormats = formats }
        options.locale = layers[.locale].flatMap { option($0, OptionText.locale) }
        if let policy = layers[.dst].flatMap({ choice($0, DaylightSavingPolicy.self) }) {
            options.daylightSaving = policy
        }
        options.timeZone = layers[.timeZone].flatMap { option($0, OptionText.timeZone) }
        if let format = layers[.binary].flatMap({ choice($0, BinaryStyle.self) }) {
            options.binaryFormat = format
        }
        if let byte = layers[.decimalSeparator].flatMap({ option($0, OptionText.byte) }) {
            options.decimalSeparator = byte
        }
        options.groupSeparator = layers[.groupSeparator].flatMap { option($0, OptionText.byte) }
        if NumberFormat(decimalSeparator: options.decimalSeparator, groupSeparator: options.groupSeparator) == nil,
            let place = layers[.groupSeparator] ?? layers[.decimalSeparator]
        {
            report("the decimal and the group separator are the same, or no separators", at: place)
        }
    }
}
