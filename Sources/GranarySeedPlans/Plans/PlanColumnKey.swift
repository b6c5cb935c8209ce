import GranaryYAML

/// The keys of a column.
enum PlanColumnKey: String, TreeKey {
    case property, null, binary, trim, scale, enumeration, currency
    case dateFormat = "date-format"
    case timeZone = "time-zone"
    case decimalSeparator = "decimal-separator"
    case groupSeparator = "group-separator"
    case trueTexts = "true"
    case falseTexts = "false"
}
