package import GranaryBase
package import GranaryCoordination
package import GranaryFormats
package import GranaryModel
import GranaryRecords

extension Exporter {
    /// Writes the selected objects of an entity and its subentities as one table, without the warnings and the model of
    /// an export. Unless ``ExportOptions/columns`` lists the columns, they are `$id`, the name of each object's entity
    /// if there are several, and those of an export of the entity.
    ///
    /// - Returns: the number of objects.
    /// - Throws: as ``run(_:into:)``.
    @discardableResult
    package func runQuery(
        _ store: any StoreBackend, entity: String, into writer: some ValueWriter
    ) throws -> Int {
        try store.reading {
            let plan = try ExportPlan(querying: entity, schema: store.schema, options: options)
            var count = 0
            for table in plan.tables {
                count += try store.writeRecords(
                    of: table, batchSize: options.batchSize, into: writer, irregular: IrregularValues(),
                    cancellation: options.cancellation)
            }
            try writer.finish(model: nil)
            return count
        }
    }

    /// Returns the number of the selected objects of an entity and its subentities.
    ///
    /// - Throws: as ``run(_:into:)``.
    package func count(_ store: any StoreBackend, entity: String) throws -> Int {
        try store.reading {
            let plan = try ExportPlan(querying: entity, schema: store.schema, options: options)
            return try plan.tables.reduce(0) { try $0 + store.count($1.search) }
        }
    }

    /// Checks entity, columns and selection of a query, before anything is written.
    ///
    /// - Throws: ``GranaryError`` with code `usage`.
    package func checkQuery(of entity: String, in schema: Schema) throws(GranaryError) {
        let plan = try ExportPlan(querying: entity, schema: schema, options: options)
        if plan.hasDates, let texts = try ValueTexts(options.form, rounded: nil) { try texts.checkZone() }
    }
}
