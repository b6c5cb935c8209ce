import GranaryBase
package import GranaryModel

/// Writes into an in-memory store, inside a transaction.
package final class InMemoryWriter: StoreWriter {
    let store: InMemoryStore

    package private(set) var writtenRows = 0

    package init(store: InMemoryStore) { self.store = store }

    package func reserveKeys(root: Int, count: Int) throws -> Int64 {
        let last = store.state.hierarchies[root]?.lastKey ?? 0
        let (end, overflow) = last.addingReportingOverflow(Int64(max(0, count)))
        guard !overflow, end < Int64.max else {
            throw GranaryError(.refused, "there are no keys left for \(store.schema.entities[root].name)")
        }
        store.state.hierarchies[root, default: .init()].lastKey = end
        return last + 1
    }

    package func reserveKeys(root: Int, through key: Int64) throws {
        let last = store.state.hierarchies[root]?.lastKey ?? 0
        store.state.hierarchies[root, default: .init()].lastKey = max(last, key)
    }

    package func insert(_ batch: borrowing RowBatch) throws {
        var keys: [Int: [Int64]] = [:]
        // Rows before a refused one are kept.
        defer { for (root, keys) in keys { store.state.hierarchies[root]?.insertKeys(keys) } }
        for index in batch.rows.indices {
            let header = batch.rows[index]
            let entity = store.schema.entities[Int(header.entity)]
            guard store.state.hierarchies[entity.root]?.rows[header.key] == nil else {
                throw GranaryError(.internalDefect, "\(entity.name): the key \(header.key) is in use")
            }
            var row = InMemoryRow(batch, row: index, slotCount: entity.slotCount)
            for slot in store.derivedSlots[entity.index] { row.cells[slot] = .null }
            try addUnique(row, key: header.key)
            mirrorReferences(of: row, key: header.key, instead: nil)
            store.state.hierarchies[entity.root, default: .init()].rows[header.key] = row
            keys[entity.root, default: []].append(header.key)
            writtenRows += 1
        }
    }

    package func update(_ batch: borrowing RowBatch) throws {
        for index in batch.rows.indices {
            let header = batch.rows[index]
            let entity = store.schema.entities[Int(header.entity)]
            var row = InMemoryRow(batch, row: index, slotCount: entity.slotCount)
            for slot in store.derivedSlots[entity.index] { row.cells[slot] = .null }
            try replace(header.key, with: row)
            writtenRows += 1
        }
    }

    package func raiseVersions(root: Int, keys: [Int64]) throws {
        for key in keys {
            guard let version = store.state.hierarchies[root]?.rows[key]?.version, version < .max else { continue }
            store.state.hierarchies[root]?.rows[key]?.version = version + 1
        }
    }

    package func delete(entity: Int, keys: [Int64]) throws {
        let root = store.schema.entities[entity].root
        var removed: Set<Int64> = []
        for key in keys {
            guard let row = store.state.hierarchies[root]?.rows.removeValue(forKey: key) else { continue }
            removed.insert(key)
            removeUnique(row, key: key)
            mirrorReferences(of: nil, key: key, instead: row)
            removeLinks(of: key, entity: Int(row.entity))
        }
        store.state.hierarchies[root]?.removeKeys(removed)
    }

    package func setReference(_ relationship: Schema.Relationship, owner: Int64, entity: Int, destination: Int64?)
        throws
    {
        let root = store.schema.entities[relationship.owner].root
        let cell = destination.map { StoredCell.reference(key: $0, entity: Int32(entity)) } ?? .null
        try setReference(cell, slot: relationship.slot, root: root, key: owner)
    }

    /// Sets a reference of a row. Like SQL, it does nothing if the row does not exist.
    func setReference(_ cell: StoredCell, slot: Int, root: Int, key: Int64) throws {
        guard var row = store.state.hierarchies[root]?.rows[key], row.cells.indices.contains(slot) else { return }
        row.cells[slot] = cell
        try replace(key, with: row)
    }

    private func replace(_ key: Int64, with row: InMemoryRow) throws {
        let entity = store.schema.entities[Int(row.entity)]
        guard let old = store.state.hierarchies[entity.root]?.rows[key] else {
            throw GranaryError(.refused, "\(entity.name): there is no object with the key \(key) to update")
        }
        removeUnique(old, key: key)
        do { try addUnique(row, key: key) } catch {
            try addUnique(old, key: key)
            throw error
        }
        mirrorReferences(of: row, key: key, instead: old)
        store.state.hierarchies[entity.root]?.rows[key] = row
    }

    // MARK: - Unique values

    private func addUnique(_ row: InMemoryRow, key: Int64) throws {
        let entity = store.schema.entities[Int(row.entity)]
        for constraint in entity.uniquenessConstraints {
            guard let content = store.content(of: row, constraint) else { continue }
            if let other = store.state.unique[constraint]?[content] {
                // The caller may continue without this row.
                removeUnique(row, key: key)
                let names = constraint.names.joined(separator: ", ")
                throw GranaryError(
                    Diagnostic(
                        .uniqueExists, "\(names) must be unique, and the object with the key \(other) has the same",
                        entity: entity.name, property: names, coreDataCode: Diagnostic.Code.uniqueExists.coreDataCode))
            }
            store.state.unique[constraint, default: [:]][content] = key
        }
    }

    private func removeUnique(_ row: InMemoryRow, key: Int64) {
        for constraint in store.schema.entities[Int(row.entity)].uniquenessConstraints {
            guard let content = store.content(of: row, constraint) else { continue }
            if store.state.unique[constraint]?[content] == key { store.state.unique[constraint]?[content] = nil }
        }
    }
}
