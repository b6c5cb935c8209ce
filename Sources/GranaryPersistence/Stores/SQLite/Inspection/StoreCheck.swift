package import GranaryBase
import GranaryModel

/// Checks everything that a store holds against its model.
///
/// Values and the numbers of related objects are held against the one validator that saves and imports use too;
/// references and uniqueness are looked up in the tables.
package struct StoreCheck {
    private let store: any PersistentStore
    private let batchSize = 512

    package init(_ store: any PersistentStore) { self.store = store }

    /// - Throws: ``GranaryError`` when the store cannot be read on; what the model forbids becomes diagnostics.
    package func run(_ collector: inout DiagnosticCollector) throws {
        try store.reading {
            var incomplete: Set<Int> = []
            if let store = store as? SQLiteStore {
                incomplete = try converting { try ExternalFileCheck(store: store).run(&collector) }
            }
            for entity in store.schema.entities where !entity.isAbstract {
                do {
                    try check(entity, &collector)
                } catch let error as GranaryError where error.code == .refused {
                    collector.add(contentsOf: error.diagnostics)
                } catch let error as GranaryError where error.code == .unreadable {
                    // A missing file of external data, told above; the entity cannot be read on.
                    guard incomplete.contains(entity.index) else { throw error }
                }
            }
            if let store = store as? SQLiteStore { try converting { try ReferenceCheck(store).run(&collector) } }
        }
    }

    private func check(_ entity: Schema.Entity, _ collector: inout DiagnosticCollector) throws {
        let attributes = entity.attributes.filter(\.isPersistent)
        let toOnes = entity.relationships.filter { $0.isPersistent && !$0.isToMany && !$0.description.isOptional }
        let toManys = entity.relationships.filter { $0.isPersistent && $0.isToMany && $0.hasRule }
        try store.read(entities: entity.index..<entity.index + 1, batchSize: batchSize) { batch in
            for row in batch.rows.indices {
                let key = batch.rows[row].key
                for attribute in attributes {
                    for violation in violations(of: attribute, row, batch) {
                        add(violation, entity, attribute.name, key, &collector)
                    }
                }
                for relationship in toOnes where batch[row, relationship.slot] == .null {
                    for violation in relationship.violations(ofCount: 0) {
                        add(violation, entity, relationship.name, key, &collector)
                    }
                }
            }
            for relationship in toManys {
                let owners = batch.rows.map(\.key)
                var counts: [Int64: Int] = [:]
                try store.readLinks(of: relationship, owners: owners) { counts[$0.owner, default: 0] += 1 }
                for owner in owners {
                    for violation in relationship.violations(ofCount: counts[owner] ?? 0) {
                        add(violation, entity, relationship.name, owner, &collector)
                    }
                }
            }
            return true
        }
    }

    private func violations(
        of attribute: Schema.Attribute, _ row: Int, _ batch: borrowing RowBatch
    ) -> [Violation] {
        do {
            return try batch.withValue(row: row, of: attribute) { attribute.validator.violations(of: $0) }
        } catch let mismatch as CellMismatch {
            return [Violation(.storeCorrupt, mismatch.message)]
        } catch {
            return [Violation(.storeCorrupt, "\(error)")]
        }
    }

    private func add(
        _ violation: Violation, _ entity: Schema.Entity, _ property: String, _ key: Int64,
        _ collector: inout DiagnosticCollector
    ) {
        collector.add(
            Diagnostic(
                violation.code, "p\(key): \(violation.message)", entity: entity.name, property: property,
                coreDataCode: violation.coreDataCode))
    }
}

extension Schema.Relationship {
    /// Whether some number of objects would break a rule.
    fileprivate var hasRule: Bool {
        !description.isOptional || description.minCount > 0 || description.maxCount > 0
    }
}
