import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// Nested objects of a record. Each becomes a row or a reference to an object. Nested objects with equal keys are one
/// object.
extension ImportReader {
    /// Adds the rows of the objects nested in a record.
    ///
    /// A nested object with only the members of its key is a reference; the object is created if it does not exist. Any
    /// other nested object is a row, and is rejected together with its record.
    func addNested(
        _ record: borrowing Record, _ reader: any RecordReader, _ job: ResolvedJob, around outer: ImportedObject?
    ) throws {
        // Outer objects precede inner ones. The element is nil for a rejected object and for a reference.
        var objects: [ImportedObject?] = []
        for index in record.nested.indices {
            let nested = record.nested[index]
            let parent = nested.parent < 0 ? outer : objects[Int(nested.parent)]
            var object: ImportedObject?
            if let parent, parent.disposition.canContainNewObjects,
                let surroundings = surroundings(nested, index, in: parent),
                try isKnown(surroundings) ? mayAdd(nested, record, reader, job, in: surroundings) : true
            {
                object = try add(nested, record, reader, job, in: surroundings)
            }
            objects.append(object)
        }
    }

    /// Whether the import already has the links of the relationship.
    private func isKnown(_ surroundings: Surroundings) -> Bool {
        (surroundings.owner.disposition == .named || surroundings.owner.disposition == .known)
            && !surroundings.owner.addedLists.contains(surroundings.relationship.slot)
    }

    /// Whether an object in a known relationship can say more than the one that the import has. Only an object with an
    /// `$id` or a key can, because the others are equal.
    private func mayAdd(
        _ nested: Record.Nested, _ record: borrowing Record, _ reader: any RecordReader, _ job: ResolvedJob,
        in surroundings: Surroundings
    ) throws -> Bool {
        if surroundings.owner.disposition == .known {
            let keys = surroundings.owner.rowParser.plan.references[surroundings.reference].keys.count
            guard nested.fieldsEnd - nested.fieldsStart > keys else { return false }
            return try nestedName(surroundings.index, surroundings.relationship, record, reader, job) != nil
        }
        return record.nestedFields[Int(nested.fieldsStart)..<Int(nested.fieldsEnd)].contains {
            reader.columns.indices.contains(Int($0.column))
                && reader.columns[Int($0.column)] == RecordTable.identifierColumn
        }
    }

    /// The relationship that contains a nested object; nil if its member is not a relationship, which is reported
    /// already.
    private func surroundings(_ nested: Record.Nested, _ place: Int, in parent: ImportedObject) -> Surroundings? {
        let roles = parent.rowParser.plan.roles
        guard roles.indices.contains(Int(nested.column)), case .reference(let index) = roles[Int(nested.column)] else {
            return nil
        }
        let relationship = parent.rowParser.plan.references[index].relationship
        // A list in a to-one relationship is reported already.
        guard relationship.isToMany || !nested.isElement else { return nil }
        return Surroundings(owner: parent, relationship: relationship, reference: index, index: place)
    }

    private func add(
        _ nested: Record.Nested, _ record: borrowing Record, _ reader: any RecordReader, _ job: ResolvedJob,
        in surroundings: Surroundings
    ) throws -> ImportedObject? {
        let (owner, relationship) = (surroundings.owner, surroundings.relationship)
        let fields = record.nestedFields[Int(nested.fieldsStart)..<Int(nested.fieldsEnd)]
        let names = fields.map { reader.columns.indices.contains(Int($0.column)) ? reader.columns[Int($0.column)] : "" }
        context.beginObject()
        if let problems = owner.rowParser.referByName(
            surroundings.reference, record, fields, names: names, &batch.rows, &context)
        {
            for problem in problems {
                let position = position(of: nested, record, reader)
                context.diagnostics.append(
                    Diagnostic(
                        problem.code, problem.message, at: position, entity: owner.entity.name,
                        property: relationship.name))
            }
            context.endObject(key: owner.id.key, isNew: owner.disposition == .insert)
            return nil
        }
        guard let destination = destination(of: nested, fields, record, reader, relationship) else { return nil }
        guard !destination.isAbstract else {
            context.diagnostics.append(
                Diagnostic(
                    .entityAbstract,
                    "a nested object cannot be created, because the relationship's entity is abstract; use a reference",
                    at: position(of: nested, record, reader), entity: destination.name, property: relationship.name))
            return nil
        }
        nestedObjects.open = nil
        namedObjects.hasNested = true
        try expectNestedRow(of: destination)
        context.beginNested(nested, record)
        guard let object = try addObject(destination, record, fields, reader, job, in: surroundings) else { return nil }
        let merge = object.disposition == .merge ? batch.merge(of: batch.rows.rows.count - 1) : nil
        nestedObjects.close(object, merge, at: context.objectPlace)
        namedObjects.close(object, isRecord: false, at: context.objectPlace)
        // The first object with the owner's `$id` has these links.
        guard !isKnown(surroundings) else { return object }
        context.postpone(
            relationship, to: object.id, objectEntity: destination.index, owner: owner.id.key,
            entity: owner.entity.index)
        return object
    }

    /// The entity of a nested object: the one that its member `$entity` names, or else the relationship's destination.
    /// If the nested object is rejected, the result is nil and the problem is reported.
    private func destination(
        of nested: Record.Nested, _ fields: borrowing ArraySlice<Record.Field>, _ record: borrowing Record,
        _ reader: any RecordReader, _ relationship: Schema.Relationship
    ) -> Schema.Entity? {
        let declared = schema.entities[relationship.destination]
        let name: String
        switch entityName(of: record, fields, reader) {
        case .absent: return declared
        case .name(let text): name = text
        case .invalid: name = ""
        }
        guard let entity = schema.entity(named: name), declared.family.contains(entity.index) else {
            context.diagnostics.append(
                Diagnostic(
                    .entityUnknown,
                    "\"\(Diagnostic.shortened(name))\" is not the name of \(declared.name) or one of its subentities",
                    at: position(of: nested, record, reader), field: RecordTable.entityColumn, entity: declared.name,
                    property: relationship.name))
            return nil
        }
        return entity
    }

    private func position(
        of nested: Record.Nested, _ record: borrowing Record, _ reader: any RecordReader
    ) -> SourcePosition {
        var cursor = Record.Cursor()
        return record.position(of: nested, file: reader.sourceName, &cursor)
    }

    /// The to-one relationship from a nested object to the object around it; nil if there is none.
    func inverse(of surroundings: Surroundings) -> Schema.Relationship? {
        guard let inverse = surroundings.relationship.inverse else { return nil }
        let other = schema.entities[inverse.owner].relationships[inverse.relationship]
        return other.isToMany || !other.isPersistent ? nil : other
    }

    /// Sets the inverse of a nested object's relationship to the object around it.
    func setInverse(of surroundings: Surroundings, _ rowParser: RowParser) {
        guard let other = inverse(of: surroundings) else { return }
        let owner = surroundings.owner
        rowParser.setReference(
            other, to: .reference(key: owner.id.key, entity: Int32(owner.entity.index)), in: &batch.rows)
    }
}
