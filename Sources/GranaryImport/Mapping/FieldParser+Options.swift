import GranaryBase
import GranaryFormats
import GranaryModel

/// Checks of the options of a column.
extension FieldParser {
    static func place(of column: String?, _ attribute: Schema.Attribute) -> String {
        (column.map { "column \"\($0)\" for " } ?? "") + "attribute \(attribute.name): "
    }

    static func numberFormat(
        _ options: ImportOptions, _ column: ColumnOptions?, _ place: String
    ) throws(GranaryError) -> NumberFormat {
        let decimal = column?.decimalSeparator ?? options.decimalSeparator
        var group = column?.groupSeparator ?? options.groupSeparator
        // If the column's decimal separator is the import's group separator, the column has no groups.
        if column?.decimalSeparator != nil, column?.groupSeparator == nil, group == decimal { group = nil }
        guard let format = NumberFormat(decimalSeparator: decimal, groupSeparator: group) else {
            let problem = NumberFormat.problem(decimalSeparator: decimal, groupSeparator: group)
            throw GranaryError(.usage, place + (problem ?? "these separators cannot be used"))
        }
        return format
    }

    /// Checks that each result of an enumeration is a value of the type.
    mutating func check(_ enumeration: [String: String], _ place: String) throws(GranaryError) {
        var scratch: [UInt8] = []
        for (text, result) in enumeration.sorted(by: { $0.key < $1.key }) {
            guard let reason = refusal(Array(result.utf8), &scratch) else { continue }
            throw GranaryError(
                .usage, "\(place)the enumeration reads \"\(text)\" as \"\(result)\", not \(type.phrase): \(reason)")
        }
    }

    /// The reason why a result of the enumeration is not a value; nil if it is one.
    private mutating func refusal(_ result: [UInt8], _ scratch: inout [UInt8]) -> String? {
        guard let rules else { return nil }
        return result.withUnsafeBufferPointer { bytes -> String? in
            do throws(ValueTextError) {
                let value = try readRuled(.quoted, bytes, rules, &scratch)
                return holds(value) ? nil : explained(.range("more than it holds"), .quoted, bytes).reason
            } catch {
                return explained(error, .quoted, bytes, isResult: true).reason
            }
        }
    }
}
