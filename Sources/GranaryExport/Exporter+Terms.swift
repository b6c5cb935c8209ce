import GranaryBase
package import GranaryCoordination
package import GranaryFormats
import GranaryModel
import GranaryPredicates
import GranaryRecords

extension Exporter {
    /// The maximum number of terms in a constant table.
    static let termLimit = 1_000_000

    /// Exports one attribute as a constant table (`Blunt Trauma%Burn%…`), or several (`A=Airway%B=Breathing`).
    ///
    /// With `ordinal`, the terms are in the order of that attribute, whose values must be consecutive because an
    /// importer numbers the terms. Without it, they are in the order of the export, by default in the order of the
    /// objects' primary keys.
    ///
    /// - Throws: ``GranaryError``: `usage` for unknown names; `refused` for ordinals with gaps or duplicates, and for
    ///   values that a term cannot contain.
    @discardableResult
    package func runTerms(
        _ store: any StoreBackend, entity name: String, attributes names: [String], ordinal: String?,
        into writer: some ValueWriter
    ) throws -> ExportReport {
        let schema = store.schema
        guard let entity = schema.entity(named: name) else { throw schema.unknownEntity(name) }
        let selection = try ExportSelection(schema: schema, options: options)
        let search = selection?.search(entity.family) ?? StoreSearch(entities: entity.family)
        var columns: [Schema.Attribute] = []
        for attribute in names { columns.append(try Self.attribute(attribute, of: entity)) }
        let number = try ordinal.map { try Self.ordinal($0, of: entity) }
        var terms: [(ordinal: Int64, values: [AttributeValue?])] = []
        try store.reading {
            try store.search(search, batchSize: options.batchSize) { batch in
                try options.cancellation?.check()
                guard terms.count + batch.rows.count <= Self.termLimit else {
                    throw GranaryError(
                        Diagnostic(.limitExceeded, "a constant table has at most \(Self.termLimit) terms", entity: name)
                    )
                }
                for row in batch.rows.indices {
                    var place = Int64(terms.count)
                    if let number {
                        guard case .integer(let value)? = try batch.checkedValue(row: row, of: number, schema) else {
                            throw batch.refusal(
                                row: row, property: number.name, schema, .valueMissing,
                                "its ordinal is NULL, so the position of its term is unknown")
                        }
                        place = value
                    }
                    var values: [AttributeValue?] = []
                    for column in columns { values.append(try batch.checkedValue(row: row, of: column, schema)) }
                    terms.append((place, values))
                }
                return true
            }
        }
        if let number { try Self.sort(&terms, entity: entity, number) }
        try writer.beginTable(entity: name, columns: names)
        for (_, values) in terms {
            try writer.beginRow()
            for (column, value) in values.enumerated() {
                if let value {
                    try value.withBorrowed { (value) throws(GranaryError) in try writer.write(value, column: column) }
                } else {
                    try writer.write(.null, column: column)
                }
            }
            try writer.endRow()
        }
        try writer.endTable()
        try writer.finish(model: nil)
        return ExportReport(tables: [.init(entity: name, objects: terms.count)])
    }

    private static func sort(
        _ terms: inout [(ordinal: Int64, values: [AttributeValue?])], entity: Schema.Entity, _ number: Schema.Attribute
    ) throws(GranaryError) {
        terms.sort { $0.ordinal < $1.ordinal }
        for (before, after) in zip(terms, terms.dropFirst()) where after.ordinal != before.ordinal &+ 1 {
            let message =
                after.ordinal == before.ordinal
                ? "two objects have the ordinal \(after.ordinal)"
                : "the ordinals jump from \(before.ordinal) to \(after.ordinal)"
            throw GranaryError(
                Diagnostic(
                    .termsSyntax, "\(message); the ordinals of a constant table must be consecutive",
                    entity: entity.name, property: number.name))
        }
    }

    private static func attribute(
        _ name: String, of entity: Schema.Entity
    ) throws(GranaryError) -> Schema.Attribute {
        guard let attribute = entity.attribute(named: name), attribute.isPersistent else {
            throw GranaryError(.usage, "\(entity.name) has no persistent attribute \"\(name)\"")
        }
        return attribute
    }

    private static func ordinal(_ name: String, of entity: Schema.Entity) throws(GranaryError) -> Schema.Attribute {
        let attribute = try attribute(name, of: entity)
        guard attribute.type.integerRange != nil else {
            throw GranaryError(
                .usage, "\(entity.name).\(name) is \(attribute.type.phrase); an ordinal must be an integer")
        }
        return attribute
    }
}
