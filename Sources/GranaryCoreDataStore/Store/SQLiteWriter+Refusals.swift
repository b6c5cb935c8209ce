import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

extension SQLiteWriter {
    /// What writing a row threw, in the user's terms: the object and the property rather than the table and the column.
    @inline(never)
    func refusal(_ error: any Error, _ row: RowBatch.Header) -> any Error {
        let entity = store.schema.entities[Int(row.entity)]
        switch error {
        case CellRefusal.rounded(let digits):
            return GranaryError(
                Diagnostic(
                    .valuePrecision, "\(digits) has more digits than the store's column gives back (it keeps a double)",
                    entity: entity.name, value: digits))
        case CellRefusal.notFinite(let value):
            return GranaryError(
                Diagnostic(
                    .valueRange, "\(value) is no number that a store keeps", entity: entity.name, value: "\(value)"))
        case let error as SQLiteError where error.isUniqueViolation:
            return uniqueRefusal(error, row, entity)
        case let error as SQLiteError where error.isConstraintViolation:
            // A rule of the file's own, which the model does not have.
            let diagnostic = Diagnostic(
                .storeRefused, "the store refuses the row: \(error.message)", entity: entity.name)
            return GranaryError(.refused, diagnostic.message, diagnostics: [diagnostic], underlying: error)
        default: return error
        }
    }

    /// A row that the file's own schema makes away with; it would be lost in silence.
    func notKept(_ row: RowBatch.Header) -> GranaryError {
        GranaryError(
            Diagnostic(
                .storeLayout, "\(store.path): the store's schema did not keep a row that was inserted",
                entity: store.schema.entities[Int(row.entity)].name))
    }

    func uniqueRefusal(
        _ error: SQLiteError, _ row: RowBatch.Header, _ entity: Schema.Entity
    ) -> GranaryError {
        let columns = error.uniqueColumns.map { $0.split(separator: ".").last.map(String.init) ?? $0 }
        if columns == ["Z_PK"] {
            return GranaryError(
                .internalDefect, "\(entity.name): the key \(row.key) is in use", underlying: error)
        }
        let constraint = entity.uniquenessConstraints.first { constraint in
            constraint.names.compactMap { column(of: $0, entity) } == columns
        }
        let names = constraint?.names.joined(separator: ", ") ?? columns.joined(separator: ", ")
        let diagnostic = Diagnostic(
            .uniqueExists, "\(names) must be unique, and another object has the same", entity: entity.name,
            property: names, coreDataCode: Diagnostic.Code.uniqueExists.coreDataCode)
        return GranaryError(.refused, diagnostic.message, diagnostics: [diagnostic], underlying: error)
    }

    private func column(of property: String, _ entity: Schema.Entity) -> String? {
        switch entity.property(named: property) {
        case .attribute(let index)?:
            store.layout.column(entity: entity.attributes[index].owner, slot: entity.attributes[index].slot)
        case .relationship(let index)?:
            store.layout.column(entity: entity.relationships[index].owner, slot: entity.relationships[index].slot)
        case nil: nil
        }
    }
}
