import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryPersistence

/// One record: the rows that it becomes, all or none.
extension ImportSession {
    func take(
        _ record: borrowing Record, _ reader: any RecordReader, of job: JobState, file: Int32
    ) throws {
        context.begin(record, file: file)
        nestedTwins.beginRecord()
        guard let entity = entity(of: record, reader, job) else {
            return reject(file: file, record: record.number, of: job)
        }
        let first = batch.rows.rows.count
        let object = try addObject(
            entity, record, record.fields[...], reader, job, in: nil)
        var nested = 0
        if !record.nested.isEmpty, object.map({ $0.disposition == .insert || $0.disposition == .merge }) ?? false {
            nested = try addNested(record, reader, job, around: object)
        }
        let isRejected = context.end()
        for diagnostic in context.diagnostics { add(diagnostic) }
        guard !isRejected, let object else {
            batch.removeRows(from: first)
            return reject(file: file, record: record.number, of: job)
        }
        nestedTwins.acceptRecord()
        switch object.disposition {
        case .insert: job.created += 1
        case .skip: job.skipped += 1
        case .merge, .link, .twin: break
        }
        job.nested += nested
        notePlaces(from: first, record, file: file, isGroup: nested > 0, object)
    }

    private func notePlaces(
        from first: Int, _ record: borrowing Record, file: Int32, isGroup: Bool, _ object: ImportedObject
    ) {
        let merged = Set(batch.merges.lazy.filter { $0.row >= first }.map(\.row))
        var group = [object.id]
        for row in first..<batch.rows.rows.count {
            let header = batch.rows.rows[row]
            let id = RowID(root: schema.entities[Int(header.entity)].root, key: header.key)
            if !merged.contains(row) {
                places.note(id, file: file, line: record.line, record: record.number)
                if id != object.id { nestedInserts += 1 }
            }
            if isGroup, id != object.id { group.append(id) }
        }
        if group.count > 1 { groups.add(group, of: RecordID(context.place)) }
    }

    /// An object that a record or a nested object is.
    struct ImportedObject {
        /// The import already has a nested object with the same key and values.
        enum Disposition { case insert, merge, skip, link, twin }

        let id: RowID
        let entity: Schema.Entity
        let builder: RowBuilder
        let disposition: Disposition
    }

    /// The object around a nested one, and the relationship that leads in.
    struct Surroundings {
        let owner: ImportedObject
        let relationship: Schema.Relationship
        /// Its place in the plan of the owner's entity.
        let reference: Int
        /// The index of the nested object in the record.
        let index: Int
    }

    /// Makes the row of one object; nil where it is refused at once.
    func addObject(
        _ entity: Schema.Entity, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>,
        _ reader: any RecordReader, _ job: JobState, in surroundings: Surroundings?
    ) throws -> ImportedObject? {
        let builder = job.builder(for: entity)
        try meetColumns(of: record, fields, builder, reader, isRecord: surroundings == nil)
        guard let key = keysGiven.next(root: entity.root) else {
            throw GranaryError(
                Diagnostic(
                    .limitExceeded, "the store has no keys left for \(entity.name)",
                    at: record.position(ofRaw: 0, file: reader.sourceName), entity: entity.name))
        }
        let row = batch.rows.appendRow(entity: entity.index, key: key, version: 1, slotCount: entity.slotCount)
        context.beginObject()
        builder.build(record, fields, into: &batch.rows, context: &context)
        if let surroundings {
            setInverse(of: surroundings, builder)
        } else {
            builder.fillConstants(record, into: &batch.rows, context: &context)
        }
        if let surroundings, let twin = twin(of: surroundings, entity, key, record, fields, reader, job, builder) {
            return twin
        }
        func object(_ disposition: ImportedObject.Disposition) -> ImportedObject {
            ImportedObject(
                id: RowID(root: entity.root, key: batch.rows.rows[row].key), entity: entity, builder: builder,
                disposition: disposition)
        }
        guard let identity = job.identity(of: entity) else {
            if job.hasIdentity, surroundings.map({ $0.owner.disposition != .insert }) ?? true {
                context.diagnostics.append(
                    place(
                        Diagnostic(
                            .valueMissing,
                            "nothing says whether the object is one that the store has: the entity has no uniqueness "
                                + "constraint, and its key is not named", entity: entity.name,
                            help: surroundings.map { "--key \($0.relationship.name)=ATTRIBUTE" } ?? "--key ATTRIBUTE"),
                        record, fields, builder)
                )
            }
            insert(entity, record, fields, builder)
            return object(.insert)
        }
        guard let (bytes, known) = context.keys.find(identity, row: row, of: batch.rows) else {
            reportNoKey(identity, entity, record, fields, builder)
            context.endObject(key: key, isNew: true)
            return object(.insert)
        }
        if job.linkRelationship != nil {
            checkLinkFields(record, fields, builder, identity, job)
            if !context.objectRefers, !context.hasErrors {
                context.diagnostics.append(
                    place(
                        Diagnostic(
                            .valueMissing, "the link leads to no object", entity: entity.name,
                            property: job.linkRelationship?.name), record, fields, builder))
            }
            let owner = place(
                Diagnostic(.relationshipNotFound, "", property: context.keys.tracked[identity].names.first), record,
                fields, builder)
            context.setOwner(
                byKey: bytes, tracked: identity, column: owner.position?.column ?? 1, field: owner.field)
            keysGiven.giveBack(key, root: entity.root)
            batch.removeRows(from: row)
            return ImportedObject(
                id: RowID(root: entity.root, key: 0), entity: entity, builder: builder, disposition: .link)
        }
        guard let known else {
            insert(entity, record, fields, builder)
            return object(.insert)
        }
        let entry = context.keys.entry(identity, known)
        if let problem = mismatch(entry, identity, entity, job) {
            context.diagnostics.append(place(problem, record, fields, builder))
            context.endObject(key: key, isNew: true)
            return object(.insert)
        }
        let isShared = entry.record != 0
        if isShared { sharedRows.insert(RowID(root: entity.root, key: entry.key)) }
        context.keys.claim(identity, known, at: context.place)
        keysGiven.giveBack(key, root: entity.root)
        batch.rows.rows[row].key = entry.key
        noteIdentifier(entity, entry.key, record)
        if job.options.onConflict == .skip {
            let skipped = object(.skip)
            context.dropObject()
            batch.removeRows(from: row)
            return skipped
        }
        let replaces = job.options.onConflict == .replace
        if replaces { builder.fillAbsent(record, into: &batch.rows, context: &context, replaces: true) }
        merge(
            entity, record, fields, builder, identity, replaces: replaces, isRecord: surroundings == nil,
            isShared: isShared)
        return object(.merge)
    }

    /// The earlier nested object with the same key and equal values; nil if there is none.
    private func twin(
        of surroundings: Surroundings, _ entity: Schema.Entity, _ key: Int64, _ record: borrowing Record,
        _ fields: ArraySlice<Record.Field>, _ reader: any RecordReader, _ job: JobState, _ builder: RowBuilder
    ) -> ImportedObject? {
        guard !context.hasErrors, let nestedKey = nestedKey(entity, surroundings.relationship, job) else { return nil }
        let digest = nestedDigest(surroundings.index, entity, record, reader, builder)
        let row = batch.rows.rows.count - 1
        guard let known = nestedTwins.find(nestedKey) else {
            // The object gets its primary key later.
            nestedTwins.open = (nestedKey, digest)
            return nil
        }
        guard known.digest == digest else {
            let names = job.nestedKey(surroundings.relationship) ?? []
            let natural = NaturalKey(of: entity, allowsSeveral: true)?.attributes.map(\.name) ?? []
            let key = (names.isEmpty ? natural : names).joined(separator: ", ")
            context.diagnostics.append(
                place(
                    Diagnostic(
                        .uniqueDuplicate,
                        "an object with the same \(key) and other values is inside the record at "
                            + known.place.describe(files), entity: entity.name, property: names.first ?? natural.first,
                        coreDataCode: 1551, related: [known.place.position(files: files)]), record, fields, builder))
            context.endObject(key: batch.rows.rows[row].key, isNew: true)
            return ImportedObject(id: known.id, entity: entity, builder: builder, disposition: .twin)
        }
        context.dropObject()
        keysGiven.giveBack(key, root: entity.root)
        batch.removeRows(from: row)
        return ImportedObject(id: known.id, entity: entity, builder: builder, disposition: .twin)
    }

    /// A link file says nothing but links; in formats without a header each record is asked.
    private func checkLinkFields(
        _ record: borrowing Record, _ fields: ArraySlice<Record.Field>, _ builder: RowBuilder, _ identity: Int,
        _ job: JobState
    ) {
        let keys = context.keys.tracked[identity].names
        for field in fields where builder.plan.roles.indices.contains(Int(field.column)) {
            let problem: Diagnostic?
            if field.kind == .object {
                problem = Diagnostic(
                    .valueSyntax, "a link file has keys, not objects", entity: builder.plan.entity.name)
            } else {
                problem = Self.linkProblem(
                    builder.plan.roles[Int(field.column)], builder.plan, keys, job.linkRelationship)
            }
            guard var problem else { continue }
            problem.position = record.position(of: field, file: files.last ?? "")
            problem.field = builder.plan.columnName(field.column)
            context.diagnostics.append(problem)
        }
    }

    // MARK: New objects

    private func insert(
        _ entity: Schema.Entity, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>, _ builder: RowBuilder
    ) {
        let row = batch.rows.rows.count - 1
        builder.fillAbsent(record, into: &batch.rows, context: &context)
        if let asked = Self.key(in: context.identifier, of: entity), keepsIdentifiers,
            keysGiven.take(asked, insteadOf: batch.rows.rows[row].key, root: entity.root)
        {
            batch.rows.rows[row].key = asked
        }
        let key = batch.rows.rows[row].key
        noteIdentifier(entity, key, record)
        var found: [Diagnostic] = []
        context.keys.add(row: row, of: batch.rows, at: context.place, isRejected: context.hasErrors) { tracked, twin in
            found.append(duplicate(tracked, twin, entity))
        }
        for problem in found { context.diagnostics.append(place(problem, record, fields, builder)) }
        context.endObject(key: key, isNew: true)
    }

    /// The identifier finds the object for references.
    private func noteIdentifier(_ entity: Schema.Entity, _ key: Int64, _ record: borrowing Record) {
        guard !context.identifier.isEmpty else { return }
        guard let twin = context.noteIdentifier(entity: entity.index, object: key) else { return }
        context.diagnostics.append(
            Diagnostic(
                .uniqueDuplicate,
                "the $id \(KeyBytes.display(context.identifier[...])) stands in line \(twin.line) already",
                at: record.position(ofRaw: 0, file: files.last ?? ""), entity: entity.name))
    }

    /// The 12 of `Entity/p12`.
    private static func key(in identifier: [UInt8], of entity: Schema.Entity) -> Int64? {
        guard !identifier.isEmpty, let text = KeyBytes.text(identifier[...]), text.hasPrefix(entity.name + "/p"),
            let key = Int64(text.dropFirst(entity.name.count + 2)), key > 0
        else { return nil }
        return key
    }

    private func duplicate(
        _ tracked: TrackedKeys.Tracked, _ twin: KeyIndex.Entry, _ entity: Schema.Entity
    ) -> Diagnostic {
        let names = tracked.names.joined(separator: ", ")
        guard twin.record != 0 else {
            return Diagnostic(
                .uniqueExists, "an object with this \(names) is in the store already", entity: entity.name,
                property: tracked.names.first, coreDataCode: 1551, help: conflictHelp(tracked, entity))
        }
        let place = RecordPlace(file: twin.file, line: twin.line, column: 1, byteOffset: -1, record: twin.record)
        return Diagnostic(
            .uniqueDuplicate, "the same \(names) stands in \(place.describe(files)) already", entity: entity.name,
            property: tracked.names.first, coreDataCode: 1551, related: [place.position(files: files)])
    }

    /// The options with which the row would update the existing object.
    private func conflictHelp(_ tracked: TrackedKeys.Tracked, _ entity: Schema.Entity) -> String? {
        let job = jobs[jobOfFile.last ?? 0]
        guard job.options.onConflict == .error, job.linkRelationship == nil else { return nil }
        let natural = NaturalKey(of: entity, allowsSeveral: true)?.attributes.map(\.name)
        if job.options.key == tracked.names || job.options.key == nil && natural == tracked.names {
            return "--on-conflict update"
        }
        return OptionHelp.option("key", tracked.names.joined(separator: ",")) + " --on-conflict update"
    }

    /// Where the record has the diagnostic's property, or else where the record begins.
    private func place(
        _ diagnostic: Diagnostic, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>, _ builder: RowBuilder
    ) -> Diagnostic {
        var diagnostic = diagnostic
        let file = files.last ?? ""
        diagnostic.position = record.position(ofRaw: 0, file: file)
        for field in fields where builder.plan.roles.indices.contains(Int(field.column)) {
            if case .attribute(let index) = builder.plan.roles[Int(field.column)],
                builder.plan.attributes[index].attribute.name == diagnostic.property
            {
                diagnostic.position = record.position(of: field, file: file)
                diagnostic.field = builder.plan.columnName(field.column)
                break
            }
        }
        return diagnostic
    }

    // MARK: Objects that are there already

    /// What keeps a row from being the object that has its key.
    private func mismatch(
        _ entry: KeyIndex.Entry, _ identity: Int, _ entity: Schema.Entity, _ job: JobState
    ) -> Diagnostic? {
        let tracked = context.keys.tracked[identity]
        let names = tracked.names.joined(separator: ", ")
        if entry.record != 0, entry.isRejected || jobOfFile[Int(entry.file)] == job.number {
            return duplicate(tracked, entry, entity)
        }
        if entry.twins != .none {
            return Diagnostic(
                .uniqueExists, "several objects in the store have this \(names); which one the row is cannot be told",
                entity: entity.name, property: tracked.names.first)
        }
        guard Int(entry.entity) == entity.index else {
            let found = schema.entities[Int(entry.entity)].name
            return Diagnostic(
                .uniqueExists, "the object with this \(names) is of the entity \(found); no row can change that",
                entity: entity.name, property: tracked.names.first)
        }
        return nil
    }

    private func reportNoKey(
        _ identity: Int, _ entity: Schema.Entity, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>,
        _ builder: RowBuilder
    ) {
        // A key that could not be read has been reported.
        guard !context.hasErrors else { return }
        let names = context.keys.tracked[identity].names
        let row = batch.rows.rows.count - 1
        let slots = context.keys.tracked[identity].slots
        let missing = zip(names, slots).first { batch.rows[row, $0.1] == .null }?.0 ?? names.first
        context.diagnostics.append(
            place(
                Diagnostic(
                    .valueMissing, "it says which object the row is, and has no value", entity: entity.name,
                    property: missing), record, fields, builder))
    }

    private func merge(
        _ entity: Schema.Entity, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>,
        _ builder: RowBuilder, _ identity: Int, replaces: Bool, isRecord: Bool, isShared: Bool
    ) {
        let row = batch.rows.rows.count - 1
        let filled = builder.filledSlots
        var found: [Diagnostic] = []
        if !context.hasErrors {
            context.keys.update(
                row: row, of: batch.rows, filled: filled, identity: identity, at: context.place
            ) { tracked, twin in
                found.append(duplicate(tracked, twin, entity))
            }
        }
        for problem in found { context.diagnostics.append(place(problem, record, fields, builder)) }
        // Objects inside are linked at the end too.
        let waits = context.objectWaits || fields.contains { $0.kind == .object }
        context.endObject(key: batch.rows.rows[row].key, isNew: false)
        batch.merges.append(
            ImportBatch.Merge(
                row: row, filled: filled, replaces: replaces, isRecord: isRecord, isShared: isShared, waits: waits,
                place: context.place))
    }
}
