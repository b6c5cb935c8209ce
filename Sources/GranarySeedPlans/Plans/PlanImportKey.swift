import GranaryYAML

/// The keys of an import: the options of `granary import`.
enum PlanImportKey: String, TreeKey {
    case entity, file, terms, rows, links
    case format, delimiter, quote, comment, encoding, columns
    case skipRows = "skip-rows"
    case noHeader = "no-header"
    case blankLines = "blank-lines"
    case blankRows = "blank-rows"
    case escape, currency
    case tokenizer, spreadsheet
    case allowNUL = "allow-nul"
    case table, sql
    case records
    case recordKey = "record-key"
    case attribute, ordinal
    case fieldDelimiter = "field-delimiter"
    case ordinalStart = "ordinal-start"
    case map, ignore, constant, lookup
    case listSeparator = "list-separator"
    case key, distinct, prune
    case maxPrune = "max-prune"
    case onConflict = "on-conflict"
    case onMissing = "on-missing"
    case null, binary, trim, locale, dst
    case emptyIsNull = "empty-is-null"
    case nullQuoted = "null-quoted"
    case trueTexts = "true"
    case falseTexts = "false"
    case nullIsDefault = "null-is-default"
    case allowRounding = "allow-rounding"
    case allowZeroFraction = "allow-zero-fraction"
    case asIs = "as-is"
    case dateFormat = "date-format"
    case timeZone = "time-zone"
    case decimalSeparator = "decimal-separator"
    case groupSeparator = "group-separator"
    case missingFiles = "missing-files"
    case columnOptions = "column-options"

    /// The keys that are not allowed in defaults.
    static let notInDefaults: Set<PlanImportKey> = [.entity, .file, .terms, .rows, .links, .table, .sql]
}
