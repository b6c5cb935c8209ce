import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// Nested objects that the store has already.
extension ImportReader {
    /// Takes the stored object with the key of the nested object in the last row of the batch, if rows do not change
    /// stored objects. The row waits; ``RowWriter`` rejects its record if the values differ.
    ///
    /// Nil if no stored object has the key, or if the nested object has lists, which are only compared when they are
    /// written.
    func storedEqual(
        _ entity: Schema.Entity, _ key: Int64, _ fields: ArraySlice<Record.Field>, _ rowParser: RowParser,
        _ job: ResolvedJob, in surroundings: Surroundings
    ) -> ImportedObject? {
        guard job.options.onConflict == .error, !job.findsByKey, !rules.restores else { return nil }
        let names = job.nestedKey(surroundings.relationship) ?? NaturalKey(of: entity, allowsSeveral: true)?.names
        let row = batch.rows.rows.count - 1
        guard let names,
            let indexNumber = context.keyIndexes.byEntity[entity.index].first(where: {
                context.keyIndexes.all[$0].isUnique && context.keyIndexes.all[$0].names == names
            }),
            case .entry(let known) = context.keyIndexes.match(indexNumber, row: row, of: batch.rows)
        else { return nil }
        let entry = context.keyIndexes.entry(indexNumber, known)
        guard entry.record == 0, entry.sharing == .none, Int(entry.entity) == entity.index,
            !hasLists(fields, rowParser)
        else { return nil }
        let keyIndex = context.keyIndexes.all[indexNumber]
        context.keyIndexes.claim(indexNumber, known, at: context.objectPlace)
        primaryKeys.giveBack(key, root: entity.root)
        batch.rows.rows[row].key = entry.key
        context.endObject(key: entry.key, isNew: false)
        batch.addMerge(
            replaces: false, isShared: false, hasLists: false,
            equalKey: Int32(truncatingIfNeeded: keyIndex.slots.first ?? -1),
            canUpdate: job.updatingOptions(keyIndex, entity, keyless: []) != nil,
            filled: rowParser.filledSlots)
        return ImportedObject(
            id: RowID(root: entity.root, key: entry.key), entity: entity, rowParser: rowParser, disposition: .merge)
    }

    private func hasLists(_ fields: ArraySlice<Record.Field>, _ rowParser: RowParser) -> Bool {
        fields.contains { field in
            guard rowParser.plan.roles.indices.contains(Int(field.column)),
                case .reference(let index) = rowParser.plan.roles[Int(field.column)]
            else { return false }
            return rowParser.plan.references[index].relationship.isToMany
        }
    }
}

extension NaturalKey {
    /// The names of the attributes.
    var names: [String] { attributes.map(\.name) }
}
