import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// Values that break rules of the model and are restored as they are.
extension RowParser {
    /// The violations as warnings if the import stores the value nevertheless (``ImportOptions/restoresAsIs``),
    /// otherwise unchanged.
    func kept(_ violations: [Violation]) -> [Violation] {
        guard options.restoresAsIs, !violations.isEmpty else { return violations }
        return violations.map { violation in
            var violation = violation
            violation.isWarning = true
            violation.help = nil
            return violation
        }
    }

    /// Fills an attribute with a value that it cannot have but its column can hold, as an export of an old store
    /// contains it. Nil if the field is no such value, or if the import checks all values.
    func putIrregular(
        _ index: Int, _ kind: Record.Kind, _ text: UnsafeBufferPointer<UInt8>, row: Int, _ batch: inout RowBatch
    ) -> [Violation]? {
        guard options.restoresAsIs, let value = plan.attributes[index].irregularValue(kind, text) else { return nil }
        let attribute = plan.attributes[index].attribute
        batch[row, attribute.slot] = batch.cell(for: value)
        let found = Diagnostic.shortened(String(decoding: text, as: UTF8.self))
        if case .uri = value { return kept([Violation(.valueSyntax, "\"\(found)\" is not \(attribute.type.phrase)")]) }
        return kept([Violation(.valueRange, "\(found) does not fit \(attribute.type.phrase)")])
    }
}

extension FieldParser {
    /// The value in a field that is not a value of the attribute: a fraction or a very large number for an integer, any
    /// number for a Boolean, a double that is too large for a Float or a Decimal, any text for a URI. Nil for other
    /// fields and types.
    func irregularValue(_ kind: Record.Kind, _ bytes: UnsafeBufferPointer<UInt8>) -> BorrowedValue? {
        guard kind == .number || kind == .text || kind == .quoted else { return nil }
        if type == .uri, kind != .number { return .uri(bytes) }
        if type == .boolean, let number = try? IntegerText.parse(bytes) { return .integer(number) }
        guard let number = try? FloatingText.parse(bytes) else { return nil }
        let isIrregular =
            switch type {
            // SQLite stores 1.0 as the integer 1, so no export contains it.
            case .boolean, .integer16, .integer32, .integer64: Int64(exactly: number) == nil
            case .float: !Float(number).isFinite
            case .decimal: ExactDecimal(shortest: number) == nil
            default: false
            }
        guard isIrregular else { return nil }
        return .double(number)
    }
}

extension BorrowedValue {
    /// Whether a column can hold the value. SQLite has no NaN.
    var isStorable: Bool {
        switch self {
        case .double(let number), .date(let number): !number.isNaN
        case .float(let number): !number.isNaN
        case .null, .boolean, .integer, .decimal, .text, .uri, .uuid, .binary: true
        }
    }
}
