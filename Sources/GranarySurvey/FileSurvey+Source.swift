package import GranaryBase
import GranaryFormats
package import GranaryRecords

extension FileSurvey {
    /// The records of the file with plain texts, for the proposal of a model. Columns that need options of their own keep
    /// their texts.
    package func plainSource() throws(GranaryError) -> ImportSource {
        let source = ImportSource.file(path: path, options: try sourceOptions)
        let own = Set(options.compactMap(\.column))
        let common = options.filter { $0.column == nil }
        var values: [String: PlainValues] = [:]
        for column in columns where !own.contains(column.name) {
            values[column.name] = PlainValues(SurveyedColumn(column), options: common)
        }
        return source.wrapped { [values] in PlainReader($0, values) }
    }

    /// The columns that need options of their own.
    package var columnsWithOptions: [String] {
        columns.map(\.name).filter { name in options.contains { $0.column == name } }
    }

    /// The words of the options for the whole file, for a command line.
    package var words: [String] {
        options.filter { $0.column == nil }.flatMap { option in
            guard let value = option.value else { return ["--" + option.name] }
            return value.hasPrefix("-") ? ["--\(option.name)=\(value)"] : ["--" + option.name, value]
        }
    }

    /// How the file is read, without its values.
    private var sourceOptions: SourceOptions {
        get throws(GranaryError) {
            var result = given
            result.format = format
            for option in options where option.column == nil {
                let value = option.value ?? ""
                do throws(OptionProblem) {
                    switch option.name {
                    case "encoding": result.encoding = try OptionText.encoding(value)
                    case "delimiter": result.delimiter = value
                    case "quote": result.quote = try OptionText.byte(value)
                    case "escape": result.escape = try OptionText.byte(value)
                    case "comment": result.comment = try OptionText.byte(value)
                    case "skip-rows": result.skipRows = Int(value) ?? 0
                    case "no-header": result.hasHeader = false
                    case "columns": result.columns = OptionText.names(value)
                    case "trim": result.skipsSpaces = true
                    case "allow-nul": result.allowsNUL = true
                    case "ignore": result.ignoresUnnamed = result.ignoresUnnamed || value.isEmpty
                    case "records": result.recordPlaces = [OptionText.recordPlace(value)]
                    case "record-key": result.recordKey = value
                    default: continue
                    }
                } catch {
                    throw GranaryError(.internalDefect, "\(option.name): \(error.message)")
                }
            }
            return result
        }
    }
}
