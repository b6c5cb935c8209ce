import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// Nested objects that several records describe: each mention can have members that the others lack, as the short and
/// full forms of one object in the answers of a web service do.
extension ImportReader {
    /// Lets the last row of the batch add the members that earlier mentions of a nested object lack.
    ///
    /// - Parameters:
    ///   - added: the slots of these members.
    ///   - key: the primary key that was allocated for the row.
    func supplement(
        _ ownKey: NestedObjectIndex.Key, _ known: NestedObjectIndex.KnownObject, _ contents: NestedContents,
        _ added: Set<Int>, _ key: Int64, _ entity: Schema.Entity, _ record: borrowing Record,
        _ fields: ArraySlice<Record.Field>, _ rowParser: RowParser
    ) -> ImportedObject {
        let row = batch.rows.rows.count - 1
        primaryKeys.giveBack(key, root: entity.root)
        batch.rows.rows[row].key = known.id.key
        context.dropObject(keeping: added)
        let hasLists =
            context.objectHasLists
            || fields.contains {
                $0.kind == .object && added.contains(slot(of: $0, rowParser) ?? NestedContents.others)
            }
        context.endObject(key: known.id.key, isNew: false)
        var filled = SlotMask(slotCount: entity.slotCount)
        let knownValues = rowParser.filledSlots
        for slot in added where slot >= 0 && knownValues.contains(slot) { filled.insert(slot) }
        var found: [Diagnostic] = []
        context.keyIndexes.update(
            row: row, of: batch.rows, filled: filled, indexNumber: -1, at: context.objectPlace
        ) { index, other in
            note(index, other, entity, record, fields, rowParser, &found)
        }
        context.diagnostics += found
        batch.addMerge(
            replaces: false, isShared: true, hasLists: hasLists, equalKey: known.equal?.equalKey ?? -1,
            canUpdate: known.equal?.canUpdate ?? false, supplements: true, filled: filled)
        if known.equal != nil, hasLists {
            // Lists of a stored object are not compared.
            context.diagnostics.append(
                place(
                    Diagnostic(
                        .uniqueExists,
                        "an object with this key is in the store already, and the nested object has a list",
                        entity: entity.name, coreDataCode: 1551,
                        help: known.equal?.canUpdate ?? false ? "--on-conflict update" : nil), record, fields, rowParser
                ))
        }
        uses.sharedRows.insert(known.id)
        noteMention(ownKey, known, contents)
        var known = nestedObjects.find(ownKey) ?? known
        if !known.missing.keys.filter(added.contains).isEmpty { complete(&known, added) }
        known.contents = known.contents.merged(with: contents)
        if !known.texts.isEmpty { known.texts.merge(texts(entity, rowParser)) { first, _ in first } }
        known.suppliers.append(NestedObjectIndex.Supplier(place: context.objectPlace, slots: added))
        nestedObjects.update(ownKey, known)
        return ImportedObject(
            id: known.id, entity: entity, rowParser: rowParser, disposition: .known, addedLists: added,
            isKnownNew: known.isNew)
    }

    private func slot(of field: Record.Field, _ rowParser: RowParser) -> Int? {
        guard rowParser.plan.roles.indices.contains(Int(field.column)),
            case .reference(let index) = rowParser.plan.roles[Int(field.column)]
        else { return nil }
        return rowParser.plan.references[index].relationship.slot
    }

    /// Notes that the current record brings required values that earlier mentions of an object lack. Their records
    /// depend on it.
    private func complete(_ known: inout NestedObjectIndex.KnownObject, _ added: Set<Int>) {
        known.missing = known.missing.filter { !added.contains($0.key) }
        guard rules.keepsGood else { return }
        for place in [known.place] + known.mentions where RecordID(place) != RecordID(context.place) {
            uses.all.append(
                RecordUses.Use(
                    record: RecordID(context.place), line: context.place.line, place: place, reason: .object))
            uses.sharedNested.insert(RecordID(context.place))
        }
    }

    /// Notes that the current record mentions a nested object of other records.
    func noteMention(
        _ ownKey: NestedObjectIndex.Key, _ known: NestedObjectIndex.KnownObject, _ contents: NestedContents
    ) {
        noteShared(known.place)
        for supplier in known.suppliers where rules.keepsGood && contents.has(anyOf: supplier.slots) {
            guard RecordID(supplier.place) != RecordID(context.place) else { continue }
            noteShared(supplier.place)
            // The values of this record are not written, because they equal those of the other one.
            uses.all.append(
                RecordUses.Use(
                    record: RecordID(supplier.place), line: supplier.place.line, place: context.place, reason: .object))
        }
        guard !known.missing.isEmpty else { return }
        var known = known
        known.mentions.append(context.objectPlace)
        nestedObjects.update(ownKey, known)
    }

    /// Moves the problems of required values that a new nested object lacks, because another mention of the object can
    /// have them. Without one, ``NestedObjectIndex/incomplete`` has the problems at the end.
    ///
    /// - Parameter first: the index of the first problem in the diagnostics of the record.
    func deferMissing(from first: Int, _ entity: Schema.Entity) {
        guard nestedObjects.open != nil else { return }
        var kept = Array(context.diagnostics.prefix(first))
        for problem in context.diagnostics.dropFirst(first) {
            let slot = problem.property.flatMap {
                entity.attribute(named: $0)?.slot ?? entity.relationship(named: $0)?.slot
            }
            if problem.severity == .error, let slot {
                nestedObjects.open?.missing[slot] = problem
            } else {
                kept.append(problem)
            }
        }
        context.diagnostics = kept
    }

    /// The texts of the attributes of the object in the last row of the batch.
    func texts(_ entity: Schema.Entity, _ rowParser: RowParser) -> [Int: String] {
        let text = ChangeText(schema: schema)
        let row = batch.rows.rows.count - 1
        var texts: [Int: String] = [:]
        for attribute in entity.attributes where rowParser.isFilled(attribute.slot) {
            texts[attribute.slot] = text.value(attribute.slot, row: row, of: batch.rows)
        }
        return texts
    }

    /// `: name is "Ann" there and "Anna" here`, for the first property that differs.
    ///
    /// - Parameters:
    ///   - known: the texts of the other mention.
    ///   - conflicts: the slots of the properties that differ.
    func difference(
        _ known: [Int: String], _ conflicts: [Int], _ entity: Schema.Entity, _ rowParser: RowParser
    ) -> String {
        let own = texts(entity, rowParser)
        if let other = entity.attributes.first(where: { conflicts.contains($0.slot) }) {
            guard let there = known[other.slot], let here = own[other.slot] else { return ": \(other.name) differs" }
            return ": \(other.name) is \(there) there and \(here) here"
        }
        let other = entity.relationships.first { conflicts.contains($0.slot) }
        return other.map { ": \($0.name) differs" } ?? ""
    }
}
