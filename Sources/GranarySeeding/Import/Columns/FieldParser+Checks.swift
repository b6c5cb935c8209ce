import GranaryBase
import GranaryFormats
import GranaryModel

/// What is wrong with the options themselves.
extension FieldParser {
    static func place(of column: String?, _ attribute: Schema.Attribute) -> String {
        (column.map { "column \"\($0)\" for " } ?? "") + "attribute \(attribute.name): "
    }

    static func numberFormat(
        _ options: ImportOptions, _ column: ColumnOptions?, _ place: String
    ) throws(GranaryError) -> NumberFormat {
        let decimal = column?.decimalSeparator ?? options.decimalSeparator
        var group = column?.groupSeparator ?? options.groupSeparator
        // A column that takes the import's group separator for its decimals has no groups unless it says so.
        if column?.decimalSeparator != nil, column?.groupSeparator == nil, group == decimal { group = nil }
        guard let format = NumberFormat(decimalSeparator: decimal, groupSeparator: group) else {
            throw GranaryError(.usage, "\(place)the decimal and the group separator are the same, or no separators")
        }
        return format
    }

    /// Every result of an enumeration is a value of the type: a bad one shows before a row is read.
    mutating func check(_ enumeration: [String: String], _ place: String) throws(GranaryError) {
        var scratch: [UInt8] = []
        for (text, result) in enumeration.sorted(by: { $0.key < $1.key }) {
            guard let reason = refusal(Array(result.utf8), &scratch) else { continue }
            throw GranaryError(
                .usage, "\(place)the enumeration reads \"\(text)\" as \"\(result)\", not \(type.phrase): \(reason)")
        }
    }

    /// Why a result of the enumeration is no value; nil where it is one.
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
