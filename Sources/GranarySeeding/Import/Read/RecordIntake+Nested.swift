import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel

/// Nested objects of a record. Each becomes a row of its own or refers to an existing object. Nested objects with equal keys
/// and equal values are one object.
extension RecordIntake {
    /// Makes the rows of the objects nested in a record.
    ///
    /// An object that has its key and nothing else names an object; where nobody brings that one, it is made. Any other is
    /// a row as a record is, and refused with it.
    func addNested(
        _ record: borrowing Record, _ reader: any RecordReader, _ job: JobState, around outer: ImportedObject?
    ) throws {
        // Parents come before their children. Nil: refused, or a name only.
        var objects: [ImportedObject?] = []
        for index in record.nested.indices {
            let nested = record.nested[index]
            let parent = nested.parent < 0 ? outer : objects[Int(nested.parent)]
            var object: ImportedObject?
            if let parent, parent.disposition != .skip, parent.disposition != .twin,
                let surroundings = surroundings(nested, index, in: parent)
            {
                object = try add(nested, record, reader, job, in: surroundings)
            }
            objects.append(object)
        }
    }

    /// The relationship that a nested object stands in; nil where its member is none, which was said then.
    private func surroundings(_ nested: Record.Nested, _ place: Int, in parent: ImportedObject) -> Surroundings? {
        let roles = parent.builder.plan.roles
        guard roles.indices.contains(Int(nested.column)), case .reference(let index) = roles[Int(nested.column)] else {
            return nil
        }
        let relationship = parent.builder.plan.references[index].relationship
        // A list in place of one object was refused.
        guard relationship.isToMany || !nested.isElement else { return nil }
        return Surroundings(owner: parent, relationship: relationship, reference: index, index: place)
    }

    private func add(
        _ nested: Record.Nested, _ record: borrowing Record, _ reader: any RecordReader, _ job: JobState,
        in surroundings: Surroundings
    ) throws -> ImportedObject? {
        let (owner, relationship) = (surroundings.owner, surroundings.relationship)
        let fields = record.nestedFields[Int(nested.fieldsStart)..<Int(nested.fieldsEnd)]
        let names = fields.map { reader.columns.indices.contains(Int($0.column)) ? reader.columns[Int($0.column)] : "" }
        context.beginObject()
        if let problems = owner.builder.referByName(
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
        let destination = schema.entities[relationship.destination]
        guard !destination.isAbstract else {
            context.diagnostics.append(
                Diagnostic(
                    .entityAbstract,
                    "an object inside another is of the relationship's entity, and that is abstract; refer to it instead",
                    at: position(of: nested, record, reader), entity: destination.name, property: relationship.name))
            return nil
        }
        nestedTwins.open = nil
        guard let object = try addObject(destination, record, fields, reader, job, in: surroundings) else { return nil }
        nestedTwins.close(object.id, at: context.place)
        context.postpone(
            relationship, to: object.id, objectEntity: destination.index, owner: owner.id.key,
            entity: owner.entity.index)
        return object
    }

    private func position(
        of nested: Record.Nested, _ record: borrowing Record, _ reader: any RecordReader
    ) -> SourcePosition {
        var cursor = Record.Cursor()
        return record.position(of: nested, file: reader.sourceName, &cursor)
    }

    /// The object at the other end of an inverse is the one around.
    func setInverse(of surroundings: Surroundings, _ builder: RowBuilder) {
        guard let inverse = surroundings.relationship.inverse else { return }
        let other = schema.entities[inverse.owner].relationships[inverse.relationship]
        guard !other.isToMany, other.isPersistent else { return }
        let owner = surroundings.owner
        builder.setReference(
            other, to: .reference(key: owner.id.key, entity: Int32(owner.entity.index)), in: &batch.rows)
    }
}
