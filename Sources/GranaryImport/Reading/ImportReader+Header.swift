import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// Resolution of a source's columns, and diagnostics of its header.
extension ImportReader {
    /// Resolves the columns of a header, which are known before the first record.
    func prepare(_ entity: Schema.Entity, _ reader: any RecordReader, _ job: ResolvedJob) throws {
        let rowParser = job.rowParser(for: entity)
        rowParser.plan.extend(to: reader.columns)
        let start = headerStart(reader)
        guard !entity.isAbstract || job.linkRelationship != nil else {
            return problems.add(
                Diagnostic(
                    .entityAbstract,
                    "an abstract entity has no objects, and there is no column \"\(RecordTable.entityColumn)\" with the "
                        + "names of its subentities",
                    at: start, entity: entity.name))
        }
        for column in reader.columns.indices {
            let problem = try resolve(
                column, of: rowParser, reader, at: reader.headerPosition(ofColumn: column) ?? start)
            if let problem { problems.add(problem) }
        }
        try rowParser.prepareConstants(keys: &context.keyIndexes, mayBeOthers: false)
        if rules.keepsGood, rules.keepsIdentifiers, reader.columns.contains("$id") {
            wait(from: RecordID(file: Int32(sources.files.count - 1), record: 0))
        }
        checkMap(reader.columns, of: job, at: start)
        checkHasColumns(rowParser, job, at: start)
        checkMissing(rowParser.plan, of: job, at: start)
        if let relationship = job.linkRelationship { checkLinkColumns(rowParser.plan, relationship, job, reader) }
    }

    func headerStart(_ reader: any RecordReader) -> SourcePosition {
        reader.headerPosition(ofColumn: nil) ?? SourcePosition(file: reader.sourceName, line: 1, column: 1)
    }

    /// Finds the role of a column. Returns a diagnostic if it has none.
    func resolve(
        _ column: Int, of rowParser: RowParser, _ reader: any RecordReader, at position: SourcePosition
    ) throws -> Diagnostic? {
        let help = HeaderHelp(rowParser.plan.entity, reader)
        let problem = try rowParser.plan.resolve(column, keys: &context.keyIndexes, at: position, help)
        if problem == nil, var warning = countWarning(column, rowParser.plan) {
            warning.position = position
            problems.add(warning)
        }
        return problem
    }

    /// A warning of a column whose values Core Data's triggers replace.
    private func countWarning(_ column: Int, _ plan: ColumnPlan) -> Diagnostic? {
        guard plan.roles.indices.contains(column), case .attribute(let index) = plan.roles[column], !plan.restoresAsIs,
            plan.attributes[index].attribute.description.userInfo["NSTriggerKey"] != nil
        else { return nil }
        return Diagnostic(
            .headerUnknown,
            "the triggers of a SQLite store count it (NSTriggerKey) and may replace the given values; --as-is keeps them",
            severity: .warning, entity: plan.entity.name, property: plan.attributes[index].attribute.name)
    }

    /// Reports columns of the options that the source does not have.
    func checkMap(_ columns: [String], of job: ResolvedJob, at position: SourcePosition) {
        guard !current.hasCheckedMap else { return }
        current.hasCheckedMap = true
        let named = Set(job.options.columnMap.keys).union(job.options.columnOptions.keys)
        for column in named.sorted() where !columns.contains(column) {
            if let rest = schema.nameInEntity(column), columns.contains(rest) { continue }
            problems.addFatal(
                Diagnostic(
                    .headerMissing,
                    "there is no column \"\(column)\""
                        + (job.options.columnMap[column] == nil ? ", which has options" : " to map")
                        + NearestText.hint(for: column, in: columns),
                    at: position, field: column, entity: job.entity?.name))
        }
    }

    /// Refuses a file of which all columns are ignored, because its rows would have only NULL and default values.
    private func checkHasColumns(_ rowParser: RowParser, _ job: ResolvedJob, at position: SourcePosition) {
        let isUseless = rowParser.plan.roles.allSatisfy { if case .ignored = $0 { true } else { false } }
        guard isUseless, !rowParser.plan.roles.isEmpty else { return }
        problems.addFatal(Self.allIgnored(rowParser.plan.entity, at: position))
    }

    /// Refuses a source without a header of which all columns are ignored because they have no property.
    func checkHasProperties(_ reader: any RecordReader, _ job: ResolvedJob) {
        let rejected = job.counts.rejected[Int32(sources.files.count - 1)]?.count ?? 0
        guard job.options.ignoresOtherColumns, !problems.isFatal, job.counts.read > rejected else { return }
        for plan in job.plans where !plan.hasProperties && plan.roles.indices.contains(where: plan.hasNoProperty) {
            problems.addFatal(Self.allIgnored(plan.entity, at: headerStart(reader)))
        }
    }

    private static func allIgnored(_ entity: Schema.Entity, at position: SourcePosition) -> Diagnostic {
        Diagnostic(
            .headerMissing, "all columns are ignored: every row would have only NULL and default values",
            at: position, entity: entity.name)
    }

    /// Reports ignored columns that no source of the job has.
    func checkIgnored() {
        for job in sources.jobs where job.options.checksIgnoredColumns && !problems.isFatal {
            for column in job.options.ignoredColumns.sorted() where !job.seenColumns.contains(column) {
                if let rest = schema.nameInEntity(column), job.seenColumns.contains(rest) { continue }
                let name = column.isEmpty ? "without a name" : "\"\(column)\""
                problems.addFatal(
                    Diagnostic(
                        .headerMissing,
                        "there is no column \(name) to ignore"
                            + NearestText.hint(for: column, in: job.seenColumns.sorted()),
                        field: column, entity: job.entity?.name))
            }
        }
    }

    /// Reports required columns that are missing.
    private func checkMissing(_ plan: ColumnPlan, of job: ResolvedJob, at position: SourcePosition) {
        let isIdentified = job.findsByIdentifier(plan.entity)
        let hasIdentifier = plan.columnNames.contains(RecordTable.identifierColumn)
        if isIdentified, !hasIdentifier, job.indexNumber(of: plan.entity) == nil {
            problems.add(
                Diagnostic(
                    .headerMissing, "there is no column \(RecordTable.identifierColumn), and it is the key",
                    at: position, field: RecordTable.identifierColumn, entity: plan.entity.name))
        }
        if !(isIdentified && hasIdentifier), let indexNumber = job.indexNumber(of: plan.entity) {
            for name in context.keyIndexes.all[indexNumber].names where !plan.isFilled(name) {
                problems.add(
                    Diagnostic(
                        .headerMissing, "there is no column for it, and it is part of the natural key", at: position,
                        entity: plan.entity.name, property: name))
            }
        }
        if let relationship = job.linkRelationship, !plan.isFilled(relationship.name) {
            problems.add(
                Diagnostic(
                    .headerMissing, "there is no column for it, and the file contains its links", at: position,
                    entity: plan.entity.name, property: relationship.name))
        }
        // Rows that change objects need not have all properties, and managed objects can set some themselves.
        guard job.linkRelationship == nil, job.options.onConflict == .error, !job.options.restoresParts,
            !goesThroughObjects(plan.entity)
        else { return }
        for attribute in plan.entity.attributes
        where attribute.isPersistent && !attribute.description.isOptional && attribute.description.defaultValue == nil
            && attribute.description.derivationExpression == nil && !plan.isFilled(attribute.name)
        {
            problems.add(
                Diagnostic(
                    .headerMissing, "there is no column for it, and it is required and has no default", at: position,
                    entity: plan.entity.name, property: attribute.name))
        }
        for relationship in plan.entity.relationships
        where relationship.isPersistent && !relationship.isToMany && !relationship.description.isOptional
            && !plan.isFilled(relationship.name)
        {
            problems.add(
                Diagnostic(
                    .headerMissing, "there is no column for it, and it is required", at: position,
                    entity: plan.entity.name, property: relationship.name))
        }
    }

    /// Reports the columns of a link file that are not part of a link.
    private func checkLinkColumns(
        _ plan: ColumnPlan, _ relationship: Schema.Relationship, _ job: ResolvedJob, _ reader: any RecordReader
    ) {
        let keys = job.indexNumber(of: plan.entity).map { context.keyIndexes.all[$0].names } ?? []
        for column in plan.roles.indices {
            guard var problem = Self.linkProblem(column, plan, keys, relationship) else { continue }
            problem.position = reader.headerPosition(ofColumn: column) ?? headerStart(reader)
            problems.add(problem)
        }
    }

    /// A diagnostic without a position if a column is not part of a link.
    static func linkProblem(
        _ column: Int, _ plan: ColumnPlan, _ keys: [String], _ relationship: Schema.Relationship?
    ) -> Diagnostic? {
        switch plan.roles[column] {
        case .attribute(let index) where keys.contains(plan.attributes[index].attribute.name): return nil
        case .reference(let index) where plan.references[index].relationship.name == relationship?.name: return nil
        case .ignored, .unresolved, .rejected, .otherEntity, .uncorrected: return nil
        case .part(let index, _) where plan.references[index].relationship.name == relationship?.name: return nil
        case .attribute, .reference, .part, .identifier:
            let name = plan.columnName(Int32(column))
            return Diagnostic(
                .headerUnknown,
                "a link file has only the columns \((keys + [relationship?.name ?? ""]).joined(separator: ", "))",
                field: name, entity: plan.entity.name, help: OptionHelp.option("ignore", name))
        }
    }
}
