import GranaryBase
import GranaryFormats
import GranaryModel

/// Checks whether texts can be values of a column, so that the CSV reader can continue after broken quoting.
final class ColumnTypeCheck: FieldTypeCheck {
    private let roles: [ColumnPlan.Role]
    private var attributes: [FieldParser]
    private var scratch: [UInt8] = []

    /// - Parameter plan: a plan with the roles of all columns.
    init(_ plan: ColumnPlan) {
        roles = plan.roles
        attributes = plan.attributes
    }

    func accepts(_ field: Record.Field, _ bytes: UnsafeBufferPointer<UInt8>, column: Int) -> Bool {
        guard let index = attribute(column) else { return true }
        let text = UnsafeBufferPointer(rebasing: bytes[field.range])
        return attributes[index].accepts(field.kind, text, scratch: &scratch)
    }

    func canReject(column: Int) -> Bool {
        guard let index = attribute(column) else { return false }
        return attributes[index].attribute.type != .string
    }

    private func attribute(_ column: Int) -> Int? {
        guard roles.indices.contains(column), case .attribute(let index) = roles[column] else { return nil }
        return index
    }
}
