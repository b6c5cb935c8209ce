import GranaryBase
import GranaryCoordination
import GranaryModel

/// Updates the rows of a batch request.
struct BatchUpdate {
    private let entity: Schema.Entity
    private let attributes: [Schema.Attribute]
    /// The new values, in the order of the attributes.
    private let expressions: [ObjectExpression]
    /// Whether the new values are the same for all objects.
    private let isConstant: Bool

    /// - Throws: ``GranaryError`` with code `usage` for an invalid property or expression.
    init(_ request: BatchUpdateRequest, search: FetchSearch, schema: Schema) throws(GranaryError) {
        entity = search.entity
        let resolver = PredicateResolver(schema: schema, entity: search.entity)
        var attributes: [Schema.Attribute] = []
        var expressions: [ObjectExpression] = []
        for (name, expression) in request.propertiesToUpdate.sorted(by: { $0.key < $1.key }) {
            guard let attribute = search.entity.attribute(named: name) else {
                let names = search.entity.attributes.map(\.name)
                throw GranaryError(
                    .usage,
                    "\(search.entity.name) has no attribute \"\(Diagnostic.shortened(name))\" to update"
                        + NearestText.hint(for: name, in: names))
            }
            guard attribute.isPersistent, attribute.description.derivationExpression == nil else {
                throw GranaryError(
                    .usage, "\(search.entity.name).\(name) is transient or derived: it cannot be updated")
            }
            attributes.append(attribute)
            expressions.append(try resolver.resolve(expression))
        }
        guard !attributes.isEmpty else {
            throw GranaryError(.usage, "\(search.entity.name): there are no properties to update")
        }
        self.attributes = attributes
        self.expressions = expressions
        isConstant = expressions.allSatisfy { expression in
            switch expression {
            case .constant, .null: true
            default: false
            }
        }
    }

    func execute(_ search: StoreSearch, _ run: BatchRun) throws -> BatchResult {
        let keys = try run.store.keys(search)
        let values = try newValues(search, run)
        var result = BatchResult()
        var failures = DiagnosticCollector()
        // Objects may exchange unique values, so all old ones are removed first.
        let unique = uniqueAttributes(run)
        if !unique.isEmpty {
            try update(keys, run) { _, _, rows, row in
                for attribute in unique { rows[row, attribute.slot] = .null }
            }
        }
        var uniqueness = BatchUniqueness(run)
        try update(keys, run) { place, key, rows, row in
            let entity = run.schema.entities[Int(rows.rows[row].entity)]
            let (version, overflow) = rows.rows[row].version.addingReportingOverflow(1)
            guard !overflow else {
                throw GranaryError(
                    Diagnostic(.storeCorrupt, "the version of p\(key) is too large", entity: entity.name))
            }
            rows.rows[row].version = version
            var isValid = true
            for (column, attribute) in attributes.enumerated() {
                let index = isConstant ? column : place * attributes.count + column
                let value = adapted(values[index], to: attribute.type)
                // A subentity may have rules of its own.
                let declared = entity.attribute(named: attribute.name) ?? attribute
                let violations = declared.violations(of: value)
                for violation in violations {
                    failures.add(run.diagnostic(violation, entity, attribute.name, value, key: key))
                }
                isValid = isValid && violations.isEmpty
                guard violations.isEmpty else { continue }
                if let value {
                    value.withBorrowed { rows.set($0, row: row, slot: attribute.slot) }
                } else {
                    rows[row, attribute.slot] = .null
                }
            }
            guard isValid, !unique.isEmpty else { return }
            for constraint in entity.uniquenessConstraints where touches(constraint) {
                guard let found = try uniqueness.violation(constraint, rows, row: row, entity: entity, key: key) else {
                    continue
                }
                failures.add(
                    run.diagnostic(
                        found.violation, entity, constraint.names.joined(separator: ", "), nil, key: key))
            }
        }
        try failures.throwIfAnyError("the objects break \(failures.ruleCount) of the model")
        result.count = keys.count
        if run.returnsIDs {
            result.objectIDs = keys.map { run.id($0.entity, $0.key) }
            result.changes.updated = Set(result.objectIDs)
        }
        return result
    }

    /// The new values of the properties: once if they are constant, otherwise for each object of the search.
    private func newValues(_ search: StoreSearch, _ run: BatchRun) throws -> [AttributeValue?] {
        guard !isConstant else {
            return expressions.map { if case .constant(let value) = $0 { value } else { nil } }
        }
        var values: [AttributeValue?] = []
        try run.store.values(of: expressions, search) { operands in
            for (attribute, operand) in zip(attributes, operands) {
                switch operand {
                case nil: values.append(nil)
                case .value(let value)?: values.append(value)
                case .list?, .subject?, .reference?:
                    throw GranaryError(.usage, "\(entity.name).\(attribute.name): the expression gives no single value")
                }
            }
            return true
        }
        return values
    }

    /// A number that the type can hold exactly, in the type; arithmetic gives integers and doubles.
    private func adapted(_ value: AttributeValue?, to type: AttributeType) -> AttributeValue? {
        guard let value, !value.fits(type), let number = value.doubleValue else { return value }
        switch type {
        case .integer16, .integer32, .integer64:
            return (value.integerValue ?? Int64(exactly: number)).map(AttributeValue.integer) ?? value
        case .double: return .double(number)
        case .float: return .float(Float(number))
        case .decimal: return value.decimalValue.map(AttributeValue.decimal) ?? value
        case .boolean: return number == 0 || number == 1 ? .boolean(number == 1) : value
        default: return value
        }
    }

    /// The updated attributes that are part of a uniqueness constraint of an entity of the family.
    private func uniqueAttributes(_ run: BatchRun) -> [Schema.Attribute] {
        let names = Set(entity.family.flatMap { run.schema.entities[$0].uniquenessConstraints.flatMap(\.names) })
        return attributes.filter { names.contains($0.name) }
    }

    private func touches(_ constraint: Schema.UniquenessConstraint) -> Bool {
        attributes.contains { constraint.names.contains($0.name) }
    }

    /// Reads rows, changes them and writes them back, in batches.
    ///
    /// - Parameter change: receives the row's place among the keys and its key, and changes a copy of the row.
    private func update(
        _ keys: [(entity: Int, key: Int64)], _ run: BatchRun,
        _ change: (_ place: Int, _ key: Int64, _ rows: inout RowBatch, _ row: Int) throws -> Void
    ) throws {
        for start in stride(from: 0, to: keys.count, by: BatchRun.batchRows) {
            let part = keys[start..<min(start + BatchRun.batchRows, keys.count)]
            let stored = try run.store.read(root: entity.root, keys: part.map(\.key))
            let rows = Dictionary(zip(stored.rows.map(\.key), stored.rows.indices)) { first, _ in first }
            var batch = RowBatch()
            for place in part.indices {
                guard let row = rows[keys[place].key] else { continue }
                let slotCount = run.schema.entities[Int(stored.rows[row].entity)].slotCount
                let copy = batch.append(row, of: stored, slotCount: slotCount)
                try change(place, keys[place].key, &batch, copy)
            }
            if !batch.isEmpty { try run.writer.update(batch) }
        }
    }
}
