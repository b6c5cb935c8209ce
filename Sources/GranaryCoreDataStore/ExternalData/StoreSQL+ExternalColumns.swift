import GranaryCoordination
import GranaryModel

extension StoreSQL {
    /// The columns of an entity whose values may be in files (docs/core-data/sqlite-layout.md#external-storage).
    ///
    /// A class, because the writer passes it for each row.
    package final class ExternalColumns: Sendable {
        package let table: String
        package let slots: [Int]
        package let names: [String]
        /// The query for the columns of a row, in the order of ``slots``. Inline values are NULL.
        let select: String

        /// Returns nil if there are no columns.
        init?(table: String, columns: [(slot: Int, name: String)]) {
            guard !columns.isEmpty else { return nil }
            self.table = table
            slots = columns.map(\.slot)
            names = columns.map(\.name)
            // SQLite gets the length without reading a long value. The blob that names a file has 38 bytes.
            let shortValues = columns.map { "CASE WHEN length(\($0.name)) < 64 THEN \($0.name) END" }
            select = "SELECT \(shortValues.joined(separator: ", ")) FROM \(table) WHERE Z_PK = ?"
        }

        /// The name of a field's column; `NULL`, which equals no value, for a field without external storage.
        func name(of field: Field) -> String { slots.firstIndex(of: field.slot).map { names[$0] } ?? "NULL" }
    }
}

extension Schema.Entity {
    /// The form in which the column of an attribute stores its value.
    func content(ofAttribute index: Int) -> StoreSQL.Field.Content {
        let description = attributes[index].description
        guard description.allowsExternalBinaryDataStorage else { return .value }
        // A unique index compares the bytes in the column, and a trigger copies them, so the column must hold the
        // value.
        let staysInline =
            description.derivationExpression != nil
            || uniquenessConstraints.contains { $0.properties.contains(.attribute(index)) }
        return staysInline ? .tagged : .external
    }
}
