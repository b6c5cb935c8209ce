import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranarySQLite

/// Checks the values of objects with the validator that saves and imports use.
struct ObjectCheck {
    let store: any StoreBackend
    /// Whether the rules of the model are checked. An inferred model has none: only the classes of values are.
    let checksRules: Bool
    private let transformers = AttributeTransformers()
    private static let batchSize = 512

    init(_ store: any StoreBackend, checksRules: Bool = true) {
        self.store = store
        self.checksRules = checksRules
    }

    /// Checks a SQLite store row by row, so that a damaged row does not hide the others.
    func run(_ checked: CheckedStore, _ findings: inout StoreFindings) throws {
        let conversions = ConvertedValues()
        for root in checked.schema.entities where root.superentity == nil {
            guard checked.isReadable(root.index), let plan = checked.store.sql.roots[root.index] else { continue }
            let reader = RowReader(
                schema: checked.schema, plan: plan, storePath: checked.store.path, leavesFiles: true,
                conversions: conversions)
            let statement = try checked.store.connection.prepare("\(plan.select) WHERE Z_ENT = ? ORDER BY Z_PK")
            for index in root.family where !checked.schema.entities[index].isAbstract {
                let entity = checked.schema.entities[index]
                statement.reset()
                try statement.bind(Int64(entity.number), at: 1)
                try run(entity, statement, reader, checked, &findings)
            }
        }
        for group in conversions.groups { add(group, checked, &findings) }
    }

    /// Checks the rows of one entity.
    private func run(
        _ entity: Schema.Entity, _ statement: Statement, _ reader: RowReader, _ checked: CheckedStore,
        _ findings: inout StoreFindings
    ) throws {
        let table = checked.layout.tableName(of: entity.index)
        var batch = RowBatch()
        while try statement.step() {
            batch.removeAll()
            let key = statement.integer(at: 0)
            do {
                try reader.append(statement, to: &batch)
            } catch let error as GranaryError {
                // A missing external file or an invalid reference, which an earlier check usually reported.
                guard !findings.mayName(table, key) else { continue }
                findings.add(
                    .storeCorrupt, "p\(key) cannot be read: \(error.message)", entity: entity.name, table: table,
                    key: key, advice: StoreAdvice.restore)
                continue
            }
            check(0, of: batch, entity, checked.layout, &findings)
        }
    }

    /// A warning about values of another storage class than their attribute's.
    private func add(_ group: ConvertedValues.Group, _ checked: CheckedStore, _ findings: inout StoreFindings) {
        let entity = checked.schema.entities[group.entity]
        guard let attribute = entity.attributes.first(where: { $0.name == group.property }) else { return }
        let found =
            switch group.storageClass {
            case .text: "text"
            case .blob: "binary data"
            case .integer: "an integer"
            case .real, .null: "a number"
            }
        let more = group.count - 1
        findings.add(
            .storeLayout,
            "p\(group.firstKey): the value is stored as \(found) and read as \(attribute.type.phrase)"
                + (more == 0 ? "" : "; \(more) more value\(more == 1 ? " is" : "s are") too"),
            severity: .warning, entity: entity.name, property: attribute.name,
            table: checked.layout.tableName(of: entity.index), key: group.firstKey,
            column: checked.layout.column(of: attribute), advice: StoreAdvice.converted)
    }

    /// Checks a store of another kind.
    func run(_ findings: inout StoreFindings) throws {
        for entity in store.schema.entities where !entity.isAbstract {
            let toManys = entity.relationships.filter { $0.isPersistent && $0.isToMany && $0.hasCountRule }
            try store.read(entities: entity.index..<entity.index + 1, batchSize: Self.batchSize) { batch in
                for row in batch.rows.indices { check(row, of: batch, entity, nil, &findings) }
                for relationship in toManys {
                    let owners = batch.rows.map(\.key)
                    var counts: [Int64: Int] = [:]
                    try store.readLinks(of: relationship, owners: owners) { counts[$0.owner, default: 0] += 1 }
                    for owner in owners {
                        for violation in relationship.violations(ofCount: counts[owner] ?? 0) {
                            findings.add(
                                violation.code, "p\(owner): \(violation.message)", entity: entity.name,
                                property: relationship.name, coreDataCode: violation.coreDataCode)
                        }
                    }
                }
                return true
            }
        }
    }

    private func check(
        _ row: Int, of batch: borrowing RowBatch, _ entity: Schema.Entity, _ layout: StoreLayout?,
        _ findings: inout StoreFindings
    ) {
        let key = batch.rows[row].key
        let table = layout?.tableName(of: entity.index)
        for attribute in entity.attributes where attribute.isPersistent {
            for violation in violations(of: attribute, row, batch) {
                findings.add(
                    violation.code, "p\(key): \(violation.message)", entity: entity.name, property: attribute.name,
                    coreDataCode: violation.coreDataCode, table: table, key: table == nil ? nil : key,
                    column: layout?.column(of: attribute),
                    advice: StoreAdvice.setValue(isOptional: attribute.description.isOptional))
            }
        }
        guard checksRules else { return }
        for relationship in entity.relationships
        where relationship.isPersistent && !relationship.isToMany && !relationship.description.isOptional
            && batch[row, relationship.slot] == .null
        {
            for violation in relationship.violations(ofCount: 0) {
                findings.add(
                    violation.code, "p\(key): \(violation.message)", entity: entity.name, property: relationship.name,
                    coreDataCode: violation.coreDataCode, table: table, key: table == nil ? nil : key,
                    column: layout?.column(of: relationship),
                    advice: StoreAdvice.setRelationship)
            }
        }
    }

    /// Reads a large external file to its end to check that it is readable. No validation rule needs its content.
    private static func unreadable(_ path: String) throws -> [Violation] {
        let source = try ByteSource(path: path)
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while try chunk.withUnsafeMutableBytes({ try source.read(into: $0) }) > 0 {}
        return []
    }

    private func violations(
        of attribute: Schema.Attribute, _ row: Int, _ batch: borrowing RowBatch
    ) -> [Violation] {
        do {
            if let file = batch.externalFile(row: row, slot: attribute.slot) { return try Self.unreadable(file) }
            return try batch.withValue(row: row, of: attribute) { value in
                guard checksRules else { return [] }
                var found = attribute.validator.violations(of: value)
                if case .binary(let bytes) = value,
                    let problem = transformers.problem(of: bytes, attribute)
                {
                    found.append(problem)
                }
                return found
            }
        } catch let mismatch as CellMismatch {
            return [Violation(.storeCorrupt, mismatch.message)]
        } catch {
            return [Violation(.storeCorrupt, "\(error)")]
        }
    }
}
