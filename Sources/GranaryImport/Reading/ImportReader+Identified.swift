import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// Records whose `$id` is the natural key: they change the stored objects with these primary keys.
extension ImportReader {
    /// Lets the last row of the batch change the stored object that the `$id` of its record names.
    ///
    /// - Parameter key: the primary key that was allocated for the row.
    func addIdentified(
        _ entity: Schema.Entity, _ key: Int64, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>,
        _ job: ResolvedJob, _ rowParser: RowParser
    ) -> ImportedObject {
        let row = batch.rows.rows.count - 1
        let found = context.references.identifiers.findIndex(context.identifier)
        let entry = found.map { context.references.identifiers[$0] }
        guard let found, let entry, mismatch(entry, entity, job) == nil else {
            var problem = entry.flatMap { mismatch($0, entity, job) } ?? missing(entity)
            problem.field = RecordTable.identifierColumn
            context.diagnostics.append(place(problem, record, fields, rowParser))
            context.endObject(key: key, isNew: true)
            return ImportedObject(
                id: RowID(root: entity.root, key: key), entity: entity, rowParser: rowParser, disposition: .insert)
        }
        let isShared = entry.record != 0
        if isShared { uses.sharedRows.insert(RowID(root: entity.root, key: entry.key)) }
        context.claimIdentifier(found)
        primaryKeys.giveBack(key, root: entity.root)
        batch.rows.rows[row].key = entry.key
        return change(entity, record, fields, job, rowParser, -1, isShared: isShared)
    }

    private func missing(_ entity: Schema.Entity) -> Diagnostic {
        let text = NaturalKeyBytes.display(context.identifier[...])
        return Diagnostic(
            .relationshipNotFound,
            "the store has no object with the $id \(text); a record without $id is a new object", entity: entity.name)
    }

    /// A diagnostic if a row cannot change the object that has its `$id`.
    private func mismatch(
        _ entry: NaturalKeyIndex.Entry, _ entity: Schema.Entity, _ job: ResolvedJob
    ) -> Diagnostic? {
        if let place = entry.place, entry.isRejected || sources.jobOfFile[Int(place.file)] == job.number {
            return Diagnostic(
                .uniqueDuplicate, "\(place.describe(sources.files)) has the same $id", entity: entity.name,
                related: [place.position(files: sources.files)])
        }
        guard Int(entry.entity) == entity.index else {
            let found = schema.entities[Int(entry.entity)].name
            return Diagnostic(
                .uniqueExists,
                "the object with this $id is of the entity \(found), and a row cannot change its entity",
                entity: entity.name)
        }
        return nil
    }
}
