import GranaryBase
import GranaryFormats
import GranaryModel

/// What a source's columns are for, and what is wrong with its header.
extension RecordIntake {
    /// The columns of a header are known before the first record, so their problems are found here.
    func prepare(_ entity: Schema.Entity, _ reader: any RecordReader, _ job: JobState) throws {
        let builder = job.builder(for: entity)
        builder.plan.extend(to: reader.columns)
        let start = headerStart(reader)
        for column in reader.columns.indices {
            let problem = try meet(column, of: builder, reader, at: reader.headerPosition(ofColumn: column) ?? start)
            if let problem { add(problem) }
        }
        try builder.prepareConstants(keys: &context.naturalKeys, mayBeOthers: false)
        if keepsGood, keepsIdentifiers, reader.columns.contains("$id") {
            wait(from: RecordID(file: Int32(files.count - 1), record: 0))
        }
        checkMap(reader.columns, of: job, at: start)
        checkHasColumns(builder, job, at: start)
        checkMissing(builder.plan, of: job, at: start)
        if let relationship = job.linkRelationship { checkLinkColumns(builder.plan, relationship, job, reader) }
    }

    func headerStart(_ reader: any RecordReader) -> SourcePosition {
        reader.headerPosition(ofColumn: nil) ?? SourcePosition(file: reader.sourceName, line: 1, column: 1)
    }

    /// Finds out what a column is for, or what is wrong with it.
    func meet(
        _ column: Int, of builder: RowBuilder, _ reader: any RecordReader, at position: SourcePosition
    ) throws -> Diagnostic? {
        var problem: Diagnostic?
        try builder.plan.meet(column, keys: &context.naturalKeys, at: position) { problem = $0 }
        if problem?.code == .headerUnknown, problem?.property == nil {
            problem?.help = HeaderHelp(builder.plan.entity, reader).unknown(column)
        }
        return problem
    }

    /// Columns that are mapped and nowhere to be found.
    func checkMap(_ columns: [String], of job: JobState, at position: SourcePosition) {
        guard !hasCheckedMap else { return }
        hasCheckedMap = true
        let named = Set(job.options.columnMap.keys).union(job.options.columnOptions.keys)
        for column in named.sorted() where !columns.contains(column) {
            addFatal(
                Diagnostic(
                    .headerMissing,
                    "there is no column \"\(column)\" to \(job.options.columnMap[column] == nil ? "read so" : "map")"
                        + NearestText.hint(for: column, in: columns),
                    at: position, field: column, entity: job.entity?.name))
        }
    }

    /// If no column is mapped to the entity, every row would have only NULL and default values, so the file is refused.
    private func checkHasColumns(_ builder: RowBuilder, _ job: JobState, at position: SourcePosition) {
        let isUseless = builder.plan.roles.allSatisfy { if case .ignored = $0 { true } else { false } }
        guard isUseless, !builder.plan.roles.isEmpty else { return }
        addFatal(
            Diagnostic(
                .headerMissing, "all columns are ignored: every row would have only NULL and default values",
                at: position,
                entity: builder.plan.entity.name))
    }

    /// Reports the names of `--ignore` that no source of the job has.
    func checkIgnored() {
        for job in jobs where job.options.checksIgnoredColumns && !isFatal {
            for column in job.options.ignoredColumns.sorted() where !job.seenColumns.contains(column) {
                let name = column.isEmpty ? "without a name" : "\"\(column)\""
                addFatal(
                    Diagnostic(
                        .headerMissing,
                        "there is no column \(name) to ignore"
                            + NearestText.hint(for: column, in: job.seenColumns.sorted()),
                        field: column, entity: job.entity?.name))
            }
        }
    }

    /// Columns that must be there and are not.
    private func checkMissing(_ plan: ColumnPlan, of job: JobState, at position: SourcePosition) {
        if let identity = job.identity(of: plan.entity) {
            for name in context.naturalKeys.tracked[identity].names where !plan.isFilled(name) {
                add(
                    Diagnostic(
                        .headerMissing, "there is no column for it, and it says which object a row is", at: position,
                        entity: plan.entity.name, property: name))
            }
        }
        if let relationship = job.linkRelationship, !plan.isFilled(relationship.name) {
            add(
                Diagnostic(
                    .headerMissing, "there is no column for it, and the file is its links", at: position,
                    entity: plan.entity.name, property: relationship.name))
        }
        // Rows that only change objects need not have every property.
        guard job.linkRelationship == nil, job.options.onConflict == .error else { return }
        for attribute in plan.entity.attributes
        where attribute.isPersistent && !attribute.description.isOptional && attribute.description.defaultValue == nil
            && attribute.description.derivationExpression == nil && !plan.isFilled(attribute.name)
        {
            add(
                Diagnostic(
                    .headerMissing, "there is no column for it, and it is required and has no default", at: position,
                    entity: plan.entity.name, property: attribute.name))
        }
        for relationship in plan.entity.relationships
        where relationship.isPersistent && !relationship.isToMany && !relationship.description.isOptional
            && !plan.isFilled(relationship.name)
        {
            add(
                Diagnostic(
                    .headerMissing, "there is no column for it, and it is required", at: position,
                    entity: plan.entity.name, property: relationship.name))
        }
    }

    /// A link file says nothing but links: another column would be lost without a word.
    private func checkLinkColumns(
        _ plan: ColumnPlan, _ relationship: Schema.Relationship, _ job: JobState, _ reader: any RecordReader
    ) {
        let keys = job.identity(of: plan.entity).map { context.naturalKeys.tracked[$0].names } ?? []
        for (column, role) in plan.roles.enumerated() {
            guard var problem = Self.linkProblem(role, plan, keys, relationship) else { continue }
            problem.position = reader.headerPosition(ofColumn: column) ?? headerStart(reader)
            problem.field = plan.columnName(Int32(column))
            add(problem)
        }
    }

    /// What a column has to do in a link file; nil where it belongs there.
    static func linkProblem(
        _ role: ColumnPlan.Role, _ plan: ColumnPlan, _ keys: [String], _ relationship: Schema.Relationship?
    ) -> Diagnostic? {
        switch role {
        case .attribute(let index) where keys.contains(plan.attributes[index].attribute.name): return nil
        case .reference(let index) where plan.references[index].relationship.name == relationship?.name: return nil
        case .ignored, .unmet, .refused: return nil
        case .attribute, .reference, .identifier:
            return Diagnostic(
                .headerUnknown,
                "a link file has the columns \((keys + [relationship?.name ?? ""]).joined(separator: ", ")) and no others "
                    + "(leave it with --ignore)", entity: plan.entity.name)
        }
    }
}
