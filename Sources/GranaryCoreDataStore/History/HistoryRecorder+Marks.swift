import GranaryCoordination
import GranaryModel
import GranarySQLite

/// Computes the changes of a write. Call before the write, and record the result after it.
///
/// As in Core Data, both ends of a link count as changed: an object that joins or leaves a list changes the list's
/// owner.
extension HistoryRecorder {
    /// The changes of an update: properties whose columns will differ, and inverse lists of changed references.
    func marks(
        updating row: RowBatch.Header, _ cells: UnsafeBufferPointer<StoredCell>, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws -> [HistoryMark] {
        let entity = store.schema.entities[Int(row.entity)]
        var own = HistoryMark(root: entity.root, key: row.key)
        // If the present row cannot be read, any property may change.
        guard let old = try? store.read(root: entity.root, keys: [row.key]) else {
            return [HistoryMark(root: entity.root, key: row.key, slots: tables.entities[entity.index].allSlots)]
        }
        guard let before = old.rows.first, before.entity == row.entity else { return [] }
        var lists: [HistoryMark] = []
        var isChanged = before.version != row.version
        old.bytes.withUnsafeBufferPointer { oldBytes in
            for field in store.sql.entities[entity.index].updateFields where field.content != .referenceEntity {
                let (left, right) = (old[0, field.slot], cells[row.firstCell + field.slot])
                guard !left.hasValue(of: right, oldBytes, bytes) else { continue }
                isChanged = true
                own.slots.insert(field.slot)
                guard field.content == .referenceKey,
                    let relationship = entity.relationships.first(where: { $0.slot == field.slot })
                else { continue }
                lists += [left, right].compactMap { cell -> HistoryMark? in
                    guard case .reference(let key, _) = cell else { return nil }
                    return listMark(relationship, key)
                }
            }
        }
        return isChanged ? [own] + lists : []
    }

    func marks(
        setting relationship: Schema.Relationship, owner: Int64, destination: Int64?
    ) throws -> [HistoryMark] {
        let entity = store.schema.entities[relationship.owner]
        guard let column = store.layout.column(of: relationship) else { return [] }
        let table = store.sql.entities[entity.index].table
        let old = try connection.integer("SELECT \(column) FROM \(table) WHERE Z_PK = ?", owner)
        guard old != destination else { return [] }
        return [HistoryMark(root: entity.root, key: owner, slots: [relationship.slot])]
            + [old, destination].compactMap { $0.flatMap { listMark(relationship, $0) } }
    }

    /// - Parameter members: the new members, each once.
    func marks(
        linking relationship: Schema.Relationship, owner: Int64, to members: [Int64]
    ) throws -> [HistoryMark] {
        let (own, other) = (root(relationship.owner), root(relationship.destination))
        guard let place = store.layout.linkPlace(of: relationship) else { return [] }
        let present = try self.members(place, of: owner)
        let (before, after) = (Set(present), Set(members))
        let isSame = relationship.description.isOrdered ? present == members : before == after
        guard !isSame else { return [] }
        var marks = [HistoryMark(root: own, key: owner, slots: [relationship.slot])]
        if let mirror = mirror(of: relationship) {
            for key in before.symmetricDifference(after).sorted() {
                marks.append(HistoryMark(root: other, key: key, slots: [mirror.slot]))
            }
        }
        // A foreign key holds one owner, so an object that joins this list leaves another.
        if case .foreignKey(let table, let column, _, _) = place {
            let query = "SELECT \(column) FROM \(store.layout.tables[table].name) WHERE Z_PK = ?"
            for key in after.subtracting(before).sorted() {
                guard let former = try connection.integer(query, key) else { continue }
                marks.append(HistoryMark(root: own, key: former, slots: [relationship.slot]))
            }
        }
        return marks
    }

    /// The changes of a deletion: lists and join tables that the object leaves. The caller changes references to the
    /// object by updates, which are recorded separately.
    func marks(deleting key: Int64, of entity: Schema.Entity) throws -> [HistoryMark] {
        var marks: [HistoryMark] = []
        for relationship in entity.relationships where relationship.isPersistent {
            guard let mirror = mirror(of: relationship) else { continue }
            if relationship.isToMany {
                guard let place = store.layout.linkPlace(of: relationship), case .join = place else { continue }
                marks += try members(place, of: key).map {
                    HistoryMark(root: root(relationship.destination), key: $0, slots: [mirror.slot])
                }
            } else if let column = store.layout.column(of: relationship),
                let owner = try connection.integer(
                    "SELECT \(column) FROM \(store.sql.entities[entity.index].table) WHERE Z_PK = ?", key),
                let mark = listMark(relationship, owner)
            {
                marks.append(mark)
            }
        }
        return marks
    }

    /// The change of the inverse list of a to-one relationship; nil if the inverse is missing or is a to-one.
    func listMark(_ relationship: Schema.Relationship, _ owner: Int64) -> HistoryMark? {
        guard let mirror = mirror(of: relationship), mirror.isToMany else { return nil }
        return HistoryMark(root: root(relationship.destination), key: owner, slots: [mirror.slot])
    }

    private func mirror(of relationship: Schema.Relationship) -> Schema.Relationship? {
        guard let inverse = relationship.inverse else { return nil }
        let mirror = store.schema.entities[inverse.owner].relationships[inverse.relationship]
        return mirror.isPersistent ? mirror : nil
    }

    private func root(_ entity: Int) -> Int { store.schema.entities[entity].root }

    /// The keys of a list in its order.
    private func members(_ place: StoreLayout.LinkPlace, of owner: Int64) throws -> [Int64] {
        let (key, table, column, order) =
            switch place {
            case .foreignKey(let table, let column, _, let order):
                ("Z_PK", store.layout.tables[table].name, column, order)
            case .join(let table, let column, let destination, let order):
                (destination, store.layout.joinTables[table].source, column, order)
            }
        let sort = [order.map { "\($0) NULLS LAST" }, key].compactMap { $0 }.joined(separator: ", ")
        return try connection.integers("SELECT \(key) FROM \(table) WHERE \(column) = ? ORDER BY \(sort)", owner)
    }
}
