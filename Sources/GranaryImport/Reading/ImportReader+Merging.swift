import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// Records of existing objects.
extension ImportReader {
    /// A diagnostic if a row cannot change the object that has its key.
    func mismatch(
        _ entry: NaturalKeyIndex.Entry, _ indexNumber: Int, _ entity: Schema.Entity, _ job: ResolvedJob
    ) -> Diagnostic? {
        let keyIndex = context.keyIndexes.all[indexNumber]
        let names = keyIndex.names.joined(separator: ", ")
        if entry.record != 0, entry.isRejected || sources.jobOfFile[Int(entry.file)] == job.number {
            return sources.duplicate(keyIndex, entry, entity, jobNumber: job.number)
        }
        if entry.sharing != .none {
            return Diagnostic(
                .uniqueExists, "several objects in the store have this \(names), so the object of the row is ambiguous",
                entity: entity.name, property: keyIndex.names.first)
        }
        guard Int(entry.entity) == entity.index else {
            let found = schema.entities[Int(entry.entity)].name
            return Diagnostic(
                .uniqueExists,
                "the object with this \(names) is of the entity \(found), and a row cannot change its entity",
                entity: entity.name, property: keyIndex.names.first)
        }
        return nil
    }

    /// Whether a row whose key has no value yet is a new object, because the key contains a reference to an object that
    /// does not exist yet. Otherwise the missing value is reported.
    func isNewByReference(
        _ indexNumber: Int, _ entity: Schema.Entity, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>,
        _ rowParser: RowParser
    ) -> Bool {
        // A key that cannot be read is reported already.
        guard !context.hasErrors else { return false }
        let keyIndex = context.keyIndexes.all[indexNumber]
        let row = batch.rows.rows.count - 1
        let open = zip(keyIndex.names, keyIndex.slots).filter { batch.rows[row, $0.1] == .null }
        var problem: Diagnostic?
        if let missing = open.first(where: { !rowParser.isPostponed($0.1) }) {
            problem = Diagnostic(
                .valueMissing, "it is part of the natural key and has no value", entity: entity.name,
                property: missing.0)
        } else if let unknown = open.first(where: { !context.refersToNothing($0.1) }) {
            let isNested = fields.contains {
                $0.kind == .object && rowParser.plan.property(ofColumn: Int($0.column)) == unknown.0
            }
            let advice =
                isNested
                ? "write \(unknown.0) as a key, not as an object"
                : "import the rows of \(entity.name) in a run of their own"
            problem = Diagnostic(
                .valueMissing,
                "it is part of the natural key, and which object it means is known only after all rows are read; "
                    + advice, entity: entity.name, property: unknown.0)
        }
        if let problem { context.diagnostics.append(place(problem, record, fields, rowParser)) }
        return problem == nil
    }

    func merge(
        _ entity: Schema.Entity, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>,
        _ rowParser: RowParser, _ indexNumber: Int, replaces: Bool, isShared: Bool
    ) {
        let row = batch.rows.rows.count - 1
        let filled = rowParser.filledSlots
        var found: [Diagnostic] = []
        if !context.hasErrors {
            context.keyIndexes.update(
                row: row, of: batch.rows, filled: filled, indexNumber: indexNumber, at: context.objectPlace
            ) { index, other in
                note(index, other, entity, record, fields, rowParser, &found)
            }
        }
        context.diagnostics += found
        // Nested objects are linked after reading, as lists are.
        let hasLists = context.objectHasLists || fields.contains { $0.kind == .object }
        context.endObject(key: batch.rows.rows[row].key, isNew: false)
        batch.addMerge(replaces: replaces, isShared: isShared, hasLists: hasLists, filled: filled)
    }
}
