import GranaryCoordination
import GranaryModel
import GranarySQLite

extension RowReader {
    /// The cell of a value whose storage class is not that of the attribute. A value that cannot be converted keeps its
    /// class, and is an error when it is used.
    @inline(never)
    func converted(
        _ value: ColumnValue, _ field: StoreSQL.Field, _ key: Int64, _ entity: Int, _ copied: Copied?,
        _ bytes: inout [UInt8]
    ) throws -> StoredCell {
        let digits: UnsafeBufferPointer<UInt8>
        let isText: Bool
        switch value {
        case .null: return .null
        // A whole number in a column without a type. Other numbers keep their decimals.
        case .real(let number) where field.form == .integer:
            return Int64(exactly: number).map { .integer($0) } ?? .real(number)
        case .integer, .real:
            let text = ClassConversion.text(value)
            note(value, field, key, entity)
            let start = try text.withUnsafeBufferPointer { try copy($0, key, &bytes) }
            let count = UInt32(truncatingIfNeeded: text.count)
            return field.form == .text ? .text(start: start, count: count) : .blob(start: start, count: count)
        case .text(let text): (digits, isText) = (text, true)
        case .blob(let blob): (digits, isText) = (blob, false)
        }
        switch field.form {
        case .integer:
            if let number = ClassConversion.integer(digits) {
                note(value, field, key, entity)
                return .integer(number)
            }
        case .real:
            if let number = ClassConversion.real(digits) {
                note(value, field, key, entity)
                return .real(number)
            }
        case .decimal, .text, .bytes, .any: break
        }
        let start = try copied?.start(of: digits) ?? copy(digits, key, &bytes)
        let count = UInt32(truncatingIfNeeded: digits.count)
        switch field.form {
        case .decimal, .text:
            note(value, field, key, entity)
            return .text(start: start, count: count)
        case .bytes:
            note(value, field, key, entity)
            return .blob(start: start, count: count)
        case .integer, .real, .any:
            return isText ? .text(start: start, count: count) : .blob(start: start, count: count)
        }
    }

    func note(_ value: ColumnValue, _ field: StoreSQL.Field, _ key: Int64, _ entity: Int) {
        guard let conversions else { return }
        conversions.note(value.storageClass, property: property(field, entity)?.name ?? "", entity: entity, key: key)
    }
}
