package import GranaryBase
package import GranaryModel

extension RowBatch {
    /// Passes the checked value of an attribute to `body`: it has the attribute's type, and integers are in range.
    ///
    /// - Throws: ``GranaryError`` with code `refused`, with object and property; any error from `body`.
    package func withCheckedValue<Result>(
        row: Int, of attribute: Schema.Attribute, _ schema: Schema, _ body: (BorrowedValue) throws -> Result
    ) throws -> Result {
        do {
            return try withValue(row: row, of: attribute) { value in
                if case .integer(let number) = value, let range = attribute.type.integerRange, !range.contains(number) {
                    let message = "\(number) does not fit \(attribute.type.phrase)"
                    throw refusal(row: row, property: attribute.name, schema, .valueRange, message)
                }
                return try body(value)
            }
        } catch let mismatch as CellMismatch {
            throw refusal(row: row, property: attribute.name, schema, .storeCorrupt, mismatch.message)
        }
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
