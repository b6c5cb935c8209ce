import GranaryBase
import GranaryCoordination
import GranaryModel
import GranarySQLite

extension SQLiteWriter {
    /// Converts an error of writing a row: the message names the entity and the property, not the table and the column.
    @inline(never)
    func refusal(_ error: any Error, _ row: RowBatch.Header) -> any Error {
        let entity = store.schema.entities[Int(row.entity)]
        switch error {
        case CellRefusal.rounded(let digits):
            return GranaryError(
                Diagnostic(
                    .valuePrecision,
                    "\(digits) has more digits than the store's column can store exactly (it stores a double)",
                    entity: entity.name, value: digits))
        case CellRefusal.notFinite(let value):
            return GranaryError(
                Diagnostic(
                    .valueRange, "a store cannot contain the number \(value)", entity: entity.name, value: "\(value)"))
        case CellRefusal.unknownCase(let text):
            return GranaryError(
                Diagnostic(
                    .valuePredicate,
                    "\"\(Diagnostic.shortened(text))\" is no case of the enumeration, so that the store has no column for it",
                    entity: entity.name, value: Diagnostic.shortened(text)))
        case let error as SQLiteError where error.isUniqueViolation:
            return uniqueRefusal(error, row, entity)
        case let error as SQLiteError where error.isConstraintViolation:
            // The file has a constraint that the model lacks.
            let diagnostic = Diagnostic(
                .storeRefused, "the store refuses the row: \(error.message)", entity: entity.name)
            return GranaryError(.refused, diagnostic.message, diagnostics: [diagnostic], underlying: error)
        default: return error
        }
    }

    /// The error for an inserted row that the file's schema discards. Without it, the row would be lost silently.
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
            constraint.names.compactMap { store.layout.column(ofProperty: $0, in: entity) } == columns
        }
        let names = constraint?.names.joined(separator: ", ") ?? columns.joined(separator: ", ")
        let diagnostic = Diagnostic(
            .uniqueExists, "\(names) must be unique, and another object has the same value", entity: entity.name,
            property: names, coreDataCode: Diagnostic.Code.uniqueExists.coreDataCode)
        return GranaryError(.refused, diagnostic.message, diagnostics: [diagnostic], underlying: error)
    }
}
