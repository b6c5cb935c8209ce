package import GranaryBase
import GranaryFormats
package import GranaryRecords

extension FileSurvey {
    /// The records of the file with plain texts, for the proposal of a model; nil if single columns need options of their
    /// own.
    package func plainSource() throws(GranaryError) -> ImportSource? {
        guard !needsPlan else { return nil }
        let options = options
        let source = ImportSource.file(path: path, options: try sourceOptions)
        let columns = columns.map { SurveyedColumn($0, entity: nil) }
        let values = columns.map { PlainValues($0, options: options) }
        return source.wrapped { PlainReader($0, values) }
    }

    /// The words of the options, for a command line.
    package var words: [String] {
        options.flatMap { option in
            guard let value = option.value else { return ["--" + option.name] }
            return value.hasPrefix("-") ? ["--\(option.name)=\(value)"] : ["--" + option.name, value]
        }
    }

    /// How the file is read, without its values.
    private var sourceOptions: SourceOptions {
        get throws(GranaryError) {
            var result = SourceOptions()
            result.format = format
            result.blankRows = .skip
            for option in options {
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
