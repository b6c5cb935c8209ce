import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Updates the rows of a batch request.
struct BatchUpdate {
    private let entity: Schema.Entity
    private let attributes: [Schema.Attribute]
    /// The new values, in the order of the attributes.
    private let expressions: [CompiledExpression]
    /// The keys of the expressions' key paths.
    private let pathKeys: Set<String>
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
        try search.checkIsStored(expressions)
        self.expressions = expressions.map { CompiledExpression($0) }
        var keys: Set<String> = []
        for part in expressions.flatMap(\.parts) {
            switch part {
            case .expression(.keyPath(let path)), .expression(.path(let path, _)):
                keys.formUnion(path.split(separator: ".").map(String.init))
            case .expression, .predicate: break
            }
        }
        pathKeys = keys
        isConstant = expressions.allSatisfy { expression in
            switch expression {
            case .constant, .null: true
            default: false
            }
        }
    }

    func execute(_ search: StoreSearch, _ run: BatchRun) throws -> BatchResult {
        // The search runs once: another run could find other objects (`random()`, `now()`).
        let keys = try run.store.keys(search)
        let unique = uniqueAttributes(run)
        let isEarly = !isConstant && (!unique.isEmpty || readsHierarchy(run.schema))
        let early = try isEarly ? newValues(of: keys, run) : nil
        var result = BatchResult()
        var failures = DiagnosticCollector()
        // Objects may exchange unique values, so all old ones are removed first.
        if !unique.isEmpty {
            try update(keys, run) { _, _, rows, row in
                for attribute in unique { rows[row, attribute.slot] = .null }
            }
        }
        var uniqueness = BatchUniqueness(run)
        let cache = RowSubject.Cache(run.store)
        try update(keys, run) { place, stored, rows, row in
            let key = rows.rows[row].key
            let entity = run.schema.entities[Int(rows.rows[row].entity)]
            // The rows before the first of a batch are written.
            if row == 0 { uniqueness.forgetValues() }
            let (version, overflow) = rows.rows[row].version.addingReportingOverflow(1)
            guard !overflow else {
                throw GranaryError(
                    Diagnostic(.storeCorrupt, "the version of p\(key) is too large", entity: entity.name))
            }
            rows.rows[row].version = version
            let values = try early.map { $0[place] } ?? newValues(of: stored, cache)
            var isValid = true
            for (attribute, given) in zip(attributes, values) {
                let value = adapted(given, to: attribute.type)
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
            guard !unique.isEmpty else { return }
            for constraint in entity.uniquenessConstraints where isValid && touches(constraint) {
                guard let found = try uniqueness.violation(constraint, rows, row: row, entity: entity, key: key) else {
                    continue
                }
                failures.add(
                    run.diagnostic(
                        found.violation, entity, constraint.names.joined(separator: ", "), nil, key: key))
                isValid = false
            }
            // The store would refuse a duplicate before the other rows are checked.
            if !isValid { for attribute in unique { rows[row, attribute.slot] = .null } }
        }
        try failures.throwIfAnyError("the objects break \(failures.ruleCount) of the model")
        result.count = keys.count
        if run.returnsIDs {
            result.objectIDs = keys.map { run.id($0.entity, $0.key) }
            result.changes.updated = Set(result.objectIDs)
        }
        return result
    }

    // MARK: - New values

    /// A row as it was before the update.
    private struct Stored {
        let batch: RowBatch
        let row: Int
    }

    private func newValues(of stored: Stored, _ cache: RowSubject.Cache) throws -> [AttributeValue?] {
        let subject = RowSubject(cache: cache, batch: stored.batch, row: stored.row)
        var values: [AttributeValue?] = []
        values.reserveCapacity(attributes.count)
        for (attribute, expression) in zip(attributes, expressions) {
            switch try expression.value(on: subject) {
            case nil: values.append(nil)
            case .value(let value)?: values.append(value)
            case .list?, .subject?, .reference?:
                throw GranaryError(.usage, "\(entity.name).\(attribute.name): the expression gives no single value")
            }
        }
        try cache.check()
        return values
    }

    /// The new values of all objects, for expressions that may read what the update changes.
    private func newValues(of keys: [(entity: Int, key: Int64)], _ run: BatchRun) throws -> [[AttributeValue?]] {
        var values: [[AttributeValue?]] = Array(repeating: [], count: keys.count)
        let cache = RowSubject.Cache(run.store)
        try read(keys, run) { place, stored in values[place] = try newValues(of: stored, cache) }
        return values
    }

    /// Whether an expression can read other objects of the entity's hierarchy, which the update may have changed.
    private func readsHierarchy(_ schema: Schema) -> Bool {
        schema.entities.contains { owner in
            owner.relationships.contains { relationship in
                pathKeys.contains(relationship.name)
                    && schema.entities[relationship.destination].root == entity.root
            }
        }
    }

    /// A number that the type can hold exactly, in the type; arithmetic gives integers and doubles.
    private func adapted(_ value: AttributeValue?, to type: AttributeType) -> AttributeValue? {
        guard let value, !value.fits(type), let number = value.doubleValue else { return value }
        switch type {
        case .integer16, .integer32, .integer64:
            return (value.int64Value ?? Int64(exactly: number)).map(AttributeValue.integer) ?? value
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

    // MARK: - Rows

    /// Calls `body` with the row of each key and the key's place; rows that are missing are left out.
    private func read(
        _ keys: [(entity: Int, key: Int64)], _ run: BatchRun, _ body: (_ place: Int, _ stored: Stored) throws -> Void
    ) throws {
        for start in stride(from: 0, to: keys.count, by: BatchRun.batchRows) {
            let part = keys[start..<min(start + BatchRun.batchRows, keys.count)]
            let batch = try run.store.read(root: entity.root, keys: part.map(\.key))
            let rows = Dictionary(zip(batch.rows.map(\.key), batch.rows.indices)) { first, _ in first }
            for place in part.indices {
                guard let row = rows[keys[place].key] else { continue }
                try body(place, Stored(batch: batch, row: row))
            }
        }
    }

    /// Reads rows, changes them and writes them back, in batches.
    ///
    /// - Parameter change: receives the place of the row's key and the stored row, and changes a copy of the row.
    private func update(
        _ keys: [(entity: Int, key: Int64)], _ run: BatchRun,
        _ change: (_ place: Int, _ stored: Stored, _ rows: inout RowBatch, _ row: Int) throws -> Void
    ) throws {
        var batch = RowBatch()
        try read(keys, run) { place, stored in
            let slotCount = run.schema.entities[Int(stored.batch.rows[stored.row].entity)].slotCount
            let copy = batch.append(stored.row, of: stored.batch, slotCount: slotCount)
            try change(place, stored, &batch, copy)
            guard batch.rows.count >= BatchRun.batchRows || batch.bytes.count >= BatchRun.batchBytes else { return }
            try run.writer.update(batch)
            batch.removeAll()
        }
        if !batch.isEmpty { try run.writer.update(batch) }
    }
}
