import GranaryBase
import GranaryModel

/// Values that break rules of the model and are restored as they are.
extension RowBuilder {
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
