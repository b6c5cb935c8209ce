import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// Reading of one record into rows. Either all of its rows are accepted, or none.
extension ImportReader {
    func take(
        _ record: borrowing Record, _ reader: any RecordReader, of job: ResolvedJob, file: Int32
    ) throws {
        let isAccepted = try accept(record, reader, of: job, file: file)
        keep(record, of: file, isAccepted: isAccepted)
    }

    private func accept(
        _ record: borrowing Record, _ reader: any RecordReader, of job: ResolvedJob, file: Int32
    ) throws -> Bool {
        context.begin(record, file: file)
        nestedObjects.beginRecord()
        namedObjects.beginRecord()
        primaryKeys.beginRecord()
        guard let entity = entity(of: record, reader, job) else {
            problems.reject(file: file, record: record.number, of: job)
            return false
        }
        job.counts.entities.insert(entity.index)
        let first = batch.rows.rows.count
        let firstUse = uses.all.count
        let object = try addObject(
            entity, record, record.fields[...], reader, job, in: nil)
        if let object { namedObjects.close(object, isRecord: true, at: context.place) }
        if !record.nested.isEmpty, object?.disposition.canContainNewObjects ?? false {
            try addNested(record, reader, job, around: object)
        }
        if !context.hasErrors { resolveKnownReferences(of: first, job) }
        // Required values that a later mention of a nested object could bring are missing here too.
        if context.hasErrors { context.diagnostics += nestedObjects.pendingProblems(of: RecordID(context.place)) }
        if let found = rules.rejectedBefore[RecordID(context.place)] { context.diagnostics += found }
        let isRejected = context.end(isLink: job.linkRelationship != nil) {
            primaryKeys.isOfRecord($1, root: $0)
        }
        for diagnostic in context.diagnostics { problems.add(diagnostic) }
        guard !isRejected, let object else {
            batch.removeRows(from: first)
            primaryKeys.rewindRecord()
            uses.all.removeSubrange(firstUse...)
            problems.reject(file: file, record: record.number, of: job)
            return false
        }
        nestedObjects.acceptRecord()
        namedObjects.acceptRecord()
        if object.disposition == .skip {
            job.counts.skipped += 1
            if uses.all.count > firstUse { uses.skipped.insert(RecordID(context.place)) }
        }
        if context.hasWaiting || rules.keepsGood && rules.keepsIdentifiers && !context.identifier.isEmpty {
            wait(from: RecordID(context.place))
        }
        noteRows(from: first, record, file: file)
        known.made.move(to: &batch)
        return true
    }

    /// Notes the origin of the rows of an accepted record.
    private func noteRows(from first: Int, _ record: borrowing Record, file: Int32) {
        for row in first..<batch.rows.rows.count {
            let header = batch.rows.rows[row]
            let entity = schema.entities[Int(header.entity)]
            let id = RowID(root: entity.root, key: header.key)
            guard let merge = batch.merge(of: row) else {
                places.note(id, file: file, line: record.line, record: record.number)
                continue
            }
            // The checks of lists and one-to-ones need the rows of the records, so these rows must wait.
            if current.nests || entity.relationships.contains(where: { setsOneToOne($0, merge) }) {
                wait(from: RecordID(context.place))
            }
            guard merge.isShared, let place = places[id] else { continue }
            uses.all.append(
                RecordUses.Use(
                    record: RecordID(file: place.file, record: place.record), line: place.line, place: context.place,
                    reason: .object))
        }
    }

    private func setsOneToOne(_ relationship: Schema.Relationship, _ merge: ParsedRows.Merge) -> Bool {
        batch.sets(relationship.slot, merge) && schema.isOneToOne(relationship)
    }

    /// The object of a record or of a nested object.
    struct ImportedObject {
        /// What to do with the object. `equalNested`: the import already has a nested object with the same key.
        /// `known`: the same; objects inside this one can still say more than those inside the first one. `named`: the
        /// import already has an object with the same `$id` and values; objects inside this one can still be new,
        /// because an export can write an object with and without them. `repeated`: the record equals an
        /// earlier one.
        enum Disposition {
            case insert, merge, skip, link, equalNested, known, named, repeated

            var canContainNewObjects: Bool {
                switch self {
                case .insert, .merge, .known, .named: true
                case .skip, .link, .equalNested, .repeated: false
                }
            }
        }

        let id: RowID
        let entity: Schema.Entity
        let rowParser: RowParser
        let disposition: Disposition
        /// For `named` and `known`: the slots of the relationships that the earlier object did not have.
        var addedLists: Set<Int> = []
        /// For `known`: whether a record of the import creates the object.
        var isKnownNew = false

        /// Whether the store does not have the object yet.
        var isNew: Bool { disposition == .insert || isKnownNew }
    }

    /// The object around a nested one, and the relationship that contains it.
    struct Surroundings {
        let owner: ImportedObject
        let relationship: Schema.Relationship
        /// The relationship's index in ``ColumnPlan/references`` of the owner's entity.
        let reference: Int
        /// The index of the nested object in the record.
        let index: Int
    }

    /// Adds the row of one object. Returns nil if the object is rejected without a row.
    func addObject(
        _ entity: Schema.Entity, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>,
        _ reader: any RecordReader, _ job: ResolvedJob, in surroundings: Surroundings?
    ) throws -> ImportedObject? {
        let rowParser = rowParser(entity, of: job)
        try resolveColumns(of: record, fields, rowParser, reader, isRecord: surroundings == nil)
        if surroundings == nil, let problem = wrapping(entity, record, fields, reader, rowParser) {
            context.diagnostics.append(problem)
            return nil
        }
        guard let key = primaryKeys.next(root: entity.root) else {
            throw GranaryError(
                Diagnostic(
                    .limitExceeded, "the store has no primary keys left for \(entity.name)",
                    at: record.position(ofRaw: 0, file: reader.sourceName), entity: entity.name))
        }
        let row = batch.rows.appendRow(entity: entity.index, key: key, version: 1, slotCount: entity.slotCount)
        batch.origins.append(ParsedRows.Origin(place: context.objectPlace, isRecord: surroundings == nil))
        context.beginObject()
        rowParser.build(record, fields, into: &batch.rows, context: &context)
        if let surroundings { setInverse(of: surroundings, rowParser) }
        rowParser.fillConstants(record, isNested: surroundings != nil, into: &batch.rows, context: &context)
        if surroundings == nil, let first = firstEqual(entity, record, fields, reader, job, rowParser) {
            context.diagnostics = [noteRepeat(first, at: context.place, of: job)].compactMap(\.self)
            return leaveOut(entity, key, rowParser)
        }
        if rowParser.options.yields, context.isIdentifierTaken || context.keyIndexes.isTaken(row: row, of: batch.rows) {
            context.diagnostics = []
            job.counts.repeated += 1
            return leaveOut(entity, key, rowParser)
        }
        if surroundings != nil || namedObjects.isKept || namedObjects.hasNested,
            let earlier = try earlierObject(entity, key, record, fields, reader, job, rowParser, in: surroundings)
        {
            return earlier
        }
        func object(_ disposition: ImportedObject.Disposition) -> ImportedObject {
            ImportedObject(
                id: RowID(root: entity.root, key: batch.rows.rows[row].key), entity: entity, rowParser: rowParser,
                disposition: disposition)
        }
        if job.findsByIdentifier(entity), !context.identifier.isEmpty {
            return addIdentified(entity, key, record, fields, job, rowParser)
        }
        guard let indexNumber = job.indexNumber(of: entity) else {
            if let surroundings, let owned = ownedObject(entity, job, in: surroundings) {
                primaryKeys.giveBack(key, root: entity.root)
                batch.rows.rows[row].key = owned.key
                noteIdentifier(entity, owned.key, record)
                return change(entity, record, fields, job, rowParser, -1, isShared: owned.isShared)
            }
            if let problem = missingKey(entity, job, in: surroundings) {
                context.diagnostics.append(place(problem, record, fields, rowParser))
            }
            if let surroundings, let stored = storedEqual(entity, key, fields, rowParser, job, in: surroundings) {
                return stored
            }
            insert(entity, record, fields, rowParser)
            return object(.insert)
        }
        guard let (bytes, known) = context.keyIndexes.find(indexNumber, row: row, of: batch.rows) else {
            if isNewByReference(indexNumber, entity, record, fields, rowParser) {
                insert(entity, record, fields, rowParser)
            } else {
                context.endObject(key: key, isNew: true)
            }
            return object(.insert)
        }
        if job.linkRelationship != nil {
            checkLinkFields(record, fields, rowParser, indexNumber, job)
            if !context.objectRefers, !context.hasErrors {
                context.diagnostics.append(
                    place(
                        Diagnostic(
                            .valueMissing, "the link refers to no object", entity: entity.name,
                            property: job.linkRelationship?.name), record, fields, rowParser))
            }
            let owner = place(
                Diagnostic(.relationshipNotFound, "", property: context.keyIndexes.all[indexNumber].names.first),
                record, fields, rowParser)
            context.setOwner(
                byKey: bytes, indexNumber: indexNumber, column: owner.position?.column ?? 1, field: owner.field)
            primaryKeys.giveBack(key, root: entity.root)
            batch.removeRows(from: row)
            return ImportedObject(
                id: RowID(root: entity.root, key: 0), entity: entity, rowParser: rowParser, disposition: .link)
        }
        guard let known else {
            if let releasing = context.keyIndexes.all[indexNumber].index.releasing(bytes) { use(releasing) }
            insert(entity, record, fields, rowParser, unmatched: context.keyIndexes.all[indexNumber].names)
            return object(.insert)
        }
        let entry = context.keyIndexes.entry(indexNumber, known)
        if let problem = mismatch(entry, indexNumber, entity, job) {
            context.diagnostics.append(place(problem, record, fields, rowParser))
            context.endObject(key: key, isNew: true)
            return object(.insert)
        }
        let isShared = entry.record != 0
        if entry.isChange, let place = entry.place { use(place) }
        if isShared { uses.sharedRows.insert(RowID(root: entity.root, key: entry.key)) }
        context.keyIndexes.claim(indexNumber, known, at: context.objectPlace)
        primaryKeys.giveBack(key, root: entity.root)
        batch.rows.rows[row].key = entry.key
        noteIdentifier(entity, entry.key, record)
        return change(entity, record, fields, job, rowParser, indexNumber, isShared: isShared)
    }

    /// Removes the last row of the batch, whose object the import already has.
    private func leaveOut(_ entity: Schema.Entity, _ key: Int64, _ rowParser: RowParser) -> ImportedObject {
        context.dropObject()
        primaryKeys.giveBack(key, root: entity.root)
        batch.removeRows(from: batch.rows.rows.count - 1)
        return ImportedObject(
            id: RowID(root: entity.root, key: 0), entity: entity, rowParser: rowParser, disposition: .repeated)
    }

    /// Lets the last row of the batch change the object whose primary key it has, or skip it.
    ///
    /// - Parameter indexNumber: the number of the index that found the object; -1 for none.
    func change(
        _ entity: Schema.Entity, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>, _ job: ResolvedJob,
        _ rowParser: RowParser, _ indexNumber: Int, isShared: Bool
    ) -> ImportedObject {
        let row = batch.rows.rows.count - 1
        let key = batch.rows.rows[row].key
        func object(_ disposition: ImportedObject.Disposition) -> ImportedObject {
            ImportedObject(
                id: RowID(root: entity.root, key: key), entity: entity, rowParser: rowParser, disposition: disposition)
        }
        if job.options.onConflict == .skip {
            // The record of the object can be rejected later.
            if isShared, let made = places[RowID(root: entity.root, key: key)] {
                uses.all.append(
                    RecordUses.Use(
                        record: RecordID(file: made.file, record: made.record), line: made.line, place: context.place,
                        reason: .object))
            }
            let skipped = object(.skip)
            context.dropObject()
            batch.removeRows(from: row)
            return skipped
        }
        let replaces = job.options.onConflict == .replace
        if replaces { rowParser.fillAbsent(record, into: &batch.rows, context: &context, replaces: true) }
        merge(entity, record, fields, rowParser, indexNumber, replaces: replaces, isShared: isShared)
        return object(.merge)
    }

    /// Notes that the object of the current record depends on a natural key that another record changes.
    private func use(_ other: RecordLocation) {
        guard RecordID(other) != RecordID(context.place) else { return }
        uses.all.append(RecordUses.Use(record: RecordID(other), line: other.line, place: context.place, reason: .key))
    }

    /// Reports the fields of a link that are not part of it, in formats without a header.
    private func checkLinkFields(
        _ record: borrowing Record, _ fields: ArraySlice<Record.Field>, _ rowParser: RowParser, _ indexNumber: Int,
        _ job: ResolvedJob
    ) {
        let keys = context.keyIndexes.all[indexNumber].names
        for field in fields where rowParser.plan.roles.indices.contains(Int(field.column)) {
            let problem: Diagnostic?
            if field.kind == .object {
                problem = Diagnostic(
                    .valueSyntax, "a link file has keys, not objects", field: rowParser.plan.columnName(field.column),
                    entity: rowParser.plan.entity.name)
            } else {
                problem = Self.linkProblem(Int(field.column), rowParser.plan, keys, job.linkRelationship)
            }
            guard var problem else { continue }
            problem.position = record.position(of: field, file: sources.files.last ?? "")
            context.diagnostics.append(problem)
        }
    }

    // MARK: New objects

    /// - Parameter unmatched: the key that no stored object has, if the row could change one.
    private func insert(
        _ entity: Schema.Entity, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>, _ rowParser: RowParser,
        unmatched: [String] = []
    ) {
        let row = batch.rows.rows.count - 1
        if goesThroughObjects(entity) { batch.addMask(rowParser.setSlots) }
        let count = context.diagnostics.count
        rowParser.fillAbsent(
            record, into: &batch.rows, context: &context, defersMissing: goesThroughObjects(entity))
        // A narrow file of updates lacks required columns, which only a new object needs.
        for index in context.diagnostics.indices.dropFirst(count)
        where !unmatched.isEmpty && context.diagnostics[index].code == .valueMissing {
            context.diagnostics[index].message +=
                "; the row is a new object, because no \(entity.name) has this \(unmatched.joined(separator: ", "))"
        }
        deferMissing(from: count, entity)
        var keyProblem: Diagnostic?
        if rules.restores {
            keyProblem = takeRestoredKey(of: entity, row, yields: rowParser.options.yields)
        } else if let asked = Self.key(in: context.identifier, of: entity), rules.keepsIdentifiers {
            batch.origins[row].askedKey = asked
            if primaryKeys.take(asked, insteadOf: batch.rows.rows[row].key, root: entity.root) {
                batch.rows.rows[row].key = asked
            }
        }
        let key = batch.rows.rows[row].key
        let problemCount = context.diagnostics.count
        noteIdentifier(entity, key, record)
        // A repeated $id is reported already, with the line of the other record.
        if let keyProblem, context.diagnostics.count == problemCount {
            context.diagnostics.append(place(keyProblem, record, fields, rowParser))
        }
        var found: [Diagnostic] = []
        context.keyIndexes.add(
            row: row, of: batch.rows, at: context.objectPlace, isRejected: context.hasErrors
        ) { index, other in
            note(index, other, entity, record, fields, rowParser, &found)
        }
        context.diagnostics += found
        context.endObject(key: key, isNew: true)
    }

    /// Notes that another object has the row's unique key. If records can change that key, the conflict is decided
    /// after all records are read.
    func note(
        _ index: Int, _ other: NaturalKeyIndex.Entry, _ entity: Schema.Entity, _ record: borrowing Record,
        _ fields: ArraySlice<Record.Field>, _ rowParser: RowParser, _ found: inout [Diagnostic]
    ) {
        let keyIndex = context.keyIndexes.all[index]
        let problem = place(
            sources.duplicate(
                keyIndex, other, entity, jobNumber: sources.jobOfFile.last ?? 0,
                keyless: keylessNested(entity, record, rowParser)
            ),
            record, fields, rowParser)
        guard context.keyIndexes.isChangeable(index), let position = problem.position else {
            found.append(problem)
            return
        }
        let place = RecordLocation(
            file: context.place.file, line: position.line, column: position.column,
            byteOffset: position.byteOffset ?? -1, record: context.place.record)
        uses.conflictPlaces[RecordConflict(record: RecordID(place), indexNumber: index)] = (place, problem.field)
    }

    /// Adds the record's `$id` to the identifiers that references can use.
    private func noteIdentifier(_ entity: Schema.Entity, _ key: Int64, _ record: borrowing Record) {
        guard !context.identifier.isEmpty else { return }
        guard let other = context.noteIdentifier(entity: entity.index, object: key) else { return }
        guard other.record != 0 else {
            context.diagnostics.append(
                Diagnostic(
                    .uniqueExists,
                    "another object of the store has the $id \(NaturalKeyBytes.display(context.identifier[...]))",
                    at: context.objectPlace.position(files: sources.files), entity: entity.name))
            return
        }
        context.diagnostics.append(
            Diagnostic(
                .uniqueDuplicate,
                "line \(other.line) has the same $id \(NaturalKeyBytes.display(context.identifier[...]))",
                at: record.position(ofRaw: 0, file: sources.files.last ?? ""), entity: entity.name))
    }

    /// The primary key in an identifier: 12 in `Entity/p12`.
    private static func key(in identifier: [UInt8], of entity: Schema.Entity) -> Int64? {
        guard !identifier.isEmpty, let text = NaturalKeyBytes.text(identifier[...]), text.hasPrefix(entity.name + "/p"),
            let key = Int64(text.dropFirst(entity.name.count + 2)), key > 0
        else { return nil }
        return key
    }

    /// The relationships of a record with nested objects that have no key to find stored objects by.
    private func keylessNested(
        _ entity: Schema.Entity, _ record: borrowing Record, _ rowParser: RowParser
    ) -> [String] {
        let job = sources.jobs[sources.jobOfFile.last ?? 0]
        var names: [String] = []
        for index in record.nested.indices where record.nested[index].parent < 0 {
            let name = rowParser.plan.property(ofColumn: Int(record.nested[index].column))
            guard let name, !names.contains(name), let relationship = entity.relationship(named: name),
                job.isKeyless(relationship)
            else { continue }
            names.append(name)
        }
        return names
    }

    /// Sets the diagnostic's position: the field of its property, or the start of the record.
    func place(
        _ diagnostic: Diagnostic, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>, _ rowParser: RowParser
    ) -> Diagnostic {
        var diagnostic = diagnostic
        let file = sources.files.last ?? ""
        diagnostic.position = context.objectPlace.position(files: sources.files)
        for field in fields where rowParser.plan.roles.indices.contains(Int(field.column)) {
            let isIdentifier =
                if case .identifier = rowParser.plan.roles[Int(field.column)] {
                    diagnostic.field == RecordTable.identifierColumn
                } else { false }
            if isIdentifier
                || rowParser.plan.property(ofColumn: Int(field.column)) == diagnostic.property
                    && diagnostic.property != nil
            {
                diagnostic.position = record.position(of: field, file: file)
                diagnostic.field = rowParser.plan.columnName(field.column)
                break
            }
        }
        return diagnostic
    }
}
