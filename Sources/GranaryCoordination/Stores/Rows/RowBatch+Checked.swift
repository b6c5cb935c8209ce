package import GranaryBase
package import GranaryModel
package import GranaryPredicates

extension RowBatch {
    /// Passes the checked value of an attribute to `body`: it has the attribute's type, and integers are in range.
    ///
    /// - Parameter irregular: if given, numbers that the attribute cannot have are noted and passed as they are stored:
    ///   as an integer or a double.
    /// - Throws: ``GranaryError`` with code `refused`, with object and property; any error from `body`.
    package func withCheckedValue<Result>(
        row: Int, of attribute: Schema.Attribute, _ schema: Schema, irregular: IrregularValues? = nil,
        _ body: (BorrowedValue) throws -> Result
    ) throws -> Result {
        do {
            return try withValue(row: row, of: attribute) { value in
                switch value {
                case .integer(let number):
                    guard let range = attribute.type.integerRange, !range.contains(number) else { break }
                    let error = refusal(
                        row: row, property: attribute.name, schema, .valueRange,
                        "\(number) does not fit \(attribute.type.phrase)")
                    guard let irregular else { throw error }
                    irregular.note(error)
                case .float(let number) where !number.isFinite:
                    // The stored double can be finite.
                    guard case .real(let stored) = self[row, attribute.slot], stored.isFinite else { break }
                    let error = refusal(
                        row: row, property: attribute.name, schema, .valueRange,
                        "\(stored) does not fit \(attribute.type.phrase)")
                    return try withNumber(row: row, of: attribute, error, irregular, body)
                default: break
                }
                return try body(value)
            }
        } catch let mismatch as CellMismatch {
            let error = refusal(row: row, property: attribute.name, schema, .storeCorrupt, mismatch.message)
            return try withNumber(row: row, of: attribute, error, irregular, body)
        }
    }

    /// Passes an irregular number to `body`, or throws `error` if the cell is none or must be regular.
    private func withNumber<Result>(
        row: Int, of attribute: Schema.Attribute, _ error: GranaryError, _ irregular: IrregularValues?,
        _ body: (BorrowedValue) throws -> Result
    ) throws -> Result {
        guard let irregular, let number = irregularNumber(row: row, of: attribute) else { throw error }
        irregular.note(error)
        return try body(number)
    }

    package func checkedValue(row: Int, of attribute: Schema.Attribute, _ schema: Schema) throws -> AttributeValue? {
        try withCheckedValue(row: row, of: attribute, schema) { AttributeValue($0) }
    }

    /// The name of a row's object in an export: `Patient/p57`.
    package func objectName(row: Int, _ schema: Schema) -> String {
        let header = rows[row]
        return schema.objectName(entity: Int(header.entity), key: header.key)
    }

    package func refusal(
        row: Int, property: String, _ schema: Schema, _ code: Diagnostic.Code, _ message: String
    ) -> GranaryError {
        GranaryError(
            Diagnostic(
                code, "\(objectName(row: row, schema)): \(message)",
                entity: schema.entities[Int(rows[row].entity)].name,
                property: property))
    }
}

extension Schema {
    /// The name of an object in `$id` and in references by id: `Patient/p57`.
    package func objectName(entity: Int, key: Int64) -> String { "\(entities[entity].name)/p\(key)" }
}
