import GranaryCoordination
import GranaryModel

extension StoreSQL {
    /// The columns of an entity whose values may lie in files (sqlite-layout §8).
    ///
    /// A class, since the writer passes it along for each row.
    package final class ExternalColumns: Sendable {
        package let table: String
        package let slots: [Int]
        package let names: [String]
        /// Gives the columns of a row, in the order of ``slots``, NULL for what lies inline.
        let select: String

        /// Nil where there are none.
        init?(table: String, columns: [(slot: Int, name: String)]) {
            guard !columns.isEmpty else { return nil }
            self.table = table
            slots = columns.map(\.slot)
            names = columns.map(\.name)
            // For its length alone SQLite does not read a long value; the name of a file has 38 bytes.
            let shortValues = columns.map { "CASE WHEN length(\($0.name)) < 64 THEN \($0.name) END" }
            select = "SELECT \(shortValues.joined(separator: ", ")) FROM \(table) WHERE Z_PK = ?"
        }

        /// The name of a field's column; `NULL`, which equals nothing, for another field.
        func name(of field: Field) -> String { slots.firstIndex(of: field.slot).map { names[$0] } ?? "NULL" }
    }
}

extension Schema.Entity {
    /// How the column of an attribute keeps its value.
    func content(ofAttribute index: Int) -> StoreSQL.Field.Content {
        let description = attributes[index].description
        guard description.allowsExternalBinaryDataStorage else { return .value }
        // A unique index compares what is in the column, and a trigger copies it: the value itself has to be there.
        let staysInline =
            description.derivationExpression != nil
            || uniquenessConstraints.contains { $0.properties.contains(.attribute(index)) }
        return staysInline ? .tagged : .external
    }
}
