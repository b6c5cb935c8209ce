import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

extension ImportReader {
    /// Checks the header of a source that names the entity of each record: each column must be a property of an entity
    /// that the source can contain. The columns get their roles when the first record of an entity is read.
    func prepareCombined(_ reader: any RecordReader, _ job: ResolvedJob) {
        let entities = job.entity.map { Array($0.family) } ?? Array(schema.entities.indices)
        let plans = entities.map { ColumnPlan(entity: schema.entities[$0], schema: schema, options: job.options) }
        let special = [RecordTable.identifierColumn, RecordTable.entityColumn]
        for (index, column) in reader.columns.enumerated()
        where !special.contains(column) && !job.readingOptions.ignoredColumns.contains(column)
            && !job.options.ignoresOtherColumns && !RejectsTableColumns.contains(column, in: reader.columns)
        {
            // Errors in the options are reported when the column gets its role.
            let isKnown = plans.contains { plan in
                do { return try plan.property(of: column) != nil } catch { return true }
            }
            guard !isKnown else { continue }
            let place = job.entity?.name
            problems.add(
                Diagnostic(
                    .headerUnknown,
                    "\(place.map { "\($0) and its subentities have" } ?? "the model has") no property for the column "
                        + "\"\(Diagnostic.shortened(column))\"",
                    at: reader.headerPosition(ofColumn: index) ?? headerStart(reader), field: column, entity: place,
                    help: OptionHelp.option("ignore", column)))
        }
        checkMap(reader.columns, of: job, at: headerStart(reader))
        if job.linkRelationship != nil {
            problems.add(
                Diagnostic(
                    .headerUnknown, "a link file has no column \"\(RecordTable.entityColumn)\"",
                    at: headerStart(reader), field: RecordTable.entityColumn, entity: job.entity?.name,
                    help: OptionHelp.option("ignore", RecordTable.entityColumn)))
        }
    }

    /// Returns the entity of a record. If the record is rejected, the result is nil and the problem is reported.
    ///
    /// The record's member `$entity` names it, or else the source, or else the job, or else its `$id`.
    func entity(of record: borrowing Record, _ reader: any RecordReader, _ job: ResolvedJob) -> Schema.Entity? {
        var problem: Diagnostic?
        let found = entity(of: record, reader, job, &problem)
        if var problem {
            problem.position = record.position(ofRaw: 0, file: reader.sourceName)
            problems.add(problem)
        }
        return found
    }

    private func entity(
        of record: borrowing Record, _ reader: any RecordReader, _ job: ResolvedJob, _ problem: inout Diagnostic?
    ) -> Schema.Entity? {
        var entity = job.entity
        if record.entity >= 0, reader.entities.indices.contains(Int(record.entity)) {
            entity = self.entity(named: reader.entities[Int(record.entity)], in: entity, &problem)
            if entity == nil { return nil }
        }
        switch entityName(of: record, record.fields[...], reader) {
        case .absent: break
        case .name(let name):
            entity = self.entity(named: name, in: entity, &problem)
            if entity == nil { return nil }
        case .invalid:
            problem = Diagnostic(
                .valueSyntax, "the name of an entity must be one text", field: RecordTable.entityColumn)
            return nil
        }
        guard let chosen = entity ?? identifiedEntity(of: record, reader) else {
            problem = Diagnostic(
                .entityUnknown, "which entity are these rows? The source does not name it",
                help: EntityHelp.options(schema))
            return nil
        }
        guard !chosen.isAbstract || job.linkRelationship != nil else {
            problem = Diagnostic(.entityAbstract, "an abstract entity has no objects", entity: chosen.name)
            return nil
        }
        return chosen
    }

    /// The entity that the record's `$id` names, as in `Patient/p1`; nil if there is none.
    private func identifiedEntity(of record: borrowing Record, _ reader: any RecordReader) -> Schema.Entity? {
        guard let column = reader.columns.firstIndex(of: RecordTable.identifierColumn) else { return nil }
        for index in record.fields.indices where Int(record.fields[index].column) == column {
            let text = String(decoding: record.bytes[record.fields[index].range], as: UTF8.self)
            return ExportedName(text).flatMap { schema.entity(named: $0.entity) }
        }
        return nil
    }

    /// The content of a record's or object's member `$entity`.
    enum EntityName {
        case absent
        case name(String)
        case invalid
    }

    func entityName(
        of record: borrowing Record, _ fields: borrowing ArraySlice<Record.Field>, _ reader: any RecordReader
    ) -> EntityName {
        guard let column = current.entityColumn.index(in: reader.columns) else { return .absent }
        for index in fields.indices where fields[index].column == column {
            let field = fields[index]
            if field.kind == .null { return .absent }
            guard !field.isElement, field.kind == .text || field.kind == .quoted else { return .invalid }
            let name = String(decoding: record.bytes[field.range], as: UTF8.self)
            return name.isEmpty && field.kind == .text ? .absent : .name(name)
        }
        return .absent
    }

    /// The entity with a name, which must be in the family of another one; nil if it is not.
    private func entity(
        named name: String, in other: Schema.Entity?, _ problem: inout Diagnostic?
    ) -> Schema.Entity? {
        guard let found = schema.entity(named: name) else {
            let hint = NearestText.hint(for: name, in: schema.entities.map(\.name))
            problem = Diagnostic(
                .entityUnknown, "the model has no entity \"\(Diagnostic.shortened(name))\"\(hint)")
            return nil
        }
        if let other, !other.family.contains(found.index) {
            problem = Diagnostic(
                .entityUnknown, "the source has the entity \(found.name), and the import is of \(other.name)",
                entity: found.name)
            return nil
        }
        return found
    }
}
