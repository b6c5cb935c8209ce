import Foundation
import GranaryBase
import GranaryFormats
import GranaryImport
import GranaryRecords
import GranaryYAML

extension PlanReader {
    /// Reads the options on columns.
    func readColumns(_ layers: Layers, _ options: inout ImportOptions) {
        for node in layers.all(.map) {
            for (column, value) in pairs(node, "columns and their properties") {
                options.columnMap[column] = text(value)
            }
        }
        if let ignored = layers[.ignore].flatMap(texts) {
            (options.ignoredColumns, options.ignoresOtherColumns) = OptionText.ignored(ignored)
        }
        // A column that the defaults ignore does not have to exist in every file.
        if layers[.ignore] != nil, layers.mappings.last?[.ignore] == nil { options.checksIgnoredColumns = false }
        for node in layers.all(.constant) {
            for (property, value) in pairs(node, "properties and their values") {
                options.constants[property] = text(value)
            }
        }
        for node in layers.all(.lookup) {
            for (relationship, value) in pairs(node, "relationships and the attributes of their keys") {
                options.lookups[relationship] = lookup(value)
            }
        }
        read(&options.listSeparator, layers[.listSeparator]) { option($0, OptionText.byte) }
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
        let members = mapping(node, "a column", PlanColumnKey.self)
        var options = ColumnOptions()
        if let property = members[.property].flatMap(text) {
            if let other = all.columnMap[column], other != property, let place = members.keyNode(.property) {
                report("map assigns \"\(other)\" to this column", at: place)
            }
            all.columnMap[column] = property
        }
        options.nullTexts = members[.null].flatMap(texts)
        options.dateFormats = members[.dateFormat].flatMap(dateFormats)
        options.timeZone = members[.timeZone].flatMap { option($0, OptionText.timeZone) }
        options.binaryFormat = members[.binary].flatMap(choice)
        options.decimalSeparator = members[.decimalSeparator].flatMap { option($0, OptionText.separator) }
        options.groupSeparator = members[.groupSeparator].flatMap { option($0, OptionText.separator) }
        options.currencies = members[.currency].flatMap(texts)
        options.trueTexts = members[.trueTexts].flatMap(texts)
        options.falseTexts = members[.falseTexts].flatMap(texts)
        options.trims = members[.trim].flatMap(flag)
        options.scale = members[.scale].flatMap(decimal)
        if let node = members[.enumeration] {
            var words: [String: String] = [:]
            for (word, value) in pairs(node, "texts and their replacements") {
                words[word] = text(value)
            }
            options.enumeration = words
        }
        let both = Set(options.trueTexts ?? []).intersection(options.falseTexts ?? [])
        if let word = both.sorted().first, let place = members[.falseTexts] {
            report("\"\(Diagnostic.shortened(word))\" cannot be both true and false", at: place)
        }
        return options
    }

    /// Reads one date format or a list of them.
    private func dateFormats(_ node: Int) -> [ImportOptions.DateFormat]? {
        let formats = elements(node).compactMap { option($0, OptionText.dateFormat) }
        return formats.isEmpty ? nil : formats
    }

    /// `true` for all columns, or the names of columns.
    private func readTrim(_ node: Int, _ options: inout ImportOptions) {
        if case .text(let text, _) = tree.content(node), ["true", "false"].contains(text) {
            options.trims = text == "true"
            return
        }
        for column in names(node) ?? [] { options.columnOptions[column, default: ColumnOptions()].trims = true }
    }

    /// Reads the options on values.
    func readValues(_ layers: Layers, _ options: inout ImportOptions) {
        read(&options.nullTexts, layers[.null], texts)
        if layers[.null] != nil { options.given.insert(.nullTexts) }
        if layers[.dateFormat] != nil { options.given.insert(.dateFormats) }
        if layers[.binary] != nil { options.given.insert(.binaryFormat) }
        read(&options.missingFiles, layers[.missingFiles], choice)
        read(&options.nullIsDefault, layers[.nullIsDefault], flag)
        read(&options.allowsRounding, layers[.allowRounding], flag)
        read(&options.allowsZeroFraction, layers[.allowZeroFraction], flag)
        read(&options.restoresAsIs, layers[.asIs], flag)
        read(&options.emptyIsNull, layers[.emptyIsNull], flag)
        read(&options.nullQuoted, layers[.nullQuoted], flag)
        if let node = layers[.trim] { readTrim(node, &options) }
        options.currencies = layers[.currency].flatMap(texts)
        options.trueTexts = layers[.trueTexts].flatMap(texts)
        options.falseTexts = layers[.falseTexts].flatMap(texts)
        read(&options.dateFormats, layers[.dateFormat], dateFormats)
        options.locale = layers[.locale].flatMap { option($0, OptionText.locale) }
        read(&options.daylightSaving, layers[.dst], choice)
        options.timeZone = layers[.timeZone].flatMap { option($0, OptionText.timeZone) }
        read(&options.binaryFormat, layers[.binary], choice)
        read(&options.decimalSeparator, layers[.decimalSeparator]) { option($0, OptionText.separator) }
        options.groupSeparator = layers[.groupSeparator].flatMap { option($0, OptionText.separator) }
        if let place = layers[.groupSeparator] ?? layers[.decimalSeparator],
            let problem = NumberFormat.problem(
                decimalSeparator: options.decimalSeparator, groupSeparator: options.groupSeparator)
        {
            report(problem, at: place)
        }
    }
}
