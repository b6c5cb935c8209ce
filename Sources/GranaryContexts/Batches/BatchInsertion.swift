import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Inserts the rows of a batch request.
struct BatchInsertion {
    private let entity: Schema.Entity
    private let run: BatchRun
    private let attributes: [Schema.Attribute]

    init(entity: Schema.Entity, run: BatchRun) {
        self.entity = entity
        self.run = run
        // The store computes derived attributes.
        attributes = entity.attributes.filter { $0.isPersistent && $0.description.derivationExpression == nil }
    }

    func execute(_ next: () throws -> [String: AttributeValue?]?) throws -> BatchResult {
        var result = BatchResult()
        var failures = DiagnosticCollector()
        var uniqueness = BatchUniqueness(run)
        var batch = RowBatch()
        var checked = (rows: 0, bytes: 0)
        while let values = try next() {
            try check(values.keys)
            let row = batch.appendRow(entity: entity.index, key: 0, version: 1, slotCount: entity.slotCount)
            var isValid = true
            for attribute in attributes {
                let value = values[attribute.name] ?? attribute.description.defaultValue
                for violation in attribute.violations(of: value) {
                    isValid = false
                    failures.add(run.diagnostic(violation, entity, attribute.name, value, key: nil))
                }
                if isValid, let value { value.withBorrowed { batch.set($0, row: row, slot: attribute.slot) } }
            }
            for relationship in entity.relationships where relationship.isPersistent && relationship.hasCountRule {
                for violation in relationship.violations(ofCount: 0) {
                    isValid = false
                    failures.add(run.diagnostic(violation, entity, relationship.name, nil, key: nil))
                }
            }
            if isValid {
                for constraint in entity.uniquenessConstraints {
                    guard let found = try uniqueness.violation(constraint, batch, row: row, entity: entity, key: nil)
                    else { continue }
                    isValid = false
                    failures.add(
                        Diagnostic(
                            found.violation.code, found.violation.message, entity: entity.name,
                            property: constraint.names.joined(separator: ", "), value: found.value,
                            coreDataCode: found.violation.coreDataCode))
                }
            }
            guard isValid, failures.errorCount == 0 else {
                // Nothing is written any more; the rest is only checked. Duplicates that are far apart are not found.
                checked = (checked.rows + 1, checked.bytes + batch.bytes.count)
                if checked.rows >= Self.checkedRows || checked.bytes >= BatchRun.batchBytes {
                    uniqueness.forgetValues()
                    checked = (0, 0)
                }
                batch.removeAll()
                continue
            }
            if batch.rows.count >= BatchRun.batchRows || batch.bytes.count >= BatchRun.batchBytes {
                try flush(&batch, &result, &uniqueness)
            }
        }
        try failures.throwIfAnyError("the objects break \(failures.ruleCount) of the model")
        if !batch.isEmpty { try flush(&batch, &result, &uniqueness) }
        return result
    }

    /// The number of rows whose unique values are kept after one row was invalid.
    private static let checkedRows = 100_000

    private func check(_ names: some Sequence<String>) throws(GranaryError) {
        for name in names {
            if let attribute = entity.attribute(named: name) {
                guard attribute.isPersistent, attribute.description.derivationExpression == nil else {
                    throw GranaryError(.usage, "\(entity.name).\(name) is transient or derived: it cannot be inserted")
                }
                continue
            }
            if entity.relationship(named: name) != nil {
                throw GranaryError(.usage, "\(entity.name).\(name) is a relationship, which a batch cannot set")
            }
            throw GranaryError(
                .usage,
                "\(entity.name) has no attribute \"\(Diagnostic.shortened(name))\""
                    + NearestText.hint(for: name, in: entity.attributes.map(\.name)))
        }
    }

    private func flush(
        _ batch: inout RowBatch, _ result: inout BatchResult, _ uniqueness: inout BatchUniqueness
    ) throws {
        let count = batch.rows.count
        let first = try run.writer.reserveKeys(root: entity.root, count: count)
        for row in batch.rows.indices { batch.rows[row].key = first + Int64(row) }
        try run.writer.insert(batch)
        uniqueness.noteInsertion(first)
        uniqueness.forgetValues()
        result.count += count
        if run.returnsIDs {
            for row in batch.rows {
                let id = run.id(entity.index, row.key)
                result.objectIDs.append(id)
                result.changes.inserted.insert(id)
            }
        }
        batch.removeAll()
    }
}
