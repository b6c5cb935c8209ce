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
            note(value, field, entity)
            let start = try text.withUnsafeBufferPointer { try copy($0, key, &bytes) }
            let count = UInt32(truncatingIfNeeded: text.count)
            return field.form == .text ? .text(start: start, count: count) : .blob(start: start, count: count)
        case .text(let text): (digits, isText) = (text, true)
        case .blob(let blob): (digits, isText) = (blob, false)
        }
        switch field.form {
        case .integer:
            if let number = ClassConversion.integer(digits) {
                note(value, field, entity)
                return .integer(number)
            }
        case .real:
            if let number = ClassConversion.real(digits) {
                note(value, field, entity)
                return .real(number)
            }
        case .decimal, .text, .bytes, .any: break
        }
        let start = try copied?.start(of: digits) ?? copy(digits, key, &bytes)
        let count = UInt32(truncatingIfNeeded: digits.count)
        switch field.form {
        case .decimal, .text:
            note(value, field, entity)
            return .text(start: start, count: count)
        case .bytes:
            note(value, field, entity)
            return .blob(start: start, count: count)
        case .integer, .real, .any:
            return isText ? .text(start: start, count: count) : .blob(start: start, count: count)
        }
    }

    /// Notes a conversion in the current row for ``countConversions(in:row:)``.
    func note(_ value: ColumnValue, _ field: StoreSQL.Field, _ entity: Int) {
        guard conversions != nil, let attribute = property(field, entity) else { return }
        conversionsInRow.append((attribute, value.storageClass))
    }

    /// Counts the conversions in a row whose results are values of their attributes. Others, such as text that is not
    /// UTF-8, are errors where they are used.
    func countConversions(in batch: borrowing RowBatch, row: Int) {
        guard let conversions else { return }
        for (attribute, storageClass) in conversionsInRow {
            // An external file was named in the converted text. It is not read for this.
            let isFile = batch.externalFile(row: row, slot: attribute.slot) != nil
            guard isFile || (try? batch.withValue(row: row, of: attribute, { _ in })) != nil else { continue }
            conversions.note(
                storageClass, property: attribute.name, entity: Int(batch.rows[row].entity), key: batch.rows[row].key)
        }
        conversionsInRow.removeAll(keepingCapacity: true)
    }
}
