import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// Objects that the import already has: nested objects with equal keys, and objects that are written again with their
/// `$id`, as an export with `--repeat` does.
extension ImportReader {
    /// The earlier object with the same key or `$id` and equal values as the one in the last row of the batch; nil if
    /// there is none.
    ///
    /// - Parameter surroundings: nil for a record. It can only be an object that was nested before.
    /// - Throws: ``NestedRowFound`` if the contents of an object with the `$id` were not kept.
    func earlierObject(
        _ entity: Schema.Entity, _ key: Int64, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>,
        _ reader: any RecordReader, _ job: ResolvedJob, _ rowParser: RowParser, in surroundings: Surroundings?
    ) throws -> ImportedObject? {
        namedObjects.open = nil
        func same(
            _ id: RowID, _ disposition: ImportedObject.Disposition, taking lists: Set<Int> = []
        ) -> ImportedObject {
            context.dropObject(keeping: lists)
            context.endObject(key: id.key, isNew: true)
            primaryKeys.giveBack(key, root: entity.root)
            batch.removeRows(from: batch.rows.rows.count - 1)
            return ImportedObject(
                id: id, entity: entity, rowParser: rowParser, disposition: disposition, addedLists: lists)
        }
        func refused(_ problem: Diagnostic, _ id: RowID) -> ImportedObject {
            context.diagnostics.append(place(problem, record, fields, rowParser))
            context.endObject(key: key, isNew: true)
            return ImportedObject(id: id, entity: entity, rowParser: rowParser, disposition: .equalNested)
        }
        // The record is rejected, and a repeated object is not another reason.
        let isRejected = context.hasErrors
        if isRejected, surroundings != nil, let named = namedObjects.find(context.identifier) {
            return same(named.id, .equalNested)
        }
        let ownKey = surroundings.flatMap { nestedKey(entity, $0.relationship, job) }
        var contents = NestedContents()
        if ownKey != nil, let surroundings {
            contents = try nestedContents(surroundings.index, entity, record, reader, rowParser, job)
        }
        let keyed = ownKey.flatMap { nestedObjects.find($0) }
        // The values of an object with errors are not known.
        if let keyed, context.objectHasErrors { return same(keyed.id, .equalNested) }
        // Objects with an `$id` are compared below, where references by `$id` and by key are equal.
        if let keyed, let ownKey, keyed.contents.conflicts(with: contents).isEmpty,
            context.identifier.isEmpty || keyed.contents == contents
        {
            let added = keyed.contents.missing(from: contents)
            if isRejected || keyed.isSkipped { return same(keyed.id, keyed.isSkipped ? .equalNested : .known) }
            guard !added.isEmpty else {
                noteMention(ownKey, keyed, contents)
                return same(keyed.id, .known)
            }
            return supplement(ownKey, keyed, contents, added, key, entity, record, fields, rowParser)
        }
        if isRejected {
            // Its `$id` is not compared.
        } else if namedObjects.isKept, current.nests, !context.identifier.isEmpty {
            let named = self.contents(entity, record, fields, reader, rowParser, in: surroundings)
            if let known = namedObjects.find(context.identifier), surroundings != nil || !known.isRecord {
                guard known.entity == entity.index, let merged = known.contents.merged(with: named) else {
                    let text = NaturalKeyBytes.display(context.identifier[...])
                    return refused(
                        Diagnostic(
                            .uniqueDuplicate, "line \(known.place.line) has the same $id \(text) and other values",
                            entity: entity.name, related: [known.place.position(files: sources.files)]), known.id)
                }
                noteAgain(known, isRecord: surroundings == nil, of: job)
                let added = Set(merged.lists.keys).subtracting(known.contents.lists.keys)
                if !added.isEmpty { namedObjects.update(context.identifier, known, with: merged) }
                return same(known.id, .named, taking: added)
            }
            namedObjects.open = (context.identifier, named)
        } else if !namedObjects.isKept, context.isIdentifierTaken {
            throw NestedRowFound()
        }
        guard let surroundings, let ownKey else { return nil }
        if let keyed {
            let conflicts = keyed.contents.conflicts(with: contents)
            return refused(
                otherValues(keyed, conflicts, entity, surroundings.relationship, job, rowParser), keyed.id)
        }
        // The object's primary key is not final yet.
        nestedObjects.open = NestedObjectIndex.Open(
            key: ownKey, contents: contents, texts: nestedObjects.keepsTexts ? texts(entity, rowParser) : [:])
        return nil
    }

    private func otherValues(
        _ known: NestedObjectIndex.KnownObject, _ conflicts: [Int], _ entity: Schema.Entity,
        _ relationship: Schema.Relationship,
        _ job: ResolvedJob, _ rowParser: RowParser
    ) -> Diagnostic {
        let names = job.nestedKey(relationship) ?? []
        let natural = NaturalKey(of: entity, allowsSeveral: true)?.attributes.map(\.name) ?? []
        let key = (names.isEmpty ? natural : names).joined(separator: ", ")
        return Diagnostic(
            .uniqueDuplicate,
            "an object with the same \(key) and other values is nested in the record at "
                + known.place.describe(sources.files) + difference(known.texts, conflicts, entity, rowParser),
            entity: entity.name, property: names.first ?? natural.first,
            coreDataCode: 1551, related: [known.place.position(files: sources.files)],
            help:
                "a run loads one state of an object; if one of the two is newer, import its record or file later, in a "
                + "run of its own with --on-conflict update")
    }

    /// Notes that the current record contains an object of another one, or is it.
    private func noteAgain(_ named: NamedObjectIndex.NamedObject, isRecord: Bool, of job: ResolvedJob) {
        if isRecord {
            if let problem = noteRepeat(named.place, at: context.place, of: job) { context.diagnostics.append(problem) }
        } else if rules.keepsGood, RecordID(named.place) != RecordID(context.place) {
            // The other record can still be rejected.
            uses.all.append(
                RecordUses.Use(
                    record: RecordID(named.place), line: named.place.line, place: context.place, reason: .object))
        }
        if !named.isRecord { noteShared(named.place) }
    }

    /// Notes that the current record contains an object that is nested in another record too.
    func noteShared(_ place: RecordLocation) {
        guard rules.keepsGood, RecordID(place) != RecordID(context.place) else { return }
        uses.sharedNested.insert(RecordID(place))
    }

    // MARK: Contents

    /// The contents of the object in the last row of the batch.
    ///
    /// An export writes the same object in several ways: its relationships are objects as deep as the paths of
    /// `--nested` reach, and below references, or nothing if the other side has the same links. The relationship to the object
    /// around it is left out.
    private func contents(
        _ entity: Schema.Entity, _ record: borrowing Record, _ fields: ArraySlice<Record.Field>,
        _ reader: any RecordReader, _ rowParser: RowParser, in surroundings: Surroundings?
    ) -> NamedObjectIndex.Contents {
        let row = batch.rows.rows.count - 1
        var values: [UInt8] = []
        for attribute in entity.attributes where rowParser.isFilled(attribute.slot) {
            values.append(contentsOf: Array("\(attribute.slot):".utf8))
            Self.append(batch.rows[row, attribute.slot], of: batch.rows, to: &values)
        }
        var targets: [Int: [NamedObjectIndex.Target]] = [:]
        nestedObjects.readContents(of: record, reader.columns)
        for field in fields where rowParser.plan.roles.indices.contains(Int(field.column)) {
            switch rowParser.plan.roles[Int(field.column)] {
            case .reference(let index):
                let relationship = rowParser.plan.references[index].relationship
                let target = target(field, relationship, record, reader)
                targets[relationship.slot, default: []] += [target].compactMap(\.self)
            case .part:
                values.append(contentsOf: Array("\(rowParser.plan.columnName(field.column)):".utf8))
                values.append(contentsOf: record.bytes[field.range])
            case .unresolved, .ignored, .rejected, .otherEntity, .uncorrected, .attribute, .identifier: break
            }
        }
        if let surroundings, let inverse = inverse(of: surroundings), targets[inverse.slot] == nil {
            let parent = record.nested[surroundings.index].parent
            targets[inverse.slot] = [
                parent < 0
                    ? name(record.fields[...], inverse, record, reader)
                    : name(parent: Int(parent), inverse, record, reader)
            ]
        }
        var lists: [Int: NamedObjectIndex.Digests] = [:]
        for relationship in entity.relationships where canBeLeftOut(relationship) {
            guard let list = targets.removeValue(forKey: relationship.slot) else { continue }
            lists[relationship.slot] = NamedObjectIndex.Digests([], [relationship.slot: list])
        }
        return NamedObjectIndex.Contents(values: NamedObjectIndex.Digests(values, targets), lists: lists)
    }

    /// Whether the objects of a list have the same links as the list.
    private func canBeLeftOut(_ relationship: Schema.Relationship) -> Bool {
        guard relationship.isToMany, !relationship.description.isOrdered, let inverse = relationship.inverse else {
            return false
        }
        let other = schema.entities[inverse.owner].relationships[inverse.relationship]
        return other.isPersistent
    }

    /// The object that an element of a relationship is; nil for NULL and an empty list.
    private func target(
        _ field: Record.Field, _ relationship: Schema.Relationship, _ record: borrowing Record,
        _ reader: any RecordReader
    ) -> NamedObjectIndex.Target? {
        switch field.kind {
        case .null, .emptyList: return nil
        case .object:
            let index = Int(field.start)
            guard record.nested.indices.contains(index) else { return nil }
            return name(parent: index, relationship, record, reader)
        case .text, .quoted, .number, .boolean, .date, .data, .array, .json:
            let text = Array(record.bytes[field.range])
            return NamedObjectIndex.Target(identifier: text, key: text)
        }
    }

    private func name(
        parent index: Int, _ relationship: Schema.Relationship, _ record: borrowing Record, _ reader: any RecordReader
    ) -> NamedObjectIndex.Target {
        let nested = record.nested[index]
        var target = name(
            record.nestedFields[Int(nested.fieldsStart)..<Int(nested.fieldsEnd)], relationship, record, reader)
        if target.identifier.isEmpty {
            target = .init(identifier: nestedObjects.content(index), key: target.key)
        }
        return target
    }

    /// How references name the object with these fields: by `$id`, and by its key if it has one.
    private func name(
        _ fields: ArraySlice<Record.Field>, _ relationship: Schema.Relationship, _ record: borrowing Record,
        _ reader: any RecordReader
    ) -> NamedObjectIndex.Target {
        let key = NaturalKey(of: schema.entities[relationship.destination], allowsSeveral: false)?.attributes.first?
            .name
        var (identifier, value): ([UInt8], [UInt8]) = ([], [])
        for field in fields where reader.columns.indices.contains(Int(field.column)) && field.kind != .null {
            let name = reader.columns[Int(field.column)]
            if name == RecordTable.identifierColumn { identifier = Array(record.bytes[field.range]) }
            if name == key { value = Array(record.bytes[field.range]) }
        }
        return NamedObjectIndex.Target(identifier: identifier, key: value.isEmpty ? identifier : value)
    }
}
