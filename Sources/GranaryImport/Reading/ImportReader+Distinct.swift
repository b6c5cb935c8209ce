import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// Records that are equal in all columns that are read (``ImportOptions/mergesEqualRows``).
extension ImportReader {
    /// The earlier record that equals the one in the last row of the batch; nil if there is none.
    func firstEqual(
        _ entity: Schema.Entity, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>,
        _ reader: any RecordReader, _ job: ResolvedJob, _ rowParser: RowParser
    ) -> RecordLocation? {
        guard job.mergesEqualRows, !context.hasErrors else { return nil }
        var content = DistinctRows.Content(entity: entity.index, identifier: context.identifier)
        let row = batch.rows.rows.count - 1
        for attribute in entity.attributes where rowParser.isFilled(attribute.slot) {
            content.add(slot: attribute.slot, row: row, of: batch.rows)
        }
        var keys = context.referenceKeys ?? [:]
        if !record.nested.isEmpty {
            nestedObjects.readContents(of: record, reader.columns)
            for field in fields where field.kind == .object {
                guard rowParser.plan.roles.indices.contains(Int(field.column)),
                    case .reference(let index) = rowParser.plan.roles[Int(field.column)]
                else { continue }
                keys[rowParser.plan.references[index].relationship.slot, default: []] +=
                    nestedObjects.content(Int(field.start))
            }
        }
        for relationship in entity.relationships where rowParser.isFilled(relationship.slot) {
            content.add(slot: relationship.slot, keys: keys[relationship.slot] ?? [])
        }
        return job.firstEqual(content.digest, at: context.place)
    }

    /// Counts a record that equals an earlier one.
    ///
    /// - Returns: a diagnostic if the earlier record is rejected.
    func noteRepeat(_ first: RecordLocation, at place: RecordLocation, of job: ResolvedJob) -> Diagnostic? {
        if job.counts.rejected[first.file]?.contains(first.record) ?? false {
            return Diagnostic(
                .objectGone, "equals the record at \(first.describe(sources.files)), which is rejected",
                at: place.position(files: sources.files), entity: job.entity?.name,
                related: [first.position(files: sources.files)])
        }
        if job.options.onConflict == .skip { job.counts.skipped += 1 } else { job.counts.repeated += 1 }
        // The earlier record can still be rejected.
        if rules.keepsGood, stream.isWaiting(first) {
            uses.all.append(RecordUses.Use(record: RecordID(first), line: first.line, place: place, reason: .equal))
            let id = RecordID(place)
            if job.options.onConflict == .skip { uses.skipped.insert(id) } else { uses.repeated.insert(id) }
        }
        return nil
    }
}
